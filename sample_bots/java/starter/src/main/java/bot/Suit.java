package bot;

import arena.v1.Call;
import java.util.Optional;

/** The four suits, in the contract's order. */
public enum Suit {
  CLUBS,
  DIAMONDS,
  HEARTS,
  SPADES;

  /** The other suit of the same colour. */
  public Suit mate() {
    return switch (this) {
      case CLUBS -> SPADES;
      case DIAMONDS -> HEARTS;
      case HEARTS -> DIAMONDS;
      case SPADES -> CLUBS;
    };
  }

  /** The trump suit of a call; empty for the calls without trump. */
  public static Optional<Suit> trump(Call call) {
    return switch (call) {
      case CALL_CLUBS -> Optional.of(CLUBS);
      case CALL_DIAMONDS -> Optional.of(DIAMONDS);
      case CALL_HEARTS -> Optional.of(HEARTS);
      case CALL_SPADES -> Optional.of(SPADES);
      case CALL_NO_TRUMP, CALL_HIGH, CALL_LOW, CALL_MID -> Optional.empty();
      case CALL_UNSPECIFIED, UNRECOGNIZED -> throw new UnknownValueException("call", call);
    };
  }
}
