package bot

import arena.v1.Action
import arena.v1.ActionKind
import arena.v1.Call
import arena.v1.Card
import arena.v1.Decision
import arena.v1.Move
import arena.v1.Phase
import arena.v1.PublicView
import arena.v1.Rank

private const val TRUMP_TRICKS = 0.7
private const val ACE_TRICKS = 0.5

/** What the partner adds for each card of a hand. */
private const val PARTNER_TRICKS = 0.2

/** What a token is worth. */
private const val TOKEN_TRICKS = 2

/** So many expected tricks make it worth while to shoot oneself when forced. */
private const val SHOOTING_TRICKS = 4

private const val NEVER = -99.0

/**
 * How the bot plays: the file to edit. There is a new strategy for each game.
 *
 * It counts trumps and aces, bids what they are worth, and takes tricks as cheaply as it can. It
 * never goes alone of its own will, and forces nobody.
 */
class Strategy(
    private val game: Game,
) : Player {
    override fun act(decision: Decision): Action =
        when (decision.public.phase) {
            Phase.PHASE_SPEAK -> speak(decision)
            Phase.PHASE_SHOOTER -> shoot(decision)
            Phase.PHASE_CALL -> decision.legalList.maxBy { tricks(decision, table(it.call)) }
            Phase.PHASE_TRADE, Phase.PHASE_DISCARD -> putAway(decision)
            Phase.PHASE_GIVE -> decision.legalList.maxBy { table(decision).height(it.card) }
            Phase.PHASE_PLAY -> play(decision)
            else -> decision.legalList.first()
        }

    // The auction.

    /** The highest bid that the hand is worth; else what costs least, which is mostly a pass. */
    private fun speak(decision: Decision): Action {
        val margins = decision.legalList.associateWith { margin(decision, it) }
        val worth = margins.filterValues { it > 0 }
        val choice = worth.ifEmpty { return margins.maxBy { it.value }.key }
        return choice.entries.maxWith(compareBy({ it.key.bid }, { it.value })).key
    }

    /** The tricks beyond what an action needs; 0 for a pass. */
    private fun margin(
        decision: Decision,
        action: Action,
    ): Double =
        when (action.kind) {
            ActionKind.ACTION_KIND_PASS -> 0.0
            ActionKind.ACTION_KIND_BID -> bidMargin(decision, action)
            else -> NEVER
        }

    private fun bidMargin(
        decision: Decision,
        action: Action,
    ): Double {
        val bid = game.rules.bid(action.bid)
        val tricks =
            when {
                bid.alone -> NEVER
                action.call == Call.CALL_UNSPECIFIED -> mostTricks(decision)
                else -> tricks(decision, table(action.call))
            }
        return tricks - bid.tricks
    }

    private fun mostTricks(decision: Decision): Double =
        game.rules.tables.values
            .maxOfOrNull { tricks(decision, it) } ?: NEVER

    /** How many tricks both partners may take. */
    private fun tricks(
        decision: Decision,
        table: CallTable,
    ): Double {
        val (trumps, others) = decision.private.handList.partition(table::isTrump)
        val aces = others.count { it.rank == Rank.RANK_ACE }
        val partner = PARTNER_TRICKS * game.rules.variant.handSize
        return TRUMP_TRICKS * trumps.size + ACE_TRICKS * aces + partner - TOKEN_TRICKS * table.tokens
    }

    private fun shoot(decision: Decision): Action {
        val strong = mostTricks(decision) >= SHOOTING_TRICKS
        val kind = if (strong) ActionKind.ACTION_KIND_SHOOTER_SELF else ActionKind.ACTION_KIND_SHOOTER_PARTNER
        return decision.legalList.find { it.kind == kind } ?: decision.legalList.first()
    }

    // The exchange.

    /** The worst card, where there is one that is not a trump; else nothing, if that is allowed. */
    private fun putAway(decision: Decision): Action {
        val (keeping, cards) = decision.legalList.partition { it.kind == ActionKind.ACTION_KIND_NO_TRADE }
        val worst = cards.minBy { table(decision).height(it.card) }
        return keeping.firstOrNull().takeIf { table(decision).isTrump(worst.card) } ?: worst
    }

    // The tricks.

    /** Leads its best card; then wins as cheaply as it can, never over its partner. */
    private fun play(decision: Decision): Action {
        val table = table(decision)
        val legal = decision.legalList
        val trick = trick(decision.public)
        if (trick.isEmpty()) return legal.maxBy { table.height(it.card) }

        fun strength(card: Card) = table.strength(trick.first().action.card, card)
        // Of two equal cards the first is ahead, as maxBy has it.
        val best = trick.maxBy { strength(it.action.card) }
        val winners = legal.filter { strength(it.card) > strength(best.action.card) }
        val choice = winners.takeUnless { it.isEmpty() || game.isOurs(best.seat) } ?: legal
        return choice.minBy { table.height(it.card) }
    }

    /** The cards of the current trick, the leader's first. */
    private fun trick(view: PublicView): List<Move> {
        val plays = view.movesList.filter { it.action.kind == ActionKind.ACTION_KIND_PLAY }
        return plays.takeLast(plays.size % if (view.hasSitsOut()) 3 else 4)
    }

    private fun table(call: Call): CallTable = game.rules.table(call)

    /** What the contract's call means. */
    private fun table(decision: Decision): CallTable = table(decision.public.contract.call)
}
