package bot

import arena.v1.Call
import arena.v1.Card
import arena.v1.Rank
import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith
import kotlin.test.assertFalse
import kotlin.test.assertTrue

/** Bowers, suits and orders (rules C3, C5). */
internal class CallTableTest {
    private val rules = Rules(Messages.RULES)
    private val hearts = rules.table(Call.CALL_HEARTS)
    private val low = rules.table(Call.CALL_LOW)

    @Test
    fun `names suit and rank`() {
        assertEquals(Suit.CLUBS, Card.CARD_9C.suit)
        assertEquals(Rank.RANK_NINE, Card.CARD_9C.rank)
        assertEquals(Suit.SPADES, Card.CARD_AS.suit)
        assertEquals(Rank.RANK_ACE, Card.CARD_AS.rank)
        assertFailsWith<UnknownValueException> { Card.CARD_UNSPECIFIED.suit }
    }

    @Test
    fun `knows suits of one colour`() {
        assertEquals(listOf(Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS), Suit.entries.map { it.mate })
    }

    @Test
    fun `puts the left bower among the trumps`() {
        assertTrue(hearts.isTrump(Card.CARD_JD))
        assertEquals(Suit.HEARTS, hearts.suit(Card.CARD_JD))
        assertFalse(hearts.isTrump(Card.CARD_JC))
        assertFalse(low.isTrump(Card.CARD_JD))
        assertEquals(Suit.DIAMONDS, low.suit(Card.CARD_JD))
    }

    @Test
    fun `orders trumps`() {
        assertFalls(hearts, Card.CARD_9C, "JH JD AH KH QH TH 9H AC KC QC JC TC 9C AS")
    }

    @Test
    fun `takes the order of a call from its rule`() {
        assertFalls(low, Card.CARD_AD, "9D TD JD QD KD AD 9H")
        assertEquals(1, low.tokens)
    }

    /** Each card is stronger than the next, and the last never wins. */
    private fun assertFalls(
        table: CallTable,
        led: Card,
        cards: String,
    ) {
        val strengths = cards.split(' ').map { table.strength(led, Card.valueOf("CARD_$it")) }
        assertTrue(strengths.zipWithNext().all { (higher, lower) -> higher > lower }, "$strengths")
        assertEquals(0, strengths.last())
    }

    @Test
    fun `does not know a call that is not offered`() {
        assertFailsWith<UnknownValueException> { rules.table(Call.CALL_MID) }
    }
}
