"""The course of one game, from 0-0 to its end or a forfeit.

It is a generator: it yields whom to ask what, and is sent the reply.  It knows no event loop;
``Table`` connects it to four seats.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

from arena.referee.clock import Micros
from arena.referee.incident import MAX_INCIDENTS, Incident
from arena.referee.policy import OnForfeit, Policy
from arena.referee.seat import (
    ArenaFault,
    FaultKind,
    Question,
    Refusal,
    Reply,
    Seat,
)
from arena.rules.actions import Action
from arena.rules.cards import SEATS, Card, Side, card_text
from arena.rules.cards import Seat as SeatNumber
from arena.rules.errors import IllegalAction
from arena.rules.errors import Refusal as RefusalCode
from arena.rules.game import Game
from arena.rules.hand import Hand
from arena.rules.record import (
    Ending,
    EndingKind,
    Faults,
    GameRecord,
    HandRecord,
    HandResult,
    Mover,
    RecordedMove,
    RecordedSeat,
    entrant_at,
)
from arena.rules.refusal import refuse
from arena.rules.variant import Variant
from arena.rules.verify import result_of
from arena.rules.view import view_of

Deal = Callable[[int], Sequence[Sequence[Card]]]
"""The hands of seats 0..3 of a board."""

log = logging.getLogger(__name__)

_COMPLETED = Ending(EndingKind.COMPLETED, None, "played to the end")
STOPPED = Ending(EndingKind.STOPPED, None, "the other half decided the set")


Asking = Generator[tuple[SeatNumber, Question | Refusal], Reply, GameRecord]
"""Yields whom to ask and what, or why the last answer was refused; is sent the replies."""


class _Forfeit(Exception):
    def __init__(self, ending: Ending) -> None:
        super().__init__(ending.sentence)
        self.ending = ending


@dataclass(slots=True)
class _Sitting:
    """A seat's state in this game."""

    bank: int
    faults: dict[FaultKind, int]
    last_latency: Micros
    replaced: bool
    forced: tuple[int, ...]
    stood_in: tuple[int, ...]

    @property
    def total(self) -> int:
        return sum(self.faults.values())


class _Recorded(dict[Action, tuple[RecordedMove, ...]]):
    """The recorded moves of one mover: by action, for seats 0..3; made at the first look-up."""

    def __init__(self, mover: Mover) -> None:
        super().__init__()
        self._mover = mover

    def __missing__(self, action: Action) -> tuple[RecordedMove, ...]:
        text, mover = action.text, self._mover
        moves = tuple(RecordedMove(SeatNumber(seat), text, mover) for seat in range(SEATS))
        self[action] = moves
        return moves


_BY_BOT = _Recorded(Mover.BOT)
_FORCED = _Recorded(Mover.FORCED)
_BY_STAND_IN = _Recorded(Mover.STAND_IN)


@dataclass(slots=True)
class _HandUnderWay:
    """The hand under way as it will be recorded."""

    board: int
    hand: Hand
    dealt: tuple[tuple[str, ...], ...]
    movers: list[_Recorded]
    times: list[int]


class Course:
    """The course of one game.

    Args:
        variant: the rules.
        policy: clocks and faults.
        half: ``a`` or ``b``.
        deal_set: the set id of the deals, for the record.
        deal: gives the hands of a board.

    Attributes:
        incidents: the faults so far, ``MAX_INCIDENTS`` at most.
    """

    def __init__(
        self, variant: Variant, policy: Policy, *, half: str, deal_set: str, deal: Deal
    ) -> None:
        self._policy = policy
        self._half = half
        self._deal_set = deal_set
        self._deal = deal
        self._seats: Sequence[Seat] = ()
        self._game = Game(variant)
        self._hands: list[HandRecord] = []
        self._increment = policy.time.increment_ms * 1000
        self._limit = policy.time.decision_ms * 1000
        bank = policy.time.bank_ms * 1000
        self._sittings = [
            _Sitting(bank, dict.fromkeys(FaultKind, 0), 0, False, (), ()) for _ in range(SEATS)
        ]
        self._current: _HandUnderWay | None = None
        self.incidents: list[Incident] = []

    def watch(self, seats: Sequence[Seat]) -> None:
        """Tell these seats of finished hands."""
        self._seats = seats

    def play(self) -> Asking:
        """The game: yields questions, is sent replies, returns the record."""
        try:
            while self._game.result is None:
                yield from self._play_hand()
            ending = _COMPLETED
        except _Forfeit as forfeit:
            ending = forfeit.ending
        except (ArenaFault, AssertionError) as error:
            ending = arena_failed(error)
        return self.record(ending)

    def _play_hand(self) -> Generator[tuple[SeatNumber, Question | Refusal], Reply, None]:
        board = self._game.hands_played
        cards = self._deal(board)
        hand = self._game.deal(cards)
        dealt = tuple(tuple(card_text(card) for card in held) for held in cards)
        self._current = current = _HandUnderWay(board, hand, dealt, [], [])
        sittings, limit, increment = self._sittings, self._limit, self._increment
        for sitting in sittings:
            sitting.forced = sitting.stood_in = ()
        movers, times = current.movers, current.times
        while legal := hand.legal:
            seat = hand.to_act
            sitting = sittings[seat]
            if len(legal) == 1:
                # Rule A1: not asked; only its own seat is told so before the score.
                sitting.forced = (*sitting.forced, len(movers))
                movers.append(_FORCED)
                times.append(0)
                hand.apply(legal[0])
                continue
            action: Action | None = None
            if not sitting.replaced:
                fields = (
                    view_of(hand, seat),
                    legal,
                    sitting.bank,
                    limit,
                    sitting.last_latency,
                    sitting.forced,
                    sitting.stood_in,
                )
                reply = yield seat, tuple.__new__(Question, fields)
                action = reply.action
                if reply.fault is not None or action not in hand.allowed:
                    reply, action = yield from self._object(hand, seat, reply)
                left = sitting.bank - reply.charged
                sitting.bank = left + increment if left > 0 else increment
                sitting.last_latency = reply.latency
            if action is None:
                action = legal[0]
                sitting.stood_in = (*sitting.stood_in, len(movers))
                movers.append(_BY_STAND_IN)
                times.append(0)
            else:
                movers.append(_BY_BOT)
                times.append(sitting.last_latency)
            hand.apply(action)
        self._finish_hand(current)

    def _object(
        self, hand: Hand, seat: SeatNumber, reply: Reply
    ) -> Generator[tuple[SeatNumber, Refusal], Reply, tuple[Reply, Action | None]]:
        """Deal with a reply that is no legal action: ask again, or let the stand-in move.

        Returns:
            The last reply, and the seat's action; None where the stand-in is to move.
        """
        while reply.fault is None:
            action = reply.action
            if action is not None and action in hand.allowed:
                return reply, action
            error = _refusal(hand, seat, action)
            self._fault(seat, FaultKind.ILLEGAL, f"illegal answer: {error}", reply)
            if self._sittings[seat].replaced:
                return reply, None
            reply = yield seat, Refusal(error, self._sittings[seat].total)
        self._fault(seat, reply.fault, reply.sentence, reply)
        return reply, None

    def _fault(self, seat: SeatNumber, kind: FaultKind, sentence: str, reply: Reply) -> None:
        """Count a fault; at the last one the game is forfeited or the stand-in takes over."""
        sitting = self._sittings[seat]
        sitting.faults[kind] += 1
        if len(self.incidents) < MAX_INCIDENTS:
            self.incidents.append(self._incident(seat, kind, sentence, reply))
        if sitting.total < self._policy.max_faults and not kind.is_final:
            return
        if self._policy.on_forfeit is OnForfeit.STAND_IN:
            sitting.replaced = True
            return
        raise _Forfeit(Ending(kind.ending, seat, f"seat {seat}: {sentence}"))

    def _incident(self, seat: SeatNumber, kind: FaultKind, sentence: str, reply: Reply) -> Incident:
        current, action = self._current, reply.action
        assert current is not None, "a fault is made in a hand"
        return Incident(
            entrant=entrant_at(self._half, seat),
            kind=kind,
            sentence=sentence,
            half=self._half,
            board=current.board,
            move=len(current.movers),
            seat=seat,
            answer="" if action is None else action.text,
            took=reply.latency,
            charged=reply.charged,
            bank=self._sittings[seat].bank,
        )

    def _finish_hand(self, current: _HandUnderWay) -> None:
        settlement = self._game.score(current.hand)
        record = _hand_record(current, result_of(current.hand, settlement))
        self._hands.append(record)
        self._current = None
        for seat in self._seats:
            seat.hand_finished(record)

    def record(self, ending: Ending) -> GameRecord:
        """The game so far, with that ending."""
        result = self._game.result
        winner = None if result is None else result.winner
        if ending.kind.is_forfeit:
            assert ending.seat is not None
            winner = Side(1 - (ending.seat & 1))
            if self._current is not None:
                self._hands.append(_hand_record(self._current, None))
        return GameRecord(
            half=self._half,
            deal_set=self._deal_set,
            seats=tuple(
                RecordedSeat(entrant_at(self._half, seat), _counts(self._sittings[seat]))
                for seat in range(SEATS)
            ),
            hands=tuple(self._hands),
            ending=ending,
            winner=winner,
            end=None if result is None else result.end,
            scores=self._game.ledger.scores,
        )


def _hand_record(current: _HandUnderWay, result: HandResult | None) -> HandRecord:
    hand = current.hand
    return HandRecord(
        board=current.board,
        dealer=hand.dealer,
        dealt=current.dealt,
        moves=tuple(
            [
                recorded[action][seat]
                for (seat, action), recorded in zip(hand.moves(), current.movers, strict=True)
            ]
        ),
        result=result,
        times_us=tuple(current.times),
    )


def arena_failed(error: Exception) -> Ending:
    """The ending of a game in which something of ours failed."""
    if not isinstance(error, ArenaFault):
        log.error("the arena failed in a game", exc_info=error)
    return Ending(EndingKind.ARENA_FAULT, None, f"the arena failed: {error}")


def _counts(sitting: _Sitting) -> Faults:
    return Faults(**{kind.value: count for kind, count in sitting.faults.items()})


def _refusal(hand: Hand, seat: SeatNumber, action: Action | None) -> IllegalAction:
    if action is None:
        return IllegalAction(
            RefusalCode.UNKNOWN_ACTION, "N", "the answer names no action of this variant"
        )
    return refuse(hand, seat, action)
