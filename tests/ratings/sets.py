"""Builders of set results, and the hypothesis strategy for whole fields of them."""

from dataclasses import replace

from hypothesis import strategies as st

from arena.ids import EntryNumber, VersionId
from arena.ratings.results import FaultCounts, Outcome, SetResult

WIN, LOSS, DRAW = Outcome.FIRST_WINS, Outcome.SECOND_WINS, Outcome.DRAW

ANN, BOB, CYD, DAN = (VersionId(number) for number in (101, 102, 103, 104))
"""Versions of the tests; `a_set` enters version 100 + n as entry n."""


def a_set(
    first: VersionId = ANN,
    second: VersionId = BOB,
    outcome: Outcome = WIN,
    points: int = 6,
    hands: int = 20,
    *,
    tournament: int = 1,
    round_number: int = 1,
    repeat: int = 0,
    forfeit: bool = False,
    faults: FaultCounts | None = None,
    other_faults: FaultCounts | None = None,
) -> SetResult:
    """A valid set between two of the versions above."""
    return SetResult(
        tournament=tournament,
        round=round_number,
        first=first,
        second=second,
        first_entry=EntryNumber(first - 100),
        second_entry=EntryNumber(second - 100),
        repeat=repeat,
        outcome=outcome,
        points=points,
        hands=hands,
        counts_points=not forfeit,
        faults_first=faults or FaultCounts(),
        faults_second=other_faults or FaultCounts(),
    )


def repeated(
    *outcomes: Outcome, first: VersionId = ANN, second: VersionId = BOB
) -> list[SetResult]:
    """The sets of one match, k = 0, 1, ...; a win by 5, a loss by 4, a draw level, in 10 hands."""
    margin = {WIN: 5, LOSS: -4, DRAW: 0}
    return [
        a_set(first, second, outcome, margin[outcome], 10, repeat=k)
        for k, outcome in enumerate(outcomes)
    ]


def mirrored(results: list[SetResult]) -> list[SetResult]:
    """The same sets, each told by the other side."""
    return [result.mirrored() for result in results]


def luck_exchanged(results: list[SetResult]) -> list[SetResult]:
    """In each set the two entrants get what the other had, in the same places."""
    return [
        replace(
            result,
            outcome=result.outcome.mirrored(),
            points=-result.points,
            faults_first=result.faults_second,
            faults_second=result.faults_first,
        )
        for result in results
    ]


fault_counts = st.builds(FaultCounts, *[st.integers(0, 3)] * 5)


def fields_of(versions: int) -> st.SearchStrategy[list[SetResult]]:
    """Lists of at most 12 sets among so many versions in up to two tournaments, in any order."""
    numbers = st.integers(101, 100 + versions).map(VersionId)
    pairs = st.tuples(numbers, numbers).filter(lambda pair: pair[0] != pair[1])
    one = st.builds(
        lambda pair, **rest: a_set(*pair, **rest),
        pairs,
        outcome=st.sampled_from(Outcome),
        points=st.integers(-40, 40),
        hands=st.integers(1, 70),
        tournament=st.integers(1, 2),
        round_number=st.integers(1, 3),
        repeat=st.integers(0, 4),
        forfeit=st.booleans(),
        faults=fault_counts,
        other_faults=fault_counts,
    )
    return st.lists(one, max_size=12, unique_by=_without_side)


def _without_side(result: SetResult) -> tuple[int, int, frozenset[VersionId], int]:
    """The place of a set, whoever is called first."""
    pair = frozenset((result.first, result.second))
    return result.tournament, result.round, pair, result.repeat
