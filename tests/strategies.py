"""Hypothesis strategies for values of the rules: variants, deals, ledgers, hands under way.

``variants`` draws house rules too: every decision of the rules is a field, and the engine must
hold its promises for all of their combinations.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from arena.rules import (
    CLASSIC,
    DOUBLE,
    TOKEN,
    Card,
    Hand,
    Ledger,
    Seat,
    Variant,
    deal_hand,
    tables_of,
)
from arena.rules.variant import (
    AllPass,
    Auction,
    BothReach,
    Exchange,
    Gift,
    GiftFallback,
    GiftTie,
    Naming,
    OpeningLead,
    Tie,
    TokenRules,
)

SHIPPED = (CLASSIC, TOKEN, DOUBLE)
MOST_CHOICES = 45


@st.composite
def token_rules(draw: st.DrawFn, names: tuple[str, ...]) -> TokenRules:
    """Any token economy over a ladder of these names."""
    bid = st.sampled_from(names)
    price = st.none() | st.integers(1, 4)
    decades = draw(st.lists(st.integers(1, 60), max_size=5, unique=True).map(sorted))
    sympathy = draw(st.lists(st.integers(-60, -1), max_size=4, unique=True).map(sorted))
    return TokenRules(
        decades=tuple(decades),
        sympathy=tuple(reversed(sympathy)),
        token_debt_minimum=draw(bid),
        credit=draw(st.booleans()),
        hlm_debt_minimum=draw(bid),
        force_partner=draw(price),
        force_opponents=draw(price),
        forced_bid=draw(bid),
    )


@st.composite
def house_variants(draw: st.DrawFn) -> Variant:
    """A shipped variant with every decision drawn anew."""
    base = draw(st.sampled_from(SHIPPED))
    exchange = draw(st.sampled_from(Exchange))
    last = replace(base.bids[-1], exchange=exchange)
    bids = (*base.bids[:-1], last)
    in_bid = all(rule.tokens == 0 for rule in base.calls)
    return replace(
        base,
        name="house",
        first_dealer=draw(st.integers(0, 3)),
        auction=draw(st.sampled_from(Auction)),
        naming=draw(st.sampled_from(Naming)) if in_bid else Naming.AFTER_AUCTION,
        all_pass=draw(st.sampled_from(AllPass)),
        bids=bids,
        trade_optional=draw(st.booleans()),
        trade_blind=draw(st.booleans()),
        gift=draw(st.sampled_from(Gift)),
        gift_without_trump=draw(st.sampled_from(GiftFallback)),
        gift_tie=draw(st.sampled_from(GiftTie)),
        opening_lead=draw(st.sampled_from(OpeningLead)),
        defenders_score=draw(st.booleans()),
        both_reach=draw(st.sampled_from(BothReach)),
        tie=draw(st.sampled_from(Tie)),
        tokens=draw(token_rules(tuple(bid.name for bid in bids))),
    )


def variants() -> st.SearchStrategy[Variant]:
    """A shipped variant or a house rule."""
    return st.sampled_from(SHIPPED) | house_variants()


def deals(variant: Variant) -> st.SearchStrategy[tuple[tuple[Card, ...], ...]]:
    """The cards of the four seats, in any order."""
    size = variant.hand_size
    return st.permutations(tables_of(variant).deck).map(
        lambda deck: tuple(tuple(deck[seat * size : (seat + 1) * size]) for seat in range(4))
    )


def ledgers(variant: Variant) -> st.SearchStrategy[Ledger]:
    """Scores with tokens and debts, where the variant has them."""

    def pair(values: st.SearchStrategy[int]) -> st.SearchStrategy[tuple[int, int]]:
        return st.tuples(values, values)

    scores = pair(st.integers(-70, 50))
    if not tables_of(variant).uses_tokens:
        return scores.map(lambda both: Ledger(scores=both))
    flags = st.tuples(st.booleans(), st.booleans())
    stock = pair(st.integers(0, 5))
    units = pair(st.sampled_from([0, 0, 0, 1, 2]))
    return st.builds(Ledger, scores=scores, tokens=stock, token_debt=flags, hlm_debt=units)


@dataclass(frozen=True, slots=True)
class Start:
    """All that a hand begins with, and numbers to choose its actions by."""

    variant: Variant
    deal: tuple[tuple[Card, ...], ...]
    dealer: Seat
    ledger: Ledger
    choices: tuple[int, ...]

    def fresh(self) -> Hand:
        """The hand before the first word."""
        tables = tables_of(self.variant)
        return deal_hand(tables, self.deal, dealer=self.dealer, ledger=self.ledger)

    def played(self) -> Hand:
        """The hand after as many actions as there are choices, or finished."""
        hand = self.fresh()
        for choice in self.choices:
            if not hand.legal:
                break
            hand.apply(hand.legal[choice % len(hand.legal)])
        return hand


@st.composite
def starts(draw: st.DrawFn, drawn: Callable[[], st.SearchStrategy[Variant]] = variants) -> Start:
    """A hand of any variant, and any number of actions."""
    variant = draw(drawn())
    size = draw(st.integers(0, MOST_CHOICES))
    choices = draw(st.lists(st.integers(0, 59), min_size=size, max_size=size))
    return Start(
        variant,
        draw(deals(variant)),
        Seat(draw(st.integers(0, 3))),
        draw(ledgers(variant)),
        tuple(choices),
    )
