package bot

import arena.v1.Action
import arena.v1.Answer
import arena.v1.Decision
import arena.v1.GameStart
import arena.v1.Item
import arena.v1.Item.ItemCase
import arena.v1.PlayRequest
import arena.v1.Rejected
import arena.v1.answer
import arena.v1.answers
import arena.v1.playRequest

/** The most answers that one request may carry (the contract's bound). */
private const val MAX_ANSWERS = 1024

/** So many items without an answer due, and an empty request acknowledges them. */
private const val MAX_UNACKNOWLEDGED = 256

/**
 * What a session does with the items it is sent: tables come and go, players are asked.
 *
 * Nothing here knows the network: items go in by [take], requests come out of [request]. A resumed
 * stream may bring items and questions again; events are dropped by their sequence number, and a
 * question that was answered before gets the same answer without asking the player again.
 *
 * @param players makes the player of a new game
 * @param say takes one line for the bot's author
 */
class Session(
    private val players: (Game) -> Player,
    private val say: (String) -> Unit,
) {
    /** The sequence number of the last item taken in. */
    var acknowledged = 0
        private set
    private var told = 0
    private val matches = mutableMapOf<Int, Rules>()
    private val tables = mutableMapOf<Int, Table>()
    private val pending = ArrayDeque<Answer>()

    /** A new session: nothing of an earlier one is left. */
    fun begin() {
        matches.clear()
        tables.clear()
        pending.clear()
        acknowledged = 0
        told = 0
    }

    /** The same session on a new stream: what was not sent will be asked again. */
    fun resume() = pending.clear()

    /** Takes in one item; one whose arm this bot does not know is only counted. */
    fun take(item: Item) {
        if (item.sequence.toUInt() > acknowledged.toUInt()) {
            acknowledged = item.sequence
            takeEvent(item)
        }
        if (item.hasDecision()) decide(item.decision)
    }

    /** What is to be sent now, null for nothing. */
    fun request(): PlayRequest? {
        if (pending.isEmpty() && acknowledged - told < MAX_UNACKNOWLEDGED) return null
        told = acknowledged
        val batch = List(minOf(pending.size, MAX_ANSWERS)) { pending.removeFirst() }
        return playRequest {
            acknowledged = told
            answers = answers { answers += batch }
        }
    }

    private fun takeEvent(item: Item) {
        when (item.itemCase) {
            ItemCase.MATCH_START -> matches[item.matchStart.matchId] = Rules(item.matchStart.variant)

            ItemCase.GAME_START -> startGame(item.gameStart)

            ItemCase.REJECTED -> reject(item.rejected)

            ItemCase.GAME_FINISHED -> tables -= item.gameFinished.tableId

            ItemCase.MATCH_FINISHED -> finishMatch(item.matchFinished.matchId)

            // Decisions have no place in time; the rest is not asked for, or of a newer arena.
            ItemCase.DECISION, ItemCase.HAND_FINISHED, ItemCase.ITEM_NOT_SET, null -> Unit
        }
    }

    private fun startGame(start: GameStart) {
        val rules = matches[start.matchId] ?: return
        tables[start.tableId] = Table(start.matchId, players(Game(rules, start)))
    }

    private fun finishMatch(matchId: Int) {
        matches -= matchId
        tables.values.removeIf { it.matchId == matchId }
    }

    private fun decide(decision: Decision) {
        val first = decision.legalList.firstOrNull() ?: return
        // A table that was never opened is the arena's mistake, but no reason to stay silent.
        answer(decision.decisionId, tables[decision.tableId]?.answer(decision) ?: first)
    }

    private fun reject(rejected: Rejected) {
        val table = tables.values.find { it.isAsked(rejected.decisionId) }
        val what = table?.lastAnswer?.text ?: "a message"
        val paragraph = rejected.paragraph.let { if (it.isEmpty()) "" else " (rules $it)" }
        say("the arena did not take $what: ${rejected.text}$paragraph")
        if (rejected.open && table != null && table.giveWay()) {
            say("answered ${table.lastAnswer.text} in its place; this counts as a fault of the bot")
            answer(rejected.decisionId, table.lastAnswer)
        }
    }

    private fun answer(
        decisionId: Int,
        action: Action,
    ) {
        pending +=
            answer {
                this.decisionId = decisionId
                this.action = action
            }
    }
}
