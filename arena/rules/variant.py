"""What a variant is: one frozen record of data.

Every decision of the rules is a field here, so that a house rule is a changed field and never a
changed line of the engine.  Numbers and lists are plain fields; "one of a few ways" is an enum.
Nonsense is refused at construction, with the field's name first in the sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise

from arena.rules.calls import Call
from arena.rules.cards import SEATS, Rank, Suit
from arena.rules.errors import VariantError

MAX_NAME = 32
MAX_HANDS = 10_000
MAX_POINTS = 1_000_000


class Auction(Enum):
    """How often a seat speaks (rules C2.1)."""

    ONE_ROUND = "one-round"
    """Every seat speaks exactly once."""
    UNTIL_PASSED = "until-passed"
    """Round and round: a bidder who is overbid speaks again, a pass is final."""


class Naming(Enum):
    """When the call is named."""

    AFTER_AUCTION = "after-auction"
    """By the declarer, once the contract stands (rules B3, T1.2)."""
    IN_BID = "in-bid"
    """Each bid names its call (rules D3)."""


class AllPass(Enum):
    """What happens when the three others have passed (rules C2.4, B7, D7)."""

    DEALER_BIDS = "dealer-bids"
    """The dealer may not pass."""
    THROWN_IN = "thrown-in"
    """The dealer may pass too; then nobody plays and nobody scores."""


class Exchange(Enum):
    """What declarer and partner do with cards before an alone contract is played."""

    NONE = "none"
    TRADE = "trade"
    """One card each, blind (rules B4)."""
    GIFT = "gift"
    """The partner gives, the declarer discards (rules T1.4)."""


class Gift(Enum):
    """Which card the partner gives (rules T1.5)."""

    BEST = "best"
    ANY = "any"


class GiftFallback(Enum):
    """What the partner gives under a suit call without a trump in hand (rules T1.5)."""

    ANY = "any"
    BEST_RANK = "best-rank"
    """A card of the highest rank held, in the order A K Q J T 9."""


class GiftTie(Enum):
    """Who chooses among cards of equal rank (rules T1.5)."""

    PARTNER = "partner"
    FIRST_SUIT = "first-suit"
    """Nobody: the first suit in the order C D H S."""


class OpeningLead(Enum):
    """Who leads to the first trick (rules B6, D6)."""

    LEFT_OF_DEALER = "left-of-dealer"
    DECLARER = "declarer"


class BothReach(Enum):
    """Who wins when both sides reach the target in one hand (rules C6.2)."""

    DECLARING_SIDE = "declaring-side"
    HIGHER_SCORE = "higher-score"


class Tie(Enum):
    """Who wins when the game's last hand leaves the scores equal (rules C6.3, D8)."""

    DRAW = "draw"
    DECLARING_SIDE = "declaring-side"


@dataclass(frozen=True, slots=True)
class BidRule:
    """One step of the bidding ladder.

    Attributes:
        name: as written in the notation after ``bid``.
        tricks: tricks needed to make it (rules C4.1); the points lost when ``set`` is None.
        alone: the partner sits out (rules C2.6).
        exchange: what moves before the first trick.
        made: points when made; None for the tricks taken (rules C4.2, C4.4).
        set: points lost when set, as a positive number; None for ``tricks`` (rules C4.3).
    """

    name: str
    tricks: int
    alone: bool = False
    exchange: Exchange = Exchange.NONE
    made: int | None = None
    set: int | None = None

    def __post_init__(self) -> None:
        _expect(_is_name(self.name), "bids.name", "must be 1 to 16 lower-case letters or digits")
        # In a file "none" stands for "not there" where a bid is referred to.
        _expect(self.name != "none", "bids.name", "must not be 'none'")
        _expect(1 <= self.tricks <= 16, "bids.tricks", "must be from 1 to 16")
        for label, points in (("bids.made", self.made), ("bids.set", self.set)):
            _expect(points is None or 0 <= points <= 1000, label, "must be from 0 to 1000 or none")
        _expect(
            self.alone or self.exchange is Exchange.NONE,
            "bids.exchange",
            f"must be none for {self.name!r}, which is not played alone",
        )


@dataclass(frozen=True, slots=True)
class CallRule:
    """A call that may be named.

    Attributes:
        call: the call.
        tokens: its price (rules T4.1).
        lowest_bid: the lowest bid it may be named on; None for every bid (rules T1.3).
        order: the ranks from high to low for a call without trump (rules C5); empty for a suit.
    """

    call: Call
    tokens: int = 0
    lowest_bid: str | None = None
    order: tuple[Rank, ...] = ()

    def __post_init__(self) -> None:
        _expect(0 <= self.tokens <= 100, "calls.tokens", "must be from 0 to 100")
        if self.call.trump is None:
            complete = len(self.order) == len(Rank) == len(set(self.order))
            _expect(complete, "calls.order", f"must list all six ranks for {self.call.text!r}")
        else:
            _expect(not self.order, "calls.order", "must be empty for a trump suit")


@dataclass(frozen=True, slots=True)
class TokenRules:
    """The token economy (rules T2 to T5); the default is none at all.

    Attributes:
        decades: scores whose crossing upwards gains a token and downwards loses one (T2.2, T2.3).
        sympathy: scores whose crossing downwards gains a token (T2.4).
        token_debt_minimum: the lowest bid in token debt (T3.2); playing one clears it (T3.3).
        credit: whether a paid call may be named without tokens, for HLM debt (T4.2).
        hlm_debt_minimum: the lowest bid in HLM debt (T4.3); playing one lowers it (T4.4).
        force_partner: price in tokens, None where it does not exist (T5.1).
        force_opponents: price in tokens, None where it does not exist (T5.1).
        forced_bid: what a forced seat is made to bid (T5.2).
    """

    decades: tuple[int, ...] = ()
    sympathy: tuple[int, ...] = ()
    token_debt_minimum: str | None = None
    credit: bool = False
    hlm_debt_minimum: str | None = None
    force_partner: int | None = None
    force_opponents: int | None = None
    forced_bid: str | None = None

    def __post_init__(self) -> None:
        rising = all(low < high for low, high in pairwise(self.decades))
        _expect(rising, "tokens.decades", "must rise")
        _expect(all(0 < d <= MAX_POINTS for d in self.decades), "tokens.decades", "must be above 0")
        falling = all(a > b for a, b in pairwise(self.sympathy))
        _expect(falling, "tokens.sympathy", "must fall")
        _expect(
            all(-MAX_POINTS <= s < 0 for s in self.sympathy), "tokens.sympathy", "must be below 0"
        )
        for label, price in (
            ("tokens.force_partner", self.force_partner),
            ("tokens.force_opponents", self.force_opponents),
        ):
            _expect(price is None or 1 <= price <= 100, label, "must be from 1 to 100 or none")
        if self.force_partner is not None or self.force_opponents is not None:
            _expect(self.forced_bid is not None, "tokens.forced_bid", "is needed for forcing")
        if self.credit:
            named = self.hlm_debt_minimum is not None
            _expect(named, "tokens.hlm_debt_minimum", "is needed where credit is true")


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant of Bid Euchre as data.

    Attributes:
        name: for people; two variants that differ in name only are the same game.
        ranks: the deck's ranks, low to high (B1, D1).
        copies: of each card, 1 or 2.
        hand_size: cards dealt to a seat (C1.3).
        first_dealer: seat 0..3 (C1.2).
        auction: how often a seat speaks (C2.1).
        naming: when the call is named.
        all_pass: what follows three passes (C2.4).
        bids: the ladder, low to high (B2, T1.1, D4).
        calls: what may be named, in canonical order.
        trade_optional: whether the declarer may decline the trade (B4).
        trade_blind: whether the partner gives without having seen the declarer's card (B4).
        gift: which card the partner gives (T1.5).
        gift_without_trump: the same, without a trump in hand.
        gift_tie: who chooses among equal ranks.
        opening_lead: who leads first (B6, D6).
        defenders_score: whether the defending side scores its tricks (C4.5).
        tokens: the token economy.
        target: the score that ends the game, None for a game of a fixed number of hands (C6).
        hands: the number of hands of a game, None for a game to a target (D8).
        max_hands: an arena limit for games to a target (C6.3).
        both_reach: who wins when both reach the target (C6.2).
        tie: who wins when the last hand leaves the scores equal (C6.3, D8).
    """

    name: str
    ranks: tuple[Rank, ...]
    copies: int
    hand_size: int
    bids: tuple[BidRule, ...]
    calls: tuple[CallRule, ...]
    first_dealer: int = 0
    auction: Auction = Auction.ONE_ROUND
    naming: Naming = Naming.AFTER_AUCTION
    all_pass: AllPass = AllPass.DEALER_BIDS
    trade_optional: bool = True
    trade_blind: bool = True
    gift: Gift = Gift.BEST
    gift_without_trump: GiftFallback = GiftFallback.ANY
    gift_tie: GiftTie = GiftTie.PARTNER
    opening_lead: OpeningLead = OpeningLead.LEFT_OF_DEALER
    defenders_score: bool = True
    target: int | None = None
    hands: int | None = None
    max_hands: int = 200
    both_reach: BothReach = BothReach.DECLARING_SIDE
    tie: Tie = Tie.DRAW
    tokens: TokenRules = field(default_factory=TokenRules)

    def __post_init__(self) -> None:
        _expect(_is_title(self.name), "name", f"must be 1 to {MAX_NAME} of a-z, 0-9 and -")
        self._check_deck()
        self._check_ladder()
        self._check_calls()
        self._check_tokens()
        self._check_end()

    def level_of(self, name: str) -> int:
        """The place of a bid on the ladder, from 0."""
        for level, bid in enumerate(self.bids):
            if bid.name == name:
                return level
        raise VariantError(f"bids: there is no bid {name!r} in {self.name!r}")

    def _check_deck(self) -> None:
        rising = all(low < high for low, high in pairwise(self.ranks))
        _expect(len(self.ranks) > 0 and rising, "ranks", "must rise in the order 9TJQKA, each once")
        _expect(Rank.JACK in self.ranks, "ranks", "must include J: the bowers are jacks")
        _expect(self.copies in (1, 2), "copies", "must be 1 or 2")
        cards = len(Suit) * len(self.ranks) * self.copies
        dealt_out = self.hand_size * SEATS == cards
        _expect(dealt_out, "hand_size", f"must be {cards // SEATS}: the whole deck is dealt out")
        _expect(0 <= self.first_dealer < SEATS, "first_dealer", "must be a seat, 0 to 3")

    def _check_ladder(self) -> None:
        _expect(1 <= len(self.bids) <= 20, "bids", "must be 1 to 20 bids, low to high")
        names = {bid.name for bid in self.bids}
        _expect(len(names) == len(self.bids), "bids.name", "must differ from bid to bid")
        for bid in self.bids:
            fits = bid.tricks <= self.hand_size
            _expect(fits, "bids.tricks", f"of {bid.name!r} must be at most {self.hand_size}")
            whole = not bid.alone or bid.tricks == self.hand_size
            _expect(
                whole,
                "bids.tricks",
                f"of {bid.name!r} must be {self.hand_size}: alone is all tricks",
            )
        for low, high in pairwise(self.bids):
            _expect(low.tricks <= high.tricks, "bids.tricks", "must not fall along the ladder")

    def _check_calls(self) -> None:
        _expect(len(self.calls) > 0, "calls", "must not be empty")
        named = [rule.call for rule in self.calls]
        in_order = all(a < b for a, b in pairwise(named))
        _expect(in_order, "calls", "must be in the order C D H S NT high low mid, each once")
        for rule in self.calls:
            if rule.lowest_bid is not None:
                self._expect_bid("calls.lowest_bid", rule.lowest_bid)
            free = self.naming is Naming.AFTER_AUCTION or rule.tokens == 0
            _expect(free, "calls.tokens", "must be 0 where the call is part of the bid")
        for level, bid in enumerate(self.bids):
            offered = any(
                rule.lowest_bid is None or self.level_of(rule.lowest_bid) <= level
                for rule in self.calls
                if rule.tokens == 0 or self.tokens.credit
            )
            _expect(offered, "calls", f"must leave a call that {bid.name!r} can always name")

    def _check_tokens(self) -> None:
        for label, name in (
            ("tokens.token_debt_minimum", self.tokens.token_debt_minimum),
            ("tokens.hlm_debt_minimum", self.tokens.hlm_debt_minimum),
            ("tokens.forced_bid", self.tokens.forced_bid),
        ):
            if name is not None:
                self._expect_bid(label, name)
        if self.tokens.decades:
            named = self.tokens.token_debt_minimum is not None
            _expect(named, "tokens.token_debt_minimum", "is needed where tokens can be lost")

    def _check_end(self) -> None:
        ends = (self.target is None) != (self.hands is None)
        _expect(ends, "target", "or hands must be given, one of the two")
        if self.target is not None:
            _expect(1 <= self.target <= MAX_POINTS, "target", f"must be from 1 to {MAX_POINTS}")
        if self.hands is not None:
            _expect(1 <= self.hands <= MAX_HANDS, "hands", f"must be from 1 to {MAX_HANDS}")
        _expect(1 <= self.max_hands <= MAX_HANDS, "max_hands", f"must be from 1 to {MAX_HANDS}")

    def _expect_bid(self, label: str, name: str) -> None:
        known = any(bid.name == name for bid in self.bids)
        _expect(known, label, f"names {name!r}, which is not on the ladder")


def _expect(condition: bool, label: str, sentence: str) -> None:
    if not condition:
        raise VariantError(f"{label} {sentence}")


def _is_name(text: str) -> bool:
    return re.fullmatch(r"[a-z0-9]{1,16}", text) is not None


def _is_title(text: str) -> bool:
    return len(text) <= MAX_NAME and re.fullmatch(r"[a-z0-9-]*[a-z0-9][a-z0-9-]*", text) is not None
