"""Who meets whom: jobs, their keys, and the round robin. Pure, lazy, in one fixed order.

A job is one mirrored set. Its key says all there is to know of its place, so that a tournament is
resumed by taking the finished keys away from the schedule, never by counting. Whether a pair meets
in the order a-b or b-a follows from the two entry numbers, the round and k alone: an entry that
joins or leaves changes no key of the others.
"""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import Final

from arena.ids import EntryNumber, JobKey

MAX_NUMBER: Final = 999_999_999
"""The highest round, entry number and k: with it a key fits into a set id (rules S2)."""

_KEY: Final = re.compile(r"r(\d{1,9}):(\d{1,9})-(\d{1,9}):(\d{1,9})", re.ASCII)


class ScheduleError(Exception):
    """A schedule, job or key that cannot be; the message is one sentence for the user."""


@dataclass(frozen=True, slots=True)
class Job:
    """One mirrored set of a schedule.

    Attributes:
        round: from 1.
        first: the entry that is called first.
        second: the other.
        repeat: k, the number of the set within this round and pair, from 1.

    Raises ScheduleError for numbers outside 1..MAX_NUMBER and for an entry against itself.
    """

    round: int
    first: EntryNumber
    second: EntryNumber
    repeat: int

    def __post_init__(self) -> None:
        """Refuse what no schedule holds."""
        lowest = min(self.round, self.first, self.second, self.repeat)
        highest = max(self.round, self.first, self.second, self.repeat)
        if lowest < 1 or highest > MAX_NUMBER:
            raise ScheduleError(f"the numbers of job {self.key} must be from 1 to {MAX_NUMBER}")
        if self.first == self.second:
            raise ScheduleError(f"job {self.key} lets entry {self.first} play against itself")

    @property
    def key(self) -> JobKey:
        """`r<round>:<first>-<second>:<k>`, unique in its tournament."""
        return JobKey(f"r{self.round}:{self.first}-{self.second}:{self.repeat}")

    @property
    def set_id(self) -> str:
        """The set id of its deals (rules S2): the key."""
        return self.key


def parse_job_key(text: str) -> Job:
    """The job of a key. Raises ScheduleError for any text that is not the key of a job."""
    found = _KEY.fullmatch(text)
    if found is None:
        raise ScheduleError(f"{text!r} is not a job key such as 'r1:1-2:1'")
    number, first, second, repeat = map(int, found.groups())
    job = Job(number, EntryNumber(first), EntryNumber(second), repeat)
    if job.key != text:
        raise ScheduleError(f"{text!r} is not a job key: write {job.key!r}, without leading zeros")
    return job


def round_robin(entries: Sequence[EntryNumber], rounds: int, sets: int) -> Iterator[Job]:
    """Every pair of `entries`, `sets` times in each of `rounds` rounds; made one by one.

    Order: round, k, circle round, table. So a pair's sets are as far apart as can be, which is what
    ratings that depend on the order need (playing them in a row moved them most, measured), and
    within a circle round no entry has two jobs. With an odd number, one entry at a time has a bye.

    Who is called first alternates with round and k, and is shared out evenly over consecutive
    entry numbers. Takes memory for the entries only. Raises ScheduleError, before the first job,
    for fewer than 2 entries, an entry listed twice, or a number outside 1..MAX_NUMBER.
    """
    _check(entries, rounds, sets)
    return _jobs(tuple(entries), rounds, sets)


def total(entries: Sequence[EntryNumber], rounds: int, sets: int) -> int:
    """The number of jobs of `round_robin` with the same arguments, in closed form.

    Raises ScheduleError as `round_robin` does.
    """
    _check(entries, rounds, sets)
    return comb(len(entries), 2) * rounds * sets


def remaining(jobs: Iterable[Job], finished: Container[JobKey]) -> Iterator[Job]:
    """The jobs whose keys are not finished, in their order; made one by one."""
    return (job for job in jobs if job.key not in finished)


def _check(entries: Sequence[EntryNumber], rounds: int, sets: int) -> None:
    if len(entries) < 2:
        raise ScheduleError(f"a round robin needs at least 2 bots, not {len(entries)}")
    if len(set(entries)) < len(entries):
        twice = min(entry for entry in entries if entries.count(entry) > 1)
        raise ScheduleError(f"a round robin takes each entry once, but entry {twice} is repeated")
    _check_number(rounds, "rounds")
    _check_number(sets, "sets")
    for entry in entries:
        _check_number(entry, "entry numbers")


def _check_number(number: int, what: str) -> None:
    if not 1 <= number <= MAX_NUMBER:
        raise ScheduleError(f"{what} must be from 1 to {MAX_NUMBER}, not {number}")


def _jobs(entries: tuple[EntryNumber, ...], rounds: int, sets: int) -> Iterator[Job]:
    for number in range(1, rounds + 1):
        for repeat in range(1, sets + 1):
            for one, other in _circle(entries):
                yield _job(number, one, other, repeat)


def _circle(entries: tuple[EntryNumber, ...]) -> Iterator[tuple[EntryNumber, EntryNumber]]:
    """Each pair once, circle round by circle round, by the circle method.

    An even number stands on a circle of one fewer, with the last in its middle; on circle place c
    the middle meets c, and the others meet across. With an odd number nobody is in the middle: c
    has a bye.
    """
    odd = len(entries) % 2 == 1
    places = len(entries) if odd else len(entries) - 1
    for c in range(places):
        if not odd:
            yield entries[c], entries[places]
        for step in range(1, (places + 1) // 2):
            yield entries[(c + step) % places], entries[(c - step) % places]


def _job(number: int, one: EntryNumber, other: EntryNumber, repeat: int) -> Job:
    """The job of a pair: the lower entry is called first in every second round and k.

    Where it begins depends on the distance of the numbers: over 1..n every entry is then called
    first in half of its jobs, or as near to half as an odd number of jobs allows.
    """
    low, high = (one, other) if one < other else (other, one)
    if (high - low + number + repeat) % 2 == 1:
        return Job(number, low, high, repeat)
    return Job(number, high, low, repeat)
