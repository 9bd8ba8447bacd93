package bot

import arena.v1.Action
import arena.v1.ActionKind
import arena.v1.Call
import arena.v1.Card
import arena.v1.Item
import arena.v1.Rank
import arena.v1.action
import arena.v1.callRule
import arena.v1.decision
import arena.v1.gameFinished
import arena.v1.gameStart
import arena.v1.item
import arena.v1.matchFinished
import arena.v1.matchStart
import arena.v1.rejected
import arena.v1.variant
import com.google.protobuf.ByteString

/** Messages as an arena sends them, short enough for tests. */
internal object Messages {
    private const val MATCH = 901
    val FIRST = play(Card.CARD_9C)
    val SECOND = play(Card.CARD_AS)

    private fun play(played: Card): Action =
        action {
            kind = ActionKind.ACTION_KIND_PLAY
            card = played
        }

    val RULES =
        variant {
            handSize = 6
            calls += callRule { call = Call.CALL_HEARTS }
            calls +=
                callRule {
                    call = Call.CALL_LOW
                    tokens = 1
                    order += Rank.entries.filter { it != Rank.RANK_UNSPECIFIED && it != Rank.UNRECOGNIZED }
                }
        }

    fun matchStart(number: Int): Item =
        item {
            sequence = number
            matchStart =
                matchStart {
                    matchId = MATCH
                    variant = RULES
                }
        }

    fun gameStart(
        number: Int,
        table: Int,
    ): Item =
        item {
            sequence = number
            gameStart =
                gameStart {
                    matchId = MATCH
                    tableId = table
                    seat = 1
                    botSeed = ByteString.copyFrom(byteArrayOf(1, 2, 3, 4, 5, 6, 7, table.toByte()))
                }
        }

    fun decision(
        number: Int,
        table: Int,
        id: Int,
    ): Item =
        item {
            sequence = number
            decision =
                decision {
                    decisionId = id
                    tableId = table
                    legal += listOf(FIRST, SECOND)
                }
        }

    fun rejected(
        number: Int,
        id: Int,
        isOpen: Boolean,
    ): Item =
        item {
            sequence = number
            rejected =
                rejected {
                    decisionId = id
                    paragraph = "C3.4"
                    text = "it does not follow"
                    open = isOpen
                }
        }

    fun gameFinished(
        number: Int,
        table: Int,
    ): Item =
        item {
            sequence = number
            gameFinished = gameFinished { tableId = table }
        }

    fun matchFinished(number: Int): Item =
        item {
            sequence = number
            matchFinished = matchFinished { matchId = MATCH }
        }
}
