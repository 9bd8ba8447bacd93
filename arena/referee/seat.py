"""The seam between the referee and whoever plays: a remote session, a person, a test."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple, Protocol

from arena.referee.clock import Micros
from arena.rules.actions import Action
from arena.rules.errors import IllegalAction
from arena.rules.record import EndingKind, GameRecord, HandRecord
from arena.rules.view import View


class ArenaFault(Exception):
    """Something of ours failed. Never a bot's loss: the set is replayed."""


class FaultKind(Enum):
    """What a seat can do wrong. The names are the fields of ``rules.record.Faults``."""

    ILLEGAL = "illegal"
    TIMEOUT = "timeout"
    DISCONNECT = "disconnect"
    CRASH = "crash"
    PROTOCOL = "protocol"

    @property
    def ending(self) -> EndingKind:
        """How a game ends that is forfeited by it."""
        return EndingKind(self.value)

    @property
    def is_final(self) -> bool:
        """Whether nobody is there to answer any more."""
        return self in (FaultKind.CRASH, FaultKind.PROTOCOL)


class Question(NamedTuple):
    """What a seat is asked.

    Attributes:
        view: the hand as the seat may see it.
        legal: its legal actions in canonical order, at least two.
        bank: what is left of its bank for this game, in microseconds.
        limit: the most this decision may take, in microseconds.
        last_latency: what its last decision took, 0 at first.
        forced: indexes into ``view.moves`` of its own moves that the referee made (rules A1).
        stood_in: indexes of its own moves that the stand-in made.
    """

    view: View
    legal: tuple[Action, ...]
    bank: Micros
    limit: Micros
    last_latency: Micros
    forced: tuple[int, ...]
    stood_in: tuple[int, ...]


class Reply(NamedTuple):
    """What came back.

    Attributes:
        action: the answer; None where none came, or where it named no action.
        charged: what the seat's bank is charged, from hand-over to now.
        latency: from hand-over to arrival.
        fault: why no answer came; None where one did.
        sentence: about the fault, for people.
    """

    action: Action | None
    charged: Micros
    latency: Micros
    fault: FaultKind | None = None
    sentence: str = ""


class Refusal(NamedTuple):
    """Why an answer was refused.

    Attributes:
        error: code, paragraph and sentence.
        faults: the seat's faults in this game so far.
    """

    error: IllegalAction
    faults: int


Take = Callable[[Reply | ArenaFault], None]
"""Takes what came back; an ``ArenaFault`` where our own side failed."""


class Seat(Protocol):
    """Whoever plays a seat of one game. The seat starts the clock at hand-over.

    Answers come by a call, not by a future: a server with hundreds of tables asks tens of
    thousands of questions a second, and a future and a turn of the event loop for each would
    double what they cost."""

    def ask(self, question: Question, take: Take) -> None:
        """Ask; ``take`` is called once, now or later, when an answer is there or time is over."""
        ...

    def ask_again(self, refusal: Refusal, take: Take) -> None:
        """Say why the last answer was refused and wait on, the same clock running."""
        ...

    def hand_finished(self, hand: HandRecord) -> None:
        """A hand was scored; everything about it is now known to the table."""
        ...

    def game_finished(self, game: GameRecord) -> None:
        """The game is over; the seat is not asked again."""
        ...
