"""One table: one game between four seats, from 0-0 to its end or a forfeit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.referee.clock import Micros
from arena.referee.policy import OnForfeit, Policy
from arena.referee.seat import (
    ArenaFault,
    Budget,
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

_COMPLETED = Ending(EndingKind.COMPLETED, None, "played to the end")


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
    forced: list[int]
    stood_in: list[int]

    @property
    def total(self) -> int:
        return sum(self.faults.values())


@dataclass(slots=True)
class _HandUnderWay:
    """The hand under way as it will be recorded."""

    board: int
    hand: Hand
    dealt: tuple[tuple[str, ...], ...]
    movers: list[Mover]
    times: list[int]


class Table:
    """A game at a table.

    Args:
        variant: the rules.
        policy: clocks and faults.
        half: ``a`` or ``b``.
        deal_set: the set id of the deals, for the record.
        deal: gives the hands of a board.
        seats: who plays seats 0..3.
    """

    def __init__(
        self,
        variant: Variant,
        policy: Policy,
        *,
        half: str,
        deal_set: str,
        deal: Deal,
        seats: Sequence[Seat],
    ) -> None:
        assert len(seats) == SEATS, "a table has four seats"
        self._policy = policy
        self._half = half
        self._deal_set = deal_set
        self._deal = deal
        self._seats = seats
        self._game = Game(variant)
        self._hands: list[HandRecord] = []
        bank = policy.time.bank_ms * 1000
        self._sittings = [
            _Sitting(bank, dict.fromkeys(FaultKind, 0), Micros(0), False, [], [])
            for _ in range(SEATS)
        ]
        self._current: _HandUnderWay | None = None

    @property
    def hands_played(self) -> int:
        """Hands scored so far."""
        return self._game.hands_played

    async def play(self) -> GameRecord:
        """Play the game to its end.

        A failure of ours (``ArenaFault``, a failed assertion) ends it as an arena fault.
        """
        try:
            while self._game.result is None:
                await self._play_hand()
            ending = _COMPLETED
        except _Forfeit as forfeit:
            ending = forfeit.ending
        except (ArenaFault, AssertionError) as error:
            ending = Ending(EndingKind.ARENA_FAULT, None, f"the arena failed: {error}")
        record = self._record(ending)
        for seat in self._seats:
            seat.game_finished(record)
        return record

    async def _play_hand(self) -> None:
        board = self._game.hands_played
        cards = self._deal(board)
        hand = self._game.deal(cards)
        dealt = tuple(tuple(card_text(card) for card in held) for held in cards)
        self._current = current = _HandUnderWay(board, hand, dealt, [], [])
        for sitting in self._sittings:
            sitting.forced.clear()
            sitting.stood_in.clear()
        movers, times = current.movers, current.times
        while legal := hand.legal:
            seat = hand.to_act
            if len(legal) == 1:
                # Rule A1: not asked; only its own seat is told so before the score.
                self._sittings[seat].forced.append(len(movers))
                movers.append(Mover.FORCED)
                times.append(0)
                hand.apply(legal[0])
                continue
            sitting = self._sittings[seat]
            action = None if sitting.replaced else await self._ask(hand, seat, sitting, legal)
            if action is None:
                action = legal[0]
                sitting.stood_in.append(len(movers))
                movers.append(Mover.STAND_IN)
                times.append(0)
            else:
                movers.append(Mover.BOT)
                times.append(sitting.last_latency)
            hand.apply(action)
        self._finish_hand(current)

    async def _ask(
        self, hand: Hand, seat: SeatNumber, sitting: _Sitting, legal: tuple[Action, ...]
    ) -> Action | None:
        """The seat's action; None where the stand-in is to move."""
        time = self._policy.time
        player = self._seats[seat]
        question = Question(
            view_of(hand, seat),
            legal,
            Budget(Micros(sitting.bank), Micros(time.decision_ms * 1000)),
            sitting.last_latency,
            tuple(sitting.forced),
            tuple(sitting.stood_in),
        )
        reply = await player.act(question)
        while reply.fault is None:
            action = reply.action
            if action is not None and action in hand.allowed:
                self._charge(sitting, reply)
                return action
            error = _refusal(hand, seat, action)
            self._fault(seat, FaultKind.ILLEGAL, f"illegal answer: {error}")
            if sitting.replaced:
                self._charge(sitting, reply)
                return None
            reply = await player.retry(Refusal(error, sitting.total))
        self._charge(sitting, reply)
        self._fault(seat, reply.fault, reply.sentence)
        return None

    def _charge(self, sitting: _Sitting, reply: Reply) -> None:
        increment = self._policy.time.increment_ms * 1000
        sitting.bank = max(0, sitting.bank - reply.charged) + increment
        sitting.last_latency = reply.latency

    def _fault(self, seat: SeatNumber, kind: FaultKind, sentence: str) -> None:
        """Count a fault; at the last one the game is forfeited or the stand-in takes over."""
        sitting = self._sittings[seat]
        sitting.faults[kind] += 1
        if sitting.total < self._policy.max_faults and not kind.is_final:
            return
        if self._policy.on_forfeit is OnForfeit.STAND_IN:
            sitting.replaced = True
            return
        raise _Forfeit(Ending(kind.ending, seat, f"seat {seat}: {sentence}"))

    def _finish_hand(self, current: _HandUnderWay) -> None:
        settlement = self._game.score(current.hand)
        record = _hand_record(current, result_of(current.hand, settlement))
        self._hands.append(record)
        self._current = None
        for seat in self._seats:
            seat.hand_finished(record)

    def _record(self, ending: Ending) -> GameRecord:
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
    moves = tuple(
        RecordedMove(move.seat, move.action.text, mover)
        for move, mover in zip(hand.moves(), current.movers, strict=True)
    )
    return HandRecord(
        board=current.board,
        dealer=hand.dealer,
        dealt=current.dealt,
        moves=moves,
        result=result,
        times_us=tuple(current.times),
    )


def _counts(sitting: _Sitting) -> Faults:
    return Faults(**{kind.value: count for kind, count in sitting.faults.items()})


def _refusal(hand: Hand, seat: SeatNumber, action: Action | None) -> IllegalAction:
    if action is None:
        return IllegalAction(
            RefusalCode.UNKNOWN_ACTION, "N", "the answer names no action of this variant"
        )
    return refuse(hand, seat, action)
