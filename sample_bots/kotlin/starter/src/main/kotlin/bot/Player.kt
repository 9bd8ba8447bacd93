package bot

import arena.v1.Action
import arena.v1.Decision

/** Who plays one game. There is a new one for each game, so it may remember what it likes. */
fun interface Player {
    /** One of the decision's legal actions, of which there are at least two. */
    fun act(decision: Decision): Action
}
