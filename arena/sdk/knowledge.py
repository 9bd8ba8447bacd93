"""What a seat can know beyond its view, and hands to search that agree with all of it."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate
from random import Random
from typing import NamedTuple

from arena.rules import Card, Hand, Ledger, Tables
from arena.rules.cards import SEATS
from arena.sdk.exchanges import as_dealt, ways_to_trade
from arena.sdk.guesses import Contradiction, Guess, openings, replayed
from arena.sdk.readings import Reading, facts_of, readings_of
from arena.sdk.seen import Seen
from arena.sdk.splits import PLACES, Group, Shares, Splitter, groups_of


class _Case(NamedTuple):
    """A reading, made ready to be counted and drawn from."""

    reading: Reading
    room: Shares
    groups: tuple[Group, ...]
    cards: tuple[tuple[Card, ...], ...]
    ways: int


class Knowledge:
    """What follows from a view: for a bot that counts cards, and for one that searches.

    All of it is exact: it uses the suits that seats did not follow, how many cards each holds,
    what the seat gave, received or discarded itself, and which gift the rules ask for.  It does
    not use what a bid or a play may *mean*.

    Args:
        tables: of the variant; a bot has them as ``self.tables``.
        view: what the seat sees, from the arena or from ``view_of``.
        opening: what both sides owned before the hand, where the bot remembers it.  It only
            matters where tokens are paid (see ``openings``).

    Attributes:
        unseen: the cards that the seat has not seen, in card order; a twin is there twice.
        sizes: by seat, how many cards it holds.
        voids: by seat, the mask of the cards of suits that it has shown to have no more.

    Raises:
        Contradiction: no deal agrees with the view, which the arena never sends.
    """

    def __init__(self, tables: Tables, view: Seen, *, opening: Ledger | None = None) -> None:
        self._tables = tables
        self._view = view
        self._facts = facts = facts_of(tables, view)
        self._splitter = Splitter()
        self._opening = opening
        self.unseen = tuple(sorted(facts.pool.elements()))
        held = len(view.cards)
        room = facts.room
        self.sizes = tuple(held if s == view.seat else room[s] for s in range(SEATS))
        self.voids = facts.barred[:SEATS]

    @cached_property
    def may_hold(self) -> tuple[int, ...]:
        """By seat, the mask of the cards that it holds in at least one possible deal."""
        return self._holdings[0]

    @cached_property
    def must_hold(self) -> tuple[int, ...]:
        """By seat, the mask of the cards that it holds in all of them."""
        return self._holdings[1]

    @cached_property
    def count(self) -> int:
        """How many deals, with what the exchange hid, are possible; twins count as two cards."""
        size = self._tables.variant.hand_size
        return self._sums[-1] * ways_to_trade(self._view, self._facts, size)

    def draw(self, rng: Random) -> Hand:
        """A hand as it may be, in the state that the view shows; each is as likely as any other.

        Playing the view's moves on its cards is legal throughout, and its ``view_of`` the seat
        is the view.  All chance comes from ``rng``.
        """
        guess = self.guess(rng)
        ledgers = self._openings
        opening = ledgers[0] if len(ledgers) == 1 else ledgers[rng.randrange(len(ledgers))]
        return replayed(self._tables, self._view, guess, opening)

    def guess(self, rng: Random) -> Guess:
        """The cards of such a hand: dealt, offered, given, discarded."""
        case = self._cases[bisect_right(self._sums, rng.randrange(self._sums[-1]))]
        held: list[list[Card]] = [[] for _ in range(PLACES)]
        held[self._view.seat] += self._view.cards
        for place, card in case.reading.pinned:
            held[place].append(card)
        for cards, shares in zip(
            case.cards, self._splitter.drawn(case.groups, case.room, rng), strict=True
        ):
            order = rng.sample(cards, len(cards))
            for there, share in zip(held, shares, strict=True):
                there += order[:share]
                del order[:share]
        return as_dealt(self._view, self._facts, held, case.reading.given, rng)

    # Cases.

    @cached_property
    def _cases(self) -> tuple[_Case, ...]:
        readings = readings_of(self._tables, self._view, self._facts)
        cases = tuple(case for case in map(self._case, readings) if case.ways)
        if not cases:
            raise Contradiction("no deal agrees with this view")
        return cases

    @cached_property
    def _sums(self) -> tuple[int, ...]:
        return tuple(accumulate(case.ways for case in self._cases))

    @cached_property
    def _openings(self) -> tuple[Ledger, ...]:
        given = self._opening
        return openings(self._tables, self._view) if given is None else (given,)

    def _case(self, reading: Reading) -> _Case:
        room, pool = list(self._facts.room), Counter(self._facts.pool)
        for place, card in reading.pinned:
            room[place] -= 1
            pool[card] -= 1
        left = tuple(room)
        groups = groups_of(+pool, left, reading.barred)
        sizes = tuple((places, len(cards)) for places, cards in groups.items())
        ways = self._splitter.branches(sizes, left).total * reading.copies
        return _Case(reading, left, sizes, tuple(groups.values()), ways)

    @cached_property
    def _holdings(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        may, must = [0] * PLACES, [-1] * PLACES
        for case in self._cases:
            low, high = self._bounds(case)
            may = [mask | more for mask, more in zip(may, high, strict=True)]
            must = [mask & more for mask, more in zip(must, low, strict=True)]
        return tuple(may[:SEATS]), tuple(must[:SEATS])

    def _bounds(self, case: _Case) -> tuple[list[int], list[int]]:
        """By place, the masks of the cards that must be there and that may, in one case."""
        must = [0] * PLACES
        must[self._view.seat] = _mask(self._view.cards)
        for place, card in case.reading.pinned:
            must[place] |= 1 << card
        may = must[:]
        bounds = self._splitter.bounds(case.groups, case.room)
        for cards, (least, most) in zip(case.cards, bounds, strict=True):
            for number in range(PLACES):
                if most[number]:
                    may[number] |= _mask(cards)
                # Of a group's cards so many are elsewhere at most; a card with more copies is not.
                elsewhere = len(cards) - least[number]
                must[number] |= _mask(c for c, n in Counter(cards).items() if n > elsewhere)
        return must, may


def _mask(cards: Iterable[Card]) -> int:
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask
