"""Counts the cards: what is out, who is void, which of its cards cannot be beaten any more.

It bids by the chance to win the game from the score at hand. Everything is worked out from the
variant's data, so house rules are played as well; each decision is a function of the view.
"""

from typing import NamedTuple

from cardplay import Situation
from counts import Count, spread
from exchange import give, put_away
from sheets import Sheet, sheets_of
from stakes import Stakes

from arena.sdk import Action, ActionKind, Auction, Bot, Exchange, Phase, View, run

# Points that a bid must promise beyond passing, by how many opponents still speak.
MARGINS = (0.3, 0.5, 0.3)
SAFE = 0.75  # the least chance of a bid that is higher than it need be
BEYOND_BID = {1: 0.35, 2: 0.6}  # tricks that others take beyond their bids, by copies of a card
ALONE_CHANCE = 0.8  # of others who have bid to play alone
TOKEN_POINTS = 3.0  # what a token is worth: three force the opponents, which brings about ten
DEBT_POINTS = 9.0  # what a unit of HLM debt costs
FORCED_CHANCE = 0.15  # that a side that is forced takes all tricks
DEFENDED = 2  # the defenders' tricks when an alone contract is set


class Offer(NamedTuple):
    """What may be said: the points it promises, and the count behind a bid."""

    action: Action
    points: float
    bid: Count | None


class Counting(Bot):
    """Counts, remembers, and looks at the score."""

    def game_started(self) -> None:
        self.sheets = sheets_of(self.tables)

    def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        match view.phase:
            case Phase.SPEAK:
                return self.speak(view, legal)
            case Phase.SHOOTER:
                mended = self.mended(self.tables.forced_level)
                own = max(count.alone(mended=mended) for count in self.counts(view).values())
                return legal[0] if own > FORCED_CHANCE else legal[1]
            case Phase.CALL:
                return self.name(view, legal)
            case _:
                assert view.call is not None, "cards move after the call"
                return self.move(view, legal, self.sheets[view.call])

    def move(self, view: View, legal: tuple[Action, ...], sheet: Sheet) -> Action:
        """A card for the exchange or the trick."""
        match view.phase:
            case Phase.GIVE:
                return give(legal, sheet)
            case Phase.TRADE | Phase.DISCARD:
                return put_away(view, legal, sheet)
            case _:
                return Situation(view, self.tables, sheet).choose(legal)

    def counts(self, view: View) -> dict[int, Count]:
        """The hand counted for every call."""
        return {call: Count(sheet, view, self.variant) for call, sheet in self.sheets.items()}

    def name(self, view: View, legal: tuple[Action, ...]) -> Action:
        """The call that promises most."""
        counts, stakes = self.counts(view), Stakes(self.variant, view)
        return max(legal, key=lambda a: self.points(view, stakes, view.level, a.call or 0, counts))

    # What contracts bring, in points of an even game.

    def points(
        self, view: View, stakes: Stakes, level: int, call: int, counts: dict[int, Count]
    ) -> float:
        """What this seat's contract brings, the price of the call taken off."""
        count = counts[call]
        if self.variant.bids[level].alone:
            points = self.alone(stakes, level, count.alone(mended=self.mended(level)))
        else:
            points = self.together(stakes, level, count.chances)
        price = self.tables.call_prices[call]
        if price == 0:
            return points
        paid = view.ledger.tokens[view.seat & 1] >= price
        return points - (price * TOKEN_POINTS if paid else DEBT_POINTS)

    def mended(self, level: int) -> bool:
        """Whether an exchange takes the worst card away."""
        return self.variant.bids[level].exchange is not Exchange.NONE

    def alone(self, stakes: Stakes, level: int, chance: float, *, ours: bool = True) -> float:
        """What an alone contract brings that is made with this chance, ours or theirs."""
        bid = self.variant.bids[level]
        made = bid.tricks if bid.made is None else bid.made
        lost = bid.tricks if bid.set is None else bid.set
        others = DEFENDED * self.variant.defenders_score
        won = self.gain(stakes, made, 0, ours=ours)
        return chance * won + (1 - chance) * self.gain(stakes, -lost, others, ours=ours)

    def together(
        self, stakes: Stakes, level: int, chances: list[float], *, ours: bool = True
    ) -> float:
        """What a contract with the partner brings, given the chances of each number of tricks."""
        bid, size = self.variant.bids[level], self.variant.hand_size
        lost = bid.tricks if bid.set is None else bid.set
        points = 0.0
        for taken, chance in enumerate(chances):
            if chance > 0.001:
                made = taken if bid.made is None else bid.made
                declared = made if taken >= bid.tricks else -lost
                others = (size - taken) * self.variant.defenders_score
                points += chance * self.gain(stakes, declared, others, ours=ours)
        return points

    def gain(self, stakes: Stakes, declared: int, defended: int, *, ours: bool) -> float:
        """What it brings this side when the declaring side and the others score so."""
        if ours:
            return stakes.gain(declared, defended, declaring=True)
        return stakes.gain(defended, declared, declaring=False)

    # The auction.

    def speak(self, view: View, legal: tuple[Action, ...]) -> Action:
        """What promises most; whoever may be outbid says at once all that is safe."""
        counts, stakes = self.counts(view), Stakes(self.variant, view)
        offers = [self.offer(view, stakes, action, counts) for action in legal]
        best = max(offers, key=lambda offer: offer.points)
        last = view.seat == view.dealer or self.variant.auction is Auction.UNTIL_PASSED
        if last or best.bid is None or self.variant.bids[best.action.level].alone:
            return best.action
        passing = max(offer.points for offer in offers if offer.bid is None)
        safe = [
            offer.action
            for offer in offers
            if offer.bid is not None
            and offer.points > passing
            and offer.bid.makes(self.variant.bids[offer.action.level].tricks) > SAFE
        ]
        return safe[-1] if safe else best.action

    def offer(self, view: View, stakes: Stakes, action: Action, counts: dict[int, Count]) -> Offer:
        """What saying this promises."""
        match action.kind:
            case ActionKind.PASS:
                margin = MARGINS[opponents_after(view)]
                return Offer(action, self.standing(view, stakes) + margin, None)
            case ActionKind.BID:
                return self.bid_offer(view, stakes, action, counts)
            case ActionKind.FORCE_PARTNER:
                # It gets this hand's best card and no more.
                points = self.alone(stakes, self.tables.forced_level, FORCED_CHANCE)
                return Offer(action, points - TOKEN_POINTS * self.tables.force_partner, None)
            case _:
                chance = self.opponents_chance(view)
                points = self.alone(stakes, self.tables.forced_level, chance, ours=False)
                return Offer(action, points - TOKEN_POINTS * self.tables.force_opponents, None)

    def bid_offer(
        self, view: View, stakes: Stakes, action: Action, counts: dict[int, Count]
    ) -> Offer:
        """What a bid promises with its call, or with the best that it may name."""
        if action.call is not None:
            calls = [action.call]
        else:
            calls = [
                naming.call
                for naming in self.tables.namings[action.level]
                if naming.call is not None
            ]
        points, call = max((self.points(view, stakes, action.level, c, counts), c) for c in calls)
        return Offer(action, points, counts[call])

    def opponents_chance(self, view: View) -> float:
        """The chance of the opponents to take all tricks when they are forced."""
        strong = view.level >= 0 and (view.declarer ^ view.seat) & 1
        return FORCED_CHANCE * (1 + self.variant.bids[view.level].tricks / 2 if strong else 1)

    def standing(self, view: View, stakes: Stakes) -> float:
        """What it brings when the standing bid is played."""
        if view.level < 0:
            return stakes.gain(0, 0, declaring=False)
        ours = view.declarer & 1 == view.seat & 1
        bid = self.variant.bids[view.level]
        if bid.alone:
            return self.alone(stakes, view.level, ALONE_CHANCE, ours=ours)
        tricks = bid.tricks + BEYOND_BID[self.variant.copies]
        chances = spread(tricks, self.variant.hand_size)
        return self.together(stakes, view.level, chances, ours=ours)


def opponents_after(view: View) -> int:
    """How many opponents still speak after this seat."""
    return ((view.dealer - view.seat & 3) + 1) // 2


if __name__ == "__main__":
    run(Counting, name="counting")
