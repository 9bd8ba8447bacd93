"""``python -m tests.zoo.table [WORD...]``: shows bad bots one by one and prints a table of them.

With words only the kinds whose names hold one of them.  Other tables' worst wait is what a
neighbour waited at most between an answer and its next question, three other answers included;
the first row, an honest bot, says what that is on this machine.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable

from tests.zoo.keeper import Sighting, Zoo, visit
from tests.zoo.kinds import CONTROL, KINDS

HEAD = (
    "| bot | ending | owner | other tables' worst wait, ms | memory growth, KiB |",
    "| --- | --- | --- | ---: | ---: |",
)


def row(sighting: Sighting) -> str:
    """The row of one bot."""
    half = sighting.half
    kind, sentence = ("none", "") if half is None else (half.ending.kind.name, half.ending.sentence)
    ending = f"{kind}: {sentence}" if sentence else kind
    wait, growth = round(sighting.worst_wait * 1000), round(sighting.growth / 1024)
    return f"| {sighting.kind.title} | {ending} | {sighting.owner} | {wait} | {growth} |"


def lines(zoo: Zoo) -> Iterable[str]:
    """The table and what else is to be said."""
    yield from HEAD
    for sighting in zoo.sightings.values():
        yield row(sighting)
    faults = sum(record.faults_of(n).total for record in zoo.neighbours for n in (0, 1))
    yield ""
    yield f"Neighbours: {len(zoo.neighbours)} sets, {faults} faults."
    yield f"The server's process grew by {round(zoo.growth / 1024)} KiB in all."
    yield f"Left behind: {_left(zoo)}."


def _left(zoo: Zoo) -> str:
    same = zoo.after == zoo.before and not zoo.running and not zoo.folders
    return "nothing" if same else f"{zoo.running} {zoo.folders} {zoo.before} {zoo.after}"


def main(words: list[str]) -> None:
    """The command."""
    kinds = [kind for kind in KINDS if not words or any(word in kind.title for word in words)]
    zoo = asyncio.run(visit([CONTROL, *(kind for kind in kinds if kind is not CONTROL)], at_once=1))
    sys.stdout.write("\n".join(lines(zoo)) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
