"""A match of two to many bots, and its figures."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from arena.ids import EntryNumber, VersionId
from arena.lab.sets import play_set_here
from arena.lab.waiting import Waiter
from arena.ratings.leaderboard import Meeting, head_to_head
from arena.ratings.results import SetResult
from arena.referee.policy import Policy
from arena.referee.sets import SetPlan
from arena.rules import Variant
from arena.rules.deal import SEED_BYTES
from arena.rules.record import Entrant, SetRecord
from arena.schedule.outcomes import result_of_set
from arena.schedule.pairings import MAX_NUMBER, round_robin
from arena.sdk.bot import Bot
from arena.sdk.loading import load_bot
from arena.sdk.local import named_variant

VERSION = "lab"
"""The version label of all bots of this process."""


@dataclass(frozen=True, slots=True)
class LabMatch:
    """A match that was played.

    Attributes:
        names: of the bots in the order given.
        seed: 32 bytes; the same seed gives the same match.
        records: of the sets, in the order played.
        results: what they say for the figures.
    """

    names: tuple[str, ...]
    seed: bytes
    records: tuple[SetRecord, ...]
    results: tuple[SetResult, ...]

    def meeting(self, first: int = 0, second: int = 1) -> Meeting:
        """What happened between two bots, by their places, as seen by the first.

        ``record`` is W-D-L in sets; ``points`` is points a deal with its 95 % interval, None where
        all sets were forfeited; ``superiority`` is the likelihood that the first is stronger.
        """
        return head_to_head(self.results)[_version(first), _version(second)]

    def __str__(self) -> str:
        pairs = combinations(range(len(self.names)), 2)
        return "\n".join([*(self._line(*pair) for pair in pairs), f"seed {self.seed.hex()}"])

    def _line(self, first: int, second: int) -> str:
        meeting = self.meeting(first, second)
        record, points = meeting.record, meeting.points
        told = [f"W-D-L {record.wins}-{record.draws}-{record.losses}"]
        if points is not None:
            reach = "–" if points.reach is None else f"{points.reach:.2f}"
            told.append(f"points a deal {points.mean:+.2f} ± {reach}")
        if meeting.superiority is not None:
            told.append(f"likelihood of superiority {meeting.superiority:.3f}")
        return f"{self.names[first]} against {self.names[second]}: {', '.join(told)}"


def play_match(
    *bots: type[Bot] | str | Path,
    variant: str | Variant = "classic",
    sets: int = 10,
    seed: bytes | None = None,
    policy: Policy | None = None,
) -> LabMatch:
    """Play every pair of bots on mirrored sets.

    Args:
        bots: two or more classes, or files that hold one.
        variant: the name of one, or its data.
        sets: of each pair.
        seed: 32 bytes; drawn where it is not given.
        policy: what bots are told of clocks, and how many faults forfeit a game.

    Raises:
        ValueError: a variant that there is not, fewer than two bots, one that is neither a class
            nor a file, a number of sets or a seed that cannot be.
        LoadError: a file without a bot.
        BotError: a bot returned what is no action. Whatever else a bot raises goes through.
    """
    rules = named_variant(variant)
    seed = secrets.token_bytes(SEED_BYTES) if seed is None else seed
    _check(bots, sets, seed)
    classes = [load_bot(bot) if isinstance(bot, str | Path) else bot for bot in bots]
    names = _names(classes)
    entries = [EntryNumber(number) for number in range(1, len(classes) + 1)]
    records, results = [], []
    with Waiter() as waiter:
        for job in round_robin(entries, 1, sets):
            pair = (job.first - 1, job.second - 1)
            entrants = (Entrant(names[pair[0]], VERSION), Entrant(names[pair[1]], VERSION))
            plan = SetPlan(job.set_id, rules, policy or Policy(), entrants, seed)
            record = play_set_here(plan, (classes[pair[0]], classes[pair[1]]), waiter)
            records.append(record)
            results.append(result_of_set(job, record))
    return LabMatch(tuple(names), seed, tuple(records), tuple(results))


def _check(bots: Sequence[object], sets: object, seed: object) -> None:
    if len(bots) < 2:
        raise ValueError(f"a match takes at least 2 bots, not {len(bots)}")
    for bot in bots:
        is_class = isinstance(bot, type) and issubclass(bot, Bot)
        if not is_class and not isinstance(bot, str | Path):
            raise ValueError(
                f"{bot!r} is no bot: give a class that derives from arena.sdk.Bot, or its file"
            )
    if not isinstance(sets, int) or isinstance(sets, bool) or not 1 <= sets <= MAX_NUMBER:
        raise ValueError(f"{sets!r} is no number of sets: 1 to {MAX_NUMBER}")
    if not isinstance(seed, bytes) or len(seed) != SEED_BYTES:
        raise ValueError(f"a seed is {SEED_BYTES} bytes, or None for one that is drawn")


def _version(place: int) -> VersionId:
    return VersionId(place + 1)


def _names(classes: Sequence[type[Bot]]) -> list[str]:
    """The names of the classes; those that are there twice get their places."""
    names = [bot.__name__ for bot in classes]
    return [
        f"{name} {place}" if names.count(name) > 1 else name
        for place, name in enumerate(names, start=1)
    ]
