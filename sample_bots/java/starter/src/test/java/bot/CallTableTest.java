package bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import arena.v1.Call;
import arena.v1.Card;
import arena.v1.Rank;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bowers, suits and orders (rules C3, C5). */
class CallTableTest {
  private final Rules rules = new Rules(Messages.variant());
  private final CallTable hearts = rules.table(Call.CALL_HEARTS);
  private final CallTable low = rules.table(Call.CALL_LOW);

  @Test
  void namesSuitAndRank() {
    assertEquals(Suit.CLUBS, Cards.suit(Card.CARD_9C));
    assertEquals(Rank.RANK_NINE, Cards.rank(Card.CARD_9C));
    assertEquals(Suit.SPADES, Cards.suit(Card.CARD_AS));
    assertEquals(Rank.RANK_ACE, Cards.rank(Card.CARD_AS));
    assertThrows(UnknownValueException.class, () -> Cards.suit(Card.CARD_UNSPECIFIED));
  }

  @ParameterizedTest
  @CsvSource({"CLUBS, SPADES", "DIAMONDS, HEARTS", "HEARTS, DIAMONDS", "SPADES, CLUBS"})
  void knowsSuitsOfOneColour(Suit suit, Suit mate) {
    assertEquals(mate, suit.mate());
  }

  @Test
  void putsTheLeftBowerAmongTheTrumps() {
    assertTrue(hearts.isTrump(Card.CARD_JD));
    assertEquals(Suit.HEARTS, hearts.suit(Card.CARD_JD));
    assertFalse(hearts.isTrump(Card.CARD_JC));
    assertFalse(low.isTrump(Card.CARD_JD));
    assertEquals(Suit.DIAMONDS, low.suit(Card.CARD_JD));
  }

  @Test
  void ordersTrumps() {
    assertFalls(
        hearts,
        Card.CARD_9C,
        List.of(
            Card.CARD_JH,
            Card.CARD_JD,
            Card.CARD_AH,
            Card.CARD_KH,
            Card.CARD_QH,
            Card.CARD_TH,
            Card.CARD_9H,
            Card.CARD_AC,
            Card.CARD_KC,
            Card.CARD_QC,
            Card.CARD_JC,
            Card.CARD_TC,
            Card.CARD_9C,
            Card.CARD_AS));
  }

  @Test
  void takesTheOrderOfACallFromItsRule() {
    assertFalls(
        low,
        Card.CARD_AD,
        List.of(
            Card.CARD_9D,
            Card.CARD_TD,
            Card.CARD_JD,
            Card.CARD_QD,
            Card.CARD_KD,
            Card.CARD_AD,
            Card.CARD_9H));
    assertEquals(1, low.tokens());
  }

  private static void assertFalls(CallTable table, Card led, List<Card> cards) {
    for (int i = 1; i < cards.size(); i++) {
      Card higher = cards.get(i - 1);
      Card lower = cards.get(i);
      assertTrue(
          table.strength(led, higher) > table.strength(led, lower), higher + " beats " + lower);
    }
    assertEquals(CallTable.NEVER_WINS, table.strength(led, cards.get(cards.size() - 1)));
  }

  @Test
  void doesNotKnowACallThatIsNotOffered() {
    assertThrows(UnknownValueException.class, () -> rules.table(Call.CALL_MID));
  }
}
