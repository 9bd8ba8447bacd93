package bot

import arena.v1.Action
import arena.v1.Decision

/** One table of a session: who plays there, and its last question. */
class Table(
    val matchId: Int,
    private val player: Player,
) {
    private var decision: Decision? = null
    private var refused = false

    /** The answer that was given to the last question. */
    var lastAnswer: Action = Action.getDefaultInstance()
        private set

    /** The answer to a question; one that was answered before gets the same answer again. */
    fun answer(question: Decision): Action {
        if (!isAsked(question.decisionId)) {
            decision = question
            refused = false
            lastAnswer = think(question)
        }
        return lastAnswer
    }

    private fun think(question: Decision): Action =
        try {
            player.act(question)
        } catch (_: UnknownValueException) {
            question.legalList.first()
        }

    /** Whether this is the last question that was asked here. */
    fun isAsked(decisionId: Int): Boolean = decision?.decisionId == decisionId

    /** Answers the first legal action from now on; false where that was tried already. */
    fun giveWay(): Boolean {
        val first = !refused
        refused = true
        decision?.let { lastAnswer = it.legalList.first() }
        return first
    }
}
