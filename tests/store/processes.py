"""Other processes for the tests of opening and of killing. They run this file.

    python -m tests.store.processes open PATH NAME       says "ready", waits for a line, opens
    python -m tests.store.processes write PATH NAME      plays on the tournament NAME, says each key
    python -m tests.store.processes hold PATH            holds the claim, says "held", waits
    python -m tests.store.processes drive PATH NUMBER    the same, driving a tournament: "driving"

A StoreError ends them with its sentence on stderr and exit code 1.
"""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.ids import TournamentId
from arena.schedule.pairings import Job, remaining
from arena.store import JournalWriter, Store, StoreError
from tests.store.examples import finished, new_version, schedule

SETS = 60
WRITERS = 8

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def process(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A process with one of the commands above; ended with the block."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.store.processes", *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        try:
            yield child
        finally:
            child.kill()


def told(child: subprocess.Popen[str]) -> str:
    """The next line that a process says."""
    assert child.stdout is not None
    return child.stdout.readline().strip()


def end(child: subprocess.Popen[str], text: str = "") -> tuple[int, str]:
    """Say `text` to a process; its exit code and what it wrote to stderr."""
    _, stderr = child.communicate(text)
    return child.returncode, stderr


def say(text: str) -> None:
    """One line to the parent, now."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def open_at_once(path: str, name: str) -> None:
    """Open when told to, and register a bot."""
    say("ready")
    sys.stdin.readline()
    with Store.open(path) as store:
        store.register_version(new_version(name))


def hold(path: str) -> None:
    """Hold the claim until told otherwise."""
    with Store.open(path) as store, store.claim():
        say("held")
        sys.stdin.readline()


def drive(path: str, number: str) -> None:
    """Drive a tournament until told otherwise."""
    with Store.open(path) as store, store.claim(), store.driving(TournamentId(int(number))):
        say("driving")
        sys.stdin.readline()


async def write(path: str, name: str) -> None:
    """Journal all remaining sets, several at a time, and say each key once it is stored."""
    with Store.open(path) as store:
        tournament = store.tournament_named(name).id
        jobs = remaining(schedule(4, sets=SETS), store.finished_keys(tournament))
        async with JournalWriter(store) as journal, asyncio.TaskGroup() as writers:
            for _ in range(WRITERS):
                writers.create_task(_write_some(journal, tournament, jobs))


async def _write_some(
    journal: JournalWriter, tournament: TournamentId, jobs: Iterator[Job]
) -> None:
    for job in jobs:
        await journal.add(tournament, finished(job.key))
        say(job.key)


def main(command: str, *arguments: str) -> None:
    """Run one of the commands above."""
    match command:
        case "open":
            open_at_once(*arguments)
        case "hold":
            hold(*arguments)
        case "drive":
            drive(*arguments)
        case _:
            asyncio.run(write(*arguments))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except StoreError as error:
        sys.exit(str(error))
