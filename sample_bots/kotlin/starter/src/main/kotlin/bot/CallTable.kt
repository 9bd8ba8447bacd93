package bot

import arena.v1.CallRule
import arena.v1.Card
import arena.v1.Rank

private const val LEFT_BOWER = 7
private const val RIGHT_BOWER = 8

/** Above every card of another suit. */
private const val TRUMP = 100

private val USUAL_ORDER =
    listOf(
        Rank.RANK_ACE,
        Rank.RANK_KING,
        Rank.RANK_QUEEN,
        Rank.RANK_JACK,
        Rank.RANK_TEN,
        Rank.RANK_NINE,
    )

/** What a call means for the play: bowers, suits, and which card beats which. */
class CallTable(
    rule: CallRule,
) {
    /** What naming the call costs, in tokens. */
    val tokens: Int = rule.tokens

    private class Place(
        val suit: Suit,
        val height: Int,
    )

    private val trump = rule.call.trump
    private val order = rule.orderList.ifEmpty { USUAL_ORDER }
    private val places =
        Card.entries
            .filter { it != Card.CARD_UNSPECIFIED && it != Card.UNRECOGNIZED }
            .associateWith(::place)

    private fun place(card: Card): Place {
        val isJack = card.rank == Rank.RANK_JACK
        return when {
            trump != null && isJack && card.suit == trump -> Place(trump, TRUMP + RIGHT_BOWER)
            trump != null && isJack && card.suit == trump.mate -> Place(trump, TRUMP + LEFT_BOWER)
            else -> Place(card.suit, order.size - order.indexOf(card.rank) + if (card.suit == trump) TRUMP else 0)
        }
    }

    private fun placeOf(card: Card) = places[card] ?: throw UnknownValueException("card", card)

    /** The suit that the card belongs to; the left bower is a trump. */
    fun suit(card: Card): Suit = placeOf(card).suit

    /** Whether the card is a trump. */
    fun isTrump(card: Card): Boolean = suit(card) == trump

    /** How high the card stands in its own suit, trumps above all others. */
    fun height(card: Card): Int = placeOf(card).height

    /** How strong the card is in a trick that began with [led], 0 never wins; of twins the first wins. */
    fun strength(
        led: Card,
        card: Card,
    ): Int = if (isTrump(card) || suit(card) == suit(led)) height(card) else 0
}
