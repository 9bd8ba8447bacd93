"""What a match tells of its forfeited sets, and of what bots that ended had to say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from arena.cli.screen import Screen
from arena.rules.record import Ending, SetRecord
from arena.schedule.pairings import Job

TOLD: Final = 5
"""Forfeited sets that are told one by one, the first of the schedule; the others are counted."""

MAX_SENTENCE: Final = 400
MAX_TAIL_LINES: Final = 20


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A set that a bot lost by a fault.

    Attributes:
        set_id: the key of the set.
        bot: who lost it.
        half: the half that it was lost in.
        kind: of the fault.
        sentence: what happened, with the seat.
    """

    set_id: str
    bot: str
    half: str
    kind: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Forfeits:
    """The forfeited sets of a match.

    Attributes:
        count: all of them.
        first: the first of the schedule, whatever was finished first.
    """

    count: int = 0
    first: tuple[tuple[Job, Forfeit], ...] = ()

    def with_set(self, job: Job, record: SetRecord) -> Forfeits:
        """These, and a finished set if it was forfeited."""
        forfeit = _forfeit_of(record)
        if forfeit is None:
            return self
        kept = sorted([*self.first, (job, forfeit)], key=lambda one: _place(one[0]))
        return Forfeits(self.count + 1, tuple(kept[:TOLD]))


def _place(job: Job) -> tuple[int, int, int, int]:
    pair = sorted((job.first, job.second))  # who is first in it changes from set to set
    return job.round, pair[0], pair[1], job.repeat


def _forfeit_of(record: SetRecord) -> Forfeit | None:
    for half in record.halves:
        ending = half.ending
        if ending.kind.is_forfeit and ending.seat is not None:
            bot = record.entrants[half.seats[ending.seat].entrant].name
            sentence = f"seat {ending.seat}: {plain_sentence(ending)}"[:MAX_SENTENCE]
            return Forfeit(record.set_id, bot, half.half, ending.kind.value, sentence)
    return None


def plain_sentence(ending: Ending) -> str:
    """The sentence of an ending without seat and kind, with which it may begin."""
    seatless = ending.sentence.removeprefix(f"seat {ending.seat}: ")
    return seatless.removeprefix(f"{ending.kind.value} answer: ")


def forfeit_lines(forfeits: Forfeits, screen: Screen) -> Iterator[str]:
    """A line for each of the first forfeited sets, and how many more there are."""
    for _, one in forfeits.first:
        yield screen.safe(f"set {one.set_id}: {one.bot} forfeits by {one.kind}, {one.sentence}")
    more = forfeits.count - len(forfeits.first)
    if more:
        yield f"and {more} more forfeited {'set' if more == 1 else 'sets'}"


def forfeits_data(forfeits: Forfeits) -> dict[str, Any]:
    """The forfeited sets for programs."""
    return {"count": forfeits.count, "first": [asdict(one) for _, one in forfeits.first]}


def last_words_lines(words: Mapping[str, str]) -> Iterator[str]:
    """The end of what bots wrote to standard error before they ended, by bot; not yet safe."""
    for bot, text in words.items():
        yield f"stderr of {bot}, whose process ended:"
        yield from (f"  {line}" for line in text.split("\n")[-MAX_TAIL_LINES:])
