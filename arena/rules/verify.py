"""Replaying a record: every deal, action, result and ending is worked out again and compared."""

from __future__ import annotations

import re
from collections.abc import Iterator

from arena.rules.cards import Seat, card_text, parse_card
from arena.rules.deal import Dealer, commitment
from arena.rules.errors import DealError, IllegalAction, NotationError, RulesError
from arena.rules.game import Game
from arena.rules.hand import Hand
from arena.rules.record import (
    FORMAT,
    HALVES,
    EndingKind,
    GameRecord,
    HandRecord,
    HandResult,
    Mover,
    RecordedMove,
    SetRecord,
    entrant_at,
    judge,
)
from arena.rules.refusal import refuse
from arena.rules.scoring import Settlement


class RecordError(RulesError):
    """A record that does not hold; the sentence says where it breaks first."""


def verify(record: SetRecord, seed: bytes | None = None) -> None:
    """Replay a record and compare everything in it.

    Args:
        record: what to check.
        seed: of the tournament; with it the hands are checked against deal-v1 too.

    Raises:
        RecordError: it does not hold.
        DealError: the seed is not 32 bytes.
    """
    _expect(record.format == FORMAT, f"it has format {record.format}; this program reads {FORMAT}")
    known = re.fullmatch(r"[0-9a-f]{64}", record.commitment) is not None
    _expect(known, "the commitment is not 64 hexadecimal digits")
    if seed is not None:
        _expect(record.commitment == commitment(seed), "the seed does not match the commitment")
    _expect(len(record.entrants) == 2, "a set has two entrants")
    _expect(tuple(half.half for half in record.halves) == HALVES, "a set has the halves a and b")
    for half in record.halves:
        _verify_half(record, half, None if seed is None else Dealer(seed))
    _verify_pair(record)
    verdict = judge(record.halves)
    _expect(
        record.verdict == verdict,
        f"the set's result is {_words(verdict)}, not {_words(record.verdict)}",
    )


def _verify_pair(record: SetRecord) -> None:
    """What one half says about the other: only a half that was decided stops its neighbour."""
    mirrored = {half.deal_set == record.set_id for half in record.halves}
    _expect(len(mirrored) == 1, "the halves must share their deals, or neither the set's own")
    for half, other in zip(record.halves, reversed(record.halves), strict=True):
        kind, beside = half.ending.kind, other.ending.kind
        decided = beside.is_forfeit or beside is EndingKind.ARENA_FAULT
        if kind is EndingKind.STOPPED:
            _expect(
                decided, f"half {half.half}: it was stopped, but half {other.half} was not lost"
            )
        if kind.is_forfeit:
            # Or neither bot came: then each has lost a half in which no card was dealt.
            neither = beside.is_forfeit and not half.hands and not other.hands
            stopped = beside is EndingKind.STOPPED or neither
            _expect(stopped, f"half {other.half}: it was not stopped by the forfeit in the other")


def _verify_half(record: SetRecord, half: GameRecord, dealer: Dealer | None) -> None:
    where = f"half {half.half}"
    _expect(len(half.seats) == 4, f"{where}: a game has four seats")
    for seat, sitting in enumerate(half.seats):
        due = entrant_at(half.half, seat)
        _expect(sitting.entrant == due, f"{where}: seat {seat} belongs to entrant {due}")
    ids = (record.set_id, f"{record.set_id}:{half.half}")
    _expect(half.deal_set in ids, f"{where}: the deals are of {half.deal_set!r}, not of this set")
    game = Game(record.variant)
    for number, hand in enumerate(half.hands):
        at = f"{where}, hand {number + 1}"
        _expect(game.result is None, f"{at}: the game was over before it")
        _expect(hand.board == number, f"{at}: the board is {number}, not {hand.board}")
        if dealer is not None:
            _verify_deal(record, half, hand, dealer, at)
        last = number == len(half.hands) - 1
        _replay(game, hand, at, complete=half.ending.kind is EndingKind.COMPLETED or not last)
    _verify_end(half, game, where)


def _verify_deal(
    record: SetRecord, half: GameRecord, hand: HandRecord, dealer: Dealer, at: str
) -> None:
    dealt = dealer.deal(record.variant, half.deal_set, hand.board)
    _expect(len(hand.dealt) == len(dealt), f"{at}: a deal has four hands")
    for seat, cards in enumerate(dealt):
        due = tuple(card_text(card) for card in cards)
        _expect(
            hand.dealt[seat] == due,
            f"{at}: deal-v1 gives seat {seat} {' '.join(due)}, not {' '.join(hand.dealt[seat])}",
        )


def _replay(game: Game, record: HandRecord, at: str, *, complete: bool) -> None:
    try:
        hand = game.deal([[parse_card(text) for text in cards] for cards in record.dealt])
    except (DealError, NotationError) as error:
        raise RecordError(f"{at}: {error}") from error
    _expect(record.dealer == hand.dealer, f"{at}: the dealer is {hand.dealer}, not {record.dealer}")
    for index, move in enumerate(record.moves):
        _redo(hand, move, f"{at}, action {index + 1}")
    if record.result is None:
        _expect(not complete, f"{at}: it has no result")
        return
    _expect(hand.over, f"{at}: it has a result but {len(record.moves)} actions do not finish it")
    result = result_of(hand, game.score(hand))
    for field, due, given in zip(HandResult._fields, result, record.result, strict=True):
        _expect(due == given, f"{at}: {field} is {due}, not {given}")


def _redo(hand: Hand, move: RecordedMove, at: str) -> None:
    try:
        action = hand.tables.parse(move.action)
        if move.seat != hand.to_act or action not in hand.allowed:
            raise refuse(hand, Seat(move.seat), action)
    except (IllegalAction, NotationError) as error:
        raise RecordError(f"{at}: {error}") from error
    forced = len(hand.legal) == 1
    _expect(
        forced == (move.mover is Mover.FORCED),
        f"{at}: {move.action!r} is marked {move.mover.value}, and {len(hand.legal)} were legal",
    )
    if move.mover is Mover.STAND_IN:
        first = hand.legal[0].text
        _expect(move.action == first, f"{at}: the stand-in plays {first!r}, not {move.action!r}")
    hand.apply(action)


def result_of(hand: Hand, settlement: Settlement) -> HandResult:
    """The recorded form of a scored hand."""
    ledger = settlement.ledger
    return HandResult(
        settlement.made,
        (hand.tricks[0], hand.tricks[1]),
        settlement.points,
        ledger.scores,
        ledger.tokens,
        ledger.token_debt,
        ledger.hlm_debt,
    )


def _verify_end(half: GameRecord, game: Game, where: str) -> None:
    kind = half.ending.kind
    if not kind.is_forfeit and kind is not EndingKind.ARENA_FAULT:
        _expect(half.ending.seat is None, f"{where}: it is {kind.value}, so no seat is at fault")
    if kind is EndingKind.STOPPED:
        _expect(not half.hands, f"{where}: a stopped half keeps no hands")
        _verify_undecided(half, where)
    elif kind is EndingKind.COMPLETED:
        _expect(game.result is not None, f"{where}: it is marked completed and is not over")
        assert game.result is not None
        _expect(half.winner == game.result.winner, f"{where}: the winner is {game.result.winner}")
        _expect(half.end is game.result.end, f"{where}: it ended by {game.result.end.value}")
    else:
        _expect(
            game.result is None, f"{where}: it is marked {kind.value} and was played to its end"
        )
        _verify_broken_off(half, where)
    _expect(half.scores == game.ledger.scores, f"{where}: the scores are {game.ledger.scores}")


def _verify_undecided(half: GameRecord, where: str) -> None:
    _expect(half.winner is None, f"{where}: it is {half.ending.kind.value} and has no winner")
    _expect(half.end is None, f"{where}: it is {half.ending.kind.value} and has no regular end")


def _verify_broken_off(half: GameRecord, where: str) -> None:
    kind, seat = half.ending.kind, half.ending.seat
    if not kind.is_forfeit:
        _verify_undecided(half, where)
        return
    _expect(half.end is None, f"{where}: a forfeit has no regular end")
    _expect(seat is not None and 0 <= seat < 4, f"{where}: a forfeit names the seat at fault")
    assert seat is not None
    _expect(half.winner == 1 - (seat & 1), f"{where}: the side that did not forfeit wins")
    counted = getattr(half.seats[seat].faults, kind.value) > 0
    _expect(counted, f"{where}: seat {seat} forfeited by {kind.value} and has no such fault")


def _words(verdict: object) -> str:
    return ", ".join(str(part) for part in _flat(verdict))


def _flat(verdict: object) -> Iterator[object]:
    assert isinstance(verdict, tuple)
    for part in verdict:
        yield getattr(part, "value", part)


def _expect(condition: bool, sentence: str) -> None:
    if not condition:
        raise RecordError(sentence)
