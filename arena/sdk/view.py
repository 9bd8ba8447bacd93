"""The lazy view: a Decision message with the attribute names of ``arena.rules.View``.

A field is read from the message when it is first asked for and kept in its slot from then on,
so a bot pays for what it looks at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from arena.rules import Call, Card, Ledger, Move, Phase, Seat
from arena.rules.actions import NO_LEVEL
from arena.rules.hand import NO_SEAT
from arena.rules.tables import NOBODY, ROTATIONS
from arena.sdk.decode import ArenaError
from arena.v1 import referee_pb2
from arena.wire.enums import PHASES

if TYPE_CHECKING:
    from arena.sdk.table import Table

_CALLS: Final[tuple[Call | None, ...]] = (None, *Call)
_PHASES: Final = {int(PHASES.number(phase)): phase for phase in PHASES.members}


class View:
    """A hand as one seat sees it, and its clock.

    Attributes:
        seat: whose view it is; it is this seat's turn.
        to_act: the same.
        number: the hand's number within its game, from 0.
        dealer: the seat that dealt.
        phase: what is to be decided.
        ledger: scores before the hand; tokens and debts as they stand now; pairs by side.
        moves: every move of the hand so far; exchanged cards are blank (``NO_CARD``).  The
            list grows as the hand goes on: copy it to keep it.
        level: place of the standing bid or contract on the ladder from 0, -1 before one.
        call: its call, None until named.
        declarer: who made it, -1 before one.
        sitter: the seat that sits out, 4 where none does.
        tricks: tricks taken by side 0 and side 1.
        leader: who led, or is to lead, the current trick; -1 before the play.
        held: mask of the cards in hand: bit ``card`` is set.
        twins: mask of those held twice.
        gave: the card that this seat traded away or gave, -1 where none.
        received: the card it received, -1 where none.
        discarded: the card it discarded, -1 where none.
        cards: the cards in hand in card order; a twin shows twice.
        trick: the plays to the current trick, its leader's first.
        time_left_ms: what is left for this decision, in milliseconds.
        bank_left_ms: what is left of the seat's bank for the game, in milliseconds.
        last_latency_us: how long its last decision took by the referee's clock.
        forced_moves: indexes into ``moves`` of its own moves that were the only legal ones.
        stand_in_moves: indexes into ``moves`` of its own moves that the stand-in made.
    """

    __slots__ = (
        "_decision",
        "_table",
        "bank_left_ms",
        "call",
        "cards",
        "dealer",
        "declarer",
        "discarded",
        "forced_moves",
        "gave",
        "held",
        "last_latency_us",
        "leader",
        "ledger",
        "level",
        "moves",
        "number",
        "phase",
        "received",
        "seat",
        "sitter",
        "stand_in_moves",
        "time_left_ms",
        "to_act",
        "trick",
        "tricks",
        "twins",
    )

    bank_left_ms: int
    call: Call | None
    cards: tuple[Card, ...]
    dealer: Seat
    declarer: Seat
    discarded: Card
    forced_moves: tuple[int, ...]
    gave: Card
    held: int
    last_latency_us: int
    leader: Seat
    ledger: Ledger
    level: int
    moves: Sequence[Move]
    number: int
    phase: Phase
    received: Card
    seat: Seat
    sitter: int
    stand_in_moves: tuple[int, ...]
    time_left_ms: int
    to_act: Seat
    trick: tuple[Move, ...]
    tricks: tuple[int, int]
    twins: int

    def __init__(self, decision: referee_pb2.Decision, table: Table) -> None:
        self._decision = decision
        self._table = table

    if not TYPE_CHECKING:
        # Called only for a slot that is still empty, and for names that do not exist.
        def __getattr__(self, name: str) -> Any:
            read = _READERS.get(name)
            if read is None:
                raise AttributeError(f"a view has no {name!r}", name=name, obj=self)
            value = read(self)
            setattr(self, name, value)
            return value

    def __repr__(self) -> str:
        return f"<view of seat {self.seat}, hand {self.number}, {self.phase.value}>"


def _seat(view: View) -> Seat:
    return Seat(view._decision.seat)


def _phase(view: View) -> Phase:
    number = view._decision.public.phase
    phase = _PHASES.get(number)
    if phase is None:
        raise ArenaError(f"the arena asked in a phase that this kit does not know ({number})")
    return phase


def _ledger(view: View) -> Ledger:
    message = view._decision.public.ledger
    scores, tokens = message.scores, message.tokens
    token_debt, hlm_debt = message.token_debt, message.hlm_debt
    return Ledger(
        (scores[0], scores[1]),
        (tokens[0], tokens[1]),
        (token_debt[0], token_debt[1]),
        (hlm_debt[0], hlm_debt[1]),
    )


def _moves(view: View) -> Sequence[Move]:
    return view._table.history(view._decision.public)


def _level(view: View) -> int:
    public = view._decision.public
    return public.contract.bid - 1 if public.HasField("contract") else NO_LEVEL


def _call(view: View) -> Call | None:
    number: int = view._decision.public.contract.call
    return _CALLS[number]


def _declarer(view: View) -> Seat:
    public = view._decision.public
    return Seat(public.contract.declarer) if public.HasField("contract") else NO_SEAT


def _sitter(view: View) -> int:
    public = view._decision.public
    return public.sits_out if public.HasField("sits_out") else NOBODY


def _tricks(view: View) -> tuple[int, int]:
    tricks = view._decision.public.tricks
    return tricks[0], tricks[1]


def _leader(view: View) -> Seat:
    public = view._decision.public
    return Seat(public.leader) if public.HasField("leader") else NO_SEAT


def _cards(view: View) -> tuple[Card, ...]:
    return tuple([Card(card - 1) for card in view._decision.private.hand])


def _held(view: View) -> int:
    held = 0
    for card in view.cards:
        held |= 1 << card
    return held


def _twins(view: View) -> int:
    once = twins = 0
    for card in view.cards:
        twins |= once & 1 << card
        once |= 1 << card
    return twins


def _trick(view: View) -> tuple[Move, ...]:
    if view.phase is not Phase.PLAY:
        return ()
    after = ROTATIONS[view.sitter]
    seat: int = view.leader
    plays = 0
    while seat != view.seat:
        seat = after[seat]
        plays += 1
    return view._table.latest(view._decision.public, plays) if plays else ()


_READERS: Final[dict[str, Callable[[View], Any]]] = {
    "bank_left_ms": lambda view: view._decision.bank_left_ms,
    "call": _call,
    "cards": _cards,
    "dealer": lambda view: Seat(view._decision.public.dealer),
    "declarer": _declarer,
    "discarded": lambda view: Card(view._decision.private.discarded - 1),
    "forced_moves": lambda view: tuple(view._decision.private.forced_moves),
    "gave": lambda view: Card(view._decision.private.gave - 1),
    "held": _held,
    "last_latency_us": lambda view: view._decision.last_latency_us,
    "leader": _leader,
    "ledger": _ledger,
    "level": _level,
    "moves": _moves,
    "number": lambda view: view._decision.public.hand_number,
    "phase": _phase,
    "received": lambda view: Card(view._decision.private.received - 1),
    "seat": _seat,
    "sitter": _sitter,
    "stand_in_moves": lambda view: tuple(view._decision.private.stand_in_moves),
    "time_left_ms": lambda view: view._decision.time_left_ms,
    "to_act": _seat,
    "trick": _trick,
    "tricks": _tricks,
    "twins": _twins,
}
