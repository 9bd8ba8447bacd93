"""Builders of what the store keeps; all made up, none played."""

import json

from arena.ids import EntryNumber, TournamentId, VersionId
from arena.ratings.results import FaultCounts, Outcome
from arena.rules import CLASSIC, Variant
from arena.schedule.pairings import Job, parse_job_key, round_robin
from arena.store import FinishedSet, NewVersion, Store, TournamentSpec, VersionKind

SEED = bytes(range(32))


def a_hash(number: int) -> str:
    """The hash of something numbered."""
    return f"{number:064x}"


def new_version(name: str = "ann", identity: int = 1, label: str | None = None) -> NewVersion:
    """A command of the owner `zoe`."""
    return NewVersion(
        name=name,
        owner="zoe",
        kind=VersionKind.COMMAND,
        identity=a_hash(identity),
        label=label,
        command=("python3", f"{name}.py"),
        directory="/bots",
    )


def registered(store: Store, bots: int) -> tuple[VersionId, ...]:
    """The versions of so many bots, `bot1`, `bot2`, ..."""
    names = [f"bot{number}" for number in range(1, bots + 1)]
    return tuple(store.register_version(new_version(name)).id for name in names)


def spec(
    entries: tuple[VersionId, ...], name: str = "cup", variant: Variant = CLASSIC
) -> TournamentSpec:
    """A tournament of two rounds with one set each."""
    return TournamentSpec(
        name=name,
        variant=variant,
        seed=SEED,
        entries=entries,
        settings={"rounds": 2, "sets": 1, "clock": {"bank_us": 60_000_000}, "names": ["x"]},
    )


def tournament(store: Store, bots: int = 4, name: str = "cup") -> TournamentId:
    """A created tournament of so many bots, which are registered if they are not."""
    return store.create_tournament(spec(registered(store, bots), name))


def record(key: str, *, moves: str = "play JH", time_us: int = 5) -> bytes:
    """A record in outline: what matters to the store."""
    return json.dumps({"set_id": key, "moves": [moves], "timing": {"us": time_us}}).encode()


def finished(key: str, points: int = 7, *, moves: str = "play JH", time_us: int = 5) -> FinishedSet:
    """A set that the first entry won, if it has points, with a fault of every kind on one side."""
    return FinishedSet(
        job=parse_job_key(key),
        outcome=Outcome.FIRST_WINS if points > 0 else Outcome.DRAW,
        points=points,
        hands=31,
        counts_points=True,
        faults_first=FaultCounts(1, 2, 3, 4, 5),
        faults_second=FaultCounts(timeout=9),
        record=record(key, moves=moves, time_us=time_us),
    )


def schedule(bots: int, rounds: int = 1, sets: int = 1) -> list[Job]:
    """All jobs of a round robin."""
    return list(round_robin([EntryNumber(n) for n in range(1, bots + 1)], rounds, sets))
