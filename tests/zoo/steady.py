"""A bot of the kit that notes what it is asked: ``python -c ... FILE PLACE``.

It plays the action at PLACE of the legal ones.  Each line of FILE is one question: the seed of the
bot's chance, which names the game, the dealer, who names the hand, and how many moves there were.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from arena.sdk import Action, Bot, View, run


def main() -> None:
    """The program."""
    file, place = Path(sys.argv.pop(1)), int(sys.argv.pop(1))

    class Steady(Bot):
        def act(self, view: View, legal: Sequence[Action]) -> Action:
            with file.open("a") as notes:
                notes.write(f"{self.bot_seed.hex()} {view.dealer} {len(view.moves)}\n")
            return legal[place]

    run(Steady)
