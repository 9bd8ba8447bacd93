package bot

import arena.v1.BidRule
import arena.v1.Call
import arena.v1.GameStart
import arena.v1.Variant
import com.google.protobuf.ByteString
import java.util.Random

/** The rules of a match, as far as the bot needs them; all of it follows from the variant's data. */
class Rules(
    /** As it was sent. */
    val variant: Variant,
) {
    /** What the calls on offer mean; those that this bot does not know are left out. */
    val tables: Map<Call, CallTable> =
        variant.callsList
            .filter { it.call != Call.CALL_UNSPECIFIED && it.call != Call.UNRECOGNIZED }
            .associate { it.call to CallTable(it) }

    /** What a call means. */
    fun table(call: Call): CallTable = tables[call] ?: throw UnknownValueException("call", call)

    /** The rule of a bid, by its place on the ladder from 1. */
    fun bid(place: Int): BidRule = variant.bidsList.getOrNull(place - 1) ?: throw UnknownValueException("bid", place)
}

/** One game at a table. */
class Game(
    val rules: Rules,
    /** The seat that the bot plays, 0 to 3. */
    val seat: Int,
    /** The only source of chance: it starts from the arena's seed, so a tournament can be played again. */
    val random: Random,
) {
    constructor(rules: Rules, start: GameStart) : this(rules, start.seat, random(start.botSeed))

    /** Whether a seat is on the bot's side. */
    fun isOurs(other: Int): Boolean = (other - seat) % 2 == 0
}

/** `java.util.Random`, whose numbers are the same in every JDK. */
private fun random(seed: ByteString) =
    Random(
        seed.fold(0L) { bits, byte ->
            (bits shl Byte.SIZE_BITS) or
                (byte.toLong() and 0xff)
        },
    )
