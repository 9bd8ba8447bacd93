package bot

import arena.v1.Call
import arena.v1.Card
import arena.v1.Rank

private const val RANKS = 6

/** The four suits, in the contract's order. */
enum class Suit {
    CLUBS,
    DIAMONDS,
    HEARTS,
    SPADES,
    ;

    /** The other suit of the same colour. */
    val mate: Suit
        get() =
            when (this) {
                CLUBS -> SPADES
                DIAMONDS -> HEARTS
                HEARTS -> DIAMONDS
                SPADES -> CLUBS
            }
}

/** The card's place in the contract's order, from 0; its number is `1 + 6 * suit + rank`. */
private val Card.place: Int
    get() =
        when (this) {
            Card.CARD_UNSPECIFIED, Card.UNRECOGNIZED -> throw UnknownValueException("card", this)
            else -> number - 1
        }

/** The printed suit. The suit it belongs to depends on the call, see [CallTable]. */
val Card.suit: Suit get() = Suit.entries[place / RANKS]

/** The rank. */
val Card.rank: Rank get() = Rank.forNumber(place % RANKS + 1)

/** The trump suit of a call; null for the calls without trump. */
val Call.trump: Suit?
    get() =
        when (this) {
            Call.CALL_CLUBS -> Suit.CLUBS
            Call.CALL_DIAMONDS -> Suit.DIAMONDS
            Call.CALL_HEARTS -> Suit.HEARTS
            Call.CALL_SPADES -> Suit.SPADES
            Call.CALL_NO_TRUMP, Call.CALL_HIGH, Call.CALL_LOW, Call.CALL_MID -> null
            Call.CALL_UNSPECIFIED, Call.UNRECOGNIZED -> throw UnknownValueException("call", this)
        }
