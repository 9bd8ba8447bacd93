"""A bot that keeps every deal it has seen, in memory and in files, and plays by them if it can.

It speaks by the first legal action, and by the last one where it knows the cards of all seats: so
what it says shows whether it has gained anything.  To standard error it writes how many hands it
has met, how many of their deals for a second time, how often it knew the cards, and how many
hands it has from other processes.

Its arguments are folders: it keeps what it sees in all of them, where it can, and reads what
others have left there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from arena.rules import Card
from arena.sdk import Action, Bot, FinishedHand, Phase, View, run

Hand = tuple[Card, ...]

FILE: Final = "deals-that-were-seen"


class Memory:
    """What a process knows of deals; one for all its games."""

    def __init__(self, folders: Iterable[str]) -> None:
        self.hands: set[Hand] = set()
        self.met = 0
        self.twice = 0
        self.knew = 0
        self.found = 0
        self._folders = [Path(folder) for folder in folders]

    def recall(self) -> None:
        """Read what other processes have left."""
        for folder in self._folders:
            try:
                lines = (folder / FILE).read_text().splitlines()
            except OSError:
                continue
            hands = {tuple(map(Card, map(int, line.split()))) for line in lines}
            self.found += len(hands - self.hands)
            self.hands |= hands

    def keep(self, dealt: tuple[Hand, ...]) -> None:
        """A deal lies open."""
        hands = [tuple(sorted(hand)) for hand in dealt]
        self.met += 1
        self.twice += self.hands.issuperset(hands)
        self.hands.update(hands)
        text = "".join(" ".join(map(str, map(int, hand))) + "\n" for hand in hands)
        for folder in self._folders:
            try:
                with (folder / FILE).open("a") as file:
                    file.write(text)
            except OSError:
                continue


memory = Memory(sys.argv[1:])
del sys.argv[1:]  # the kit has words of its own


class Rememberer(Bot):
    """Speaks one way where it knows the deal and another where it does not."""

    def game_started(self) -> None:
        """Look for what others know by now."""
        memory.recall()

    def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        """The last legal action where all cards are known, else the first."""
        if view.phase is Phase.SPEAK and tuple(sorted(view.cards)) in memory.hands:
            memory.knew += 1
            return legal[-1]
        return legal[0]

    def hand_finished(self, hand: FinishedHand) -> None:
        """Keep the deal, and tell of all that was kept so far."""
        memory.keep(hand.dealt)
        told = {
            "met": memory.met,
            "twice": memory.twice,
            "knew": memory.knew,
            "found": memory.found,
        }
        sys.stderr.write(" ".join(f"{word}={number}" for word, number in told.items()) + "\n")


run(Rememberer, name="rememberer")
