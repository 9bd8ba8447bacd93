"""Counts trumps and aces, bids what they are worth, and takes tricks as cheaply as it can."""

from __future__ import annotations

from arena.sdk import Action, ActionKind, Bot, Call, Phase, Rank, View, effective_suit, rank_of, run

PARTNER = 0.2
"""Of the tricks, how many the partner may take."""


class Starter(Bot):
    """Plays every variant: what it needs to know of the rules is in ``self.tables``."""

    def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        """One of ``legal``. This is where your own play begins."""
        match view.phase:
            case Phase.SPEAK:
                return self.speak(view, legal)
            case Phase.CALL:
                return max(legal, key=lambda action: self.tricks(view, action.call))
            case Phase.PLAY:
                return self.play(view, legal)
            case _:
                return legal[0]

    def speak(self, view: View, legal: tuple[Action, ...]) -> Action:
        """The highest bid that the hand is worth, or else what costs least."""
        worth = [action for action in legal if self.margin(view, action) > 0]
        if worth:
            return max(worth, key=lambda action: (action.level, self.margin(view, action)))
        return max(legal, key=lambda action: self.margin(view, action))

    def margin(self, view: View, action: Action) -> float:
        """The tricks beyond what a bid needs; 0 for a pass. It neither goes alone nor forces."""
        if action.kind is ActionKind.PASS:
            return 0.0
        if action.kind is not ActionKind.BID or self.variant.bids[action.level].alone:
            return -99.0
        calls = [rule.call for rule in self.variant.calls] if action.call is None else [action.call]
        best = max(self.tricks(view, call) for call in calls)
        return best - self.variant.bids[action.level].tricks

    def tricks(self, view: View, call: Call | None) -> float:
        """How many tricks both partners may take under a call; a token counts as two."""
        if call is None:
            return 0.0
        trumps = [card for card in view.cards if effective_suit(card, call) is call.trump]
        aces = [card for card in view.cards if card not in trumps and rank_of(card) is Rank.ACE]
        partner = PARTNER * self.variant.hand_size
        return 0.7 * len(trumps) + 0.5 * len(aces) + partner - 2 * self.tables.call_prices[call]

    def play(self, view: View, legal: tuple[Action, ...]) -> Action:
        """Leads its best card; then wins as cheaply as it can, never over its partner."""
        rules = self.tables.by_call[view.call] if view.call is not None else None
        if rules is None:
            return legal[0]
        if not view.trick:
            return max(legal, key=lambda action: rules.strength[action.card][action.card])
        row = rules.strength[view.trick[0].action.card]
        best = max(view.trick, key=lambda move: row[move.action.card])
        winners = [action for action in legal if row[action.card] > row[best.action.card]]
        if best.seat == view.seat ^ 2:
            winners = []
        return min(winners or legal, key=lambda action: row[action.card])


if __name__ == "__main__":
    run(Starter, name="python-starter", version="1")
