package bot;

import arena.v1.Card;
import arena.v1.Rank;

/** Suit and rank of a card: its number is {@code 1 + 6 * suit + rank} in every variant. */
public final class Cards {
  private static final int RANKS = 6;
  private static final Suit[] SUITS = Suit.values();

  private Cards() {}

  /** The printed suit. The suit it belongs to depends on the call, see {@link CallTable}. */
  public static Suit suit(Card card) {
    return SUITS[index(card) / RANKS];
  }

  /** The rank. */
  public static Rank rank(Card card) {
    return Rank.forNumber(index(card) % RANKS + 1);
  }

  /** The card's place in the contract's order, from 0. */
  private static int index(Card card) {
    if (card == Card.CARD_UNSPECIFIED || card == Card.UNRECOGNIZED) {
      throw new UnknownValueException("card", card);
    }
    return card.getNumber() - 1;
  }
}
