"""What a bot is told beside its decisions: the match, finished hands, finished games."""

from __future__ import annotations

from dataclasses import dataclass

from arena.rules import Card, Ledger, Move, Seat, Side, Variant, parse_card, tables_of
from arena.rules.record import Ending
from arena.v1 import record_pb2, referee_pb2
from arena.wire.enums import ENDING_KINDS, UnknownValue
from arena.wire.variants import read_variant


@dataclass(frozen=True, slots=True)
class Match:
    """What holds for all games of a match.

    Attributes:
        variant: the rules, as data.
        bank_ms: time of a seat for a whole game, in milliseconds; 0 where there is no clock.
        increment_ms: added to the bank after each decision.
        decision_ms: the most that one decision may take.
        max_faults: faults at which a game is forfeited, or the stand-in takes over.
        opponent: the opponents' name, empty where the tournament hides it.
    """

    variant: Variant
    bank_ms: int = 0
    increment_ms: int = 0
    decision_ms: int = 0
    max_faults: int = 0
    opponent: str = ""


@dataclass(frozen=True, slots=True)
class FinishedHand:
    """A scored hand with all its cards shown; pairs are by side.

    Attributes:
        dealer: who dealt.
        dealt: the cards of seats 0..3 before any exchange.
        moves: in order, with the cards of the exchange.
        made: whether the contract was made; None for a hand thrown in.
        tricks: taken.
        points: of this hand.
        ledger: after the hand.
    """

    dealer: Seat
    dealt: tuple[tuple[Card, ...], ...]
    moves: tuple[Move, ...]
    made: bool | None
    tricks: tuple[int, int]
    points: tuple[int, int]
    ledger: Ledger


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game that is over.

    Attributes:
        winner: the side that won; None for a draw and for a game without result.
        scores: by side.
        ending: how it ended: a kind, the seat at fault and a sentence; None where it ended in
            a way that this kit is too old to know.
    """

    winner: Side | None
    scores: tuple[int, int]
    ending: Ending | None


def read_match(message: referee_pb2.MatchStart) -> Match:
    """The match of a message.

    Raises:
        UnknownValue: an enum value of a later version.
        VariantError: rules that make no sense.
    """
    time = message.time_control
    return Match(
        variant=read_variant(message.variant),
        bank_ms=time.bank_ms,
        increment_ms=time.increment_ms,
        decision_ms=time.decision_ms,
        max_faults=message.max_faults,
        opponent=message.opponent,
    )


def read_hand(message: record_pb2.HandRecord, variant: Variant) -> FinishedHand:
    """The finished hand of a message.

    Raises:
        NotationError: a card or an action that the variant lacks.
    """
    parse = tables_of(variant).parse
    result = message.result
    return FinishedHand(
        dealer=Seat(message.dealer),
        dealt=tuple(tuple(parse_card(card) for card in hand.cards) for hand in message.dealt),
        moves=tuple(parse(move.action).moves[move.seat] for move in message.moves),
        made=result.made if result.HasField("made") else None,
        tricks=(result.tricks[0], result.tricks[1]),
        points=(result.points[0], result.points[1]),
        ledger=Ledger(
            (result.scores[0], result.scores[1]),
            (result.tokens[0], result.tokens[1]),
            (result.token_debt[0], result.token_debt[1]),
            (result.hlm_debt[0], result.hlm_debt[1]),
        ),
    )


def read_game(message: referee_pb2.GameFinished) -> FinishedGame:
    """The finished game of a message."""
    return FinishedGame(
        winner=Side(message.winner) if message.HasField("winner") else None,
        scores=(message.scores[0], message.scores[1]),
        ending=_read_ending(message.ending),
    )


def _read_ending(message: record_pb2.Ending) -> Ending | None:
    try:
        kind = ENDING_KINDS.member(message.kind)
    except UnknownValue:
        return None
    seat = Seat(message.seat) if message.HasField("seat") else None
    return Ending(kind, seat, message.sentence)
