"""How a pool of cards can be split among places: counted exactly, and drawn evenly.

Cards that may go to the same places are alike, so the split is chosen group by group: first how
many cards of a group each place gets, in proportion to the number of ways, then which.  Nothing is
tried and thrown away.  Twins count as two cards, as they do when a deck is shuffled.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import comb
from random import Random
from typing import Final, NewType

from arena.rules import Card

Place = NewType("Place", int)
"""Where a card may be: a seat, or ``PILE``."""

PILE: Final = Place(4)
"""The declarer's discard, face down."""

PLACES: Final = 5

Group = tuple[int, int]
"""Cards that are alike: the mask of the places they may go to, and how many they are."""

Shares = tuple[int, ...]
"""A number of cards for each of the five places."""


class Branches:
    """The ways to go on from one state: what each place gets of the next group.

    Attributes:
        shares: the possible shares of the next group.
        sums: running sums of their numbers of ways; the last is ``total``.
        total: the number of ways from here.
    """

    __slots__ = ("shares", "sums", "total")

    def __init__(self, weighed: Sequence[tuple[Shares, int]], *, total: int | None = None) -> None:
        self.shares = tuple(shares for shares, _ in weighed)
        self.sums = tuple(accumulate(ways for _, ways in weighed))
        self.total = (self.sums[-1] if self.sums else 0) if total is None else total


_DONE: Final = Branches((), total=1)
_DEAD: Final = Branches(())


class Splitter:
    """Counts splits and remembers: many of a view's readings have parts in common."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[tuple[tuple[Group, ...], Shares], Branches] = {}

    def branches(self, groups: tuple[Group, ...], room: Shares) -> Branches:
        """The ways to put all cards of ``groups`` into ``room``, which they fill."""
        if not groups:
            return _DEAD if any(room) else _DONE
        known = self._known.get((groups, room))
        if known is None:
            known = self._known[groups, room] = self._count(groups, room)
        return known

    def _count(self, groups: tuple[Group, ...], room: Shares) -> Branches:
        (places, size), rest = groups[0], groups[1:]
        weighed = []
        for shares, arrangements in _sharings(size, places, room):
            ways = self.branches(rest, _minus(room, shares)).total
            if ways:
                weighed.append((shares, ways * arrangements))
        return Branches(weighed)

    def bounds(self, groups: tuple[Group, ...], room: Shares) -> tuple[tuple[Shares, Shares], ...]:
        """For each group, the fewest and the most of its cards that each place may get."""
        bounds = []
        rooms = {room}
        for number in range(len(groups)):
            told = [
                (before, shares)
                for before in rooms
                for shares in self.branches(groups[number:], before).shares
            ]
            columns = list(zip(*(shares for _, shares in told), strict=True))
            bounds.append((tuple(map(min, columns)), tuple(map(max, columns))))
            rooms = {_minus(before, shares) for before, shares in told}
        return tuple(bounds)

    def drawn(self, groups: tuple[Group, ...], room: Shares, rng: Random) -> Iterator[Shares]:
        """What each place gets of each group, every way of placing the cards equally likely."""
        for number in range(len(groups)):
            branches = self.branches(groups[number:], room)
            place = bisect_right(branches.sums, rng.randrange(branches.total))
            shares = branches.shares[place]
            yield shares
            room = _minus(room, shares)


def _minus(room: Shares, shares: Shares) -> Shares:
    return tuple([have - taken for have, taken in zip(room, shares, strict=True)])


def _sharings(size: int, places: int, room: Shares) -> Iterator[tuple[Shares, int]]:
    """Every way to share ``size`` cards out, with the number of its arrangements."""
    return _share_out(size, [p for p in range(PLACES) if places >> p & 1], room, [0] * PLACES, 1)


def _share_out(
    size: int, places: list[int], room: Shares, shares: list[int], arrangements: int
) -> Iterator[tuple[Shares, int]]:
    if not places:
        if size == 0:
            yield tuple(shares), arrangements
        return
    place, rest = places[0], places[1:]
    least = max(0, size - sum(room[other] for other in rest))
    for share in range(least, min(size, room[place]) + 1):
        shares[place] = share
        yield from _share_out(size - share, rest, room, shares, arrangements * comb(size, share))
    shares[place] = 0


def groups_of(
    pool: Mapping[Card, int], room: Shares, barred: Sequence[int]
) -> dict[int, tuple[Card, ...]]:
    """The cards of a pool by the places they may go to, those with the fewest first.

    Args:
        pool: how often each card is there.
        room: how many cards each place takes.
        barred: for each place the mask of the cards that cannot be there.
    """
    groups: dict[int, list[Card]] = {}
    for card, count in pool.items():
        places = 0
        for place in range(PLACES):
            if room[place] and not barred[place] >> card & 1:
                places |= 1 << place
        groups.setdefault(places, []).extend([card] * count)
    ordered = sorted(groups, key=lambda places: (places.bit_count(), places))
    return {places: tuple(groups[places]) for places in ordered}
