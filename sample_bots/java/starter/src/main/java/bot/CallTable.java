package bot;

import arena.v1.Call;
import arena.v1.CallRule;
import arena.v1.Card;
import arena.v1.Rank;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a call means for the play: bowers, suits, and which card beats which. */
public final class CallTable {
  /** The strength of a card that can never win. */
  public static final int NEVER_WINS = 0;

  /** Above every card of another suit. */
  private static final int TRUMP = 100;

  private static final int LEFT_BOWER = 7;
  private static final int RIGHT_BOWER = 8;
  private static final List<Rank> USUAL_ORDER =
      List.of(
          Rank.RANK_ACE,
          Rank.RANK_KING,
          Rank.RANK_QUEEN,
          Rank.RANK_JACK,
          Rank.RANK_TEN,
          Rank.RANK_NINE);

  /** A card's suit under the call, and its height in that suit, from 1. */
  private record Place(Suit suit, int height) {}

  private final Optional<Suit> trump;
  private final int tokens;
  private final Map<Card, Place> places = new EnumMap<>(Card.class);

  /** The table of one call that the variant offers. */
  public CallTable(CallRule rule) {
    this(rule.getCall(), rule.getOrderList(), rule.getTokens());
  }

  private CallTable(Call call, List<Rank> order, int tokens) {
    this.trump = Suit.trump(call);
    this.tokens = tokens;
    List<Rank> ranks = order.isEmpty() ? USUAL_ORDER : order;
    for (Card card : Card.values()) {
      if (card != Card.CARD_UNSPECIFIED && card != Card.UNRECOGNIZED) {
        places.put(card, place(card, ranks));
      }
    }
  }

  private Place place(Card card, List<Rank> order) {
    Suit suit = Cards.suit(card);
    Rank rank = Cards.rank(card);
    if (trump.isPresent() && rank == Rank.RANK_JACK) {
      if (suit == trump.get()) {
        return new Place(suit, RIGHT_BOWER);
      }
      if (suit == trump.get().mate()) {
        return new Place(trump.get(), LEFT_BOWER);
      }
    }
    return new Place(suit, order.size() - order.indexOf(rank));
  }

  /** The suit that the card belongs to; the left bower is a trump. */
  public Suit suit(Card card) {
    return placeOf(card).suit();
  }

  /** Whether the card is a trump. */
  public boolean isTrump(Card card) {
    return trump.isPresent() && suit(card) == trump.get();
  }

  /** How high the card stands in its own suit, trumps above all others. */
  public int height(Card card) {
    return placeOf(card).height() + (isTrump(card) ? TRUMP : 0);
  }

  /** How strong the card is in a trick that began with {@code led}; of twins the first wins. */
  public int strength(Card led, Card card) {
    return isTrump(card) || suit(card) == suit(led) ? height(card) : NEVER_WINS;
  }

  /** What naming the call costs, in tokens. */
  public int tokens() {
    return tokens;
  }

  private Place placeOf(Card card) {
    Place place = places.get(card);
    if (place == null) {
      throw new UnknownValueException("card", card);
    }
    return place;
  }
}
