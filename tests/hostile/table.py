"""``python -m tests.hostile.table [--runner NAME] [WORD...]``: shows attacks, prints a table.

With words only those whose names hold one of them.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterable

from tests.hostile.attacks import ATTACKS, HEAR, Attack
from tests.hostile.cages import CAGES, Cage, Unavailable
from tests.hostile.machine import machine
from tests.hostile.programs.attempts import REFUSED
from tests.hostile.showing import Sighting, show, show_seats

HEAD = (
    "| attack | contained | by | attempts refused | how it ended |",
    "| --- | --- | --- | ---: | --- |",
)


def row(sighting: Sighting) -> str:
    """The row of one attack."""
    attack = sighting.attack
    verdict = "no: " + "; ".join(sighting.complaints) if sighting.complaints else "yes"
    refused = str(len(sighting.said(REFUSED)))
    cells = (attack.name, verdict, attack.bar, refused, sighting.ending)
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def write(line: str) -> None:
    """A line, at once: a table takes a while."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def show_all(cage: Cage, attacks: Iterable[Attack]) -> bool:
    """Show them and print the table; whether all were contained."""
    holds = True
    with machine() as one:
        for attack in attacks:
            if not attack.needs(cage):
                write(f"| {attack.name} | not bounded here | | | |")
                continue
            seats = attack is HEAR
            sighting = await (show_seats(cage, one) if seats else show(cage, attack, one))
            holds = holds and not sighting.complaints
            write(row(sighting))
    return holds


def main(arguments: list[str]) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile.table")
    parser.add_argument("--runner", choices=CAGES, default="bubblewrap")
    parser.add_argument("word", nargs="*")
    chosen = parser.parse_args(arguments)
    attacks = [
        attack
        for attack in (*ATTACKS, HEAR)
        if not chosen.word or any(word in attack.name for word in chosen.word)
    ]
    try:
        cage = CAGES[chosen.runner]()
    except Unavailable as error:
        sys.stderr.write(f"{error}\n")
        return 1
    for line in HEAD:
        write(line)
    return 0 if asyncio.run(show_all(cage, attacks)) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
