"""Games fed to sessions as the arena would send them, without a network.

One session holds all four seats, each as a table of its own, so that every answer and every view
of a game can be looked at in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from arena.rules import Action, Dealer, Game, Hand, Variant, View, tables_of, view_of
from arena.sdk import Bot
from arena.sdk.session import Session
from arena.v1 import referee_pb2
from arena.wire.actions import ActionReader
from arena.wire.variants import variant_message
from arena.wire.views import PublicEncoder, write_decision

MATCH_ID = 7
SEED = bytes(range(32))


def silent(_: str) -> None:
    """Says nothing."""


def failing(error: BaseException) -> None:
    """Lets the bot's error through."""
    raise error


def ready() -> None:
    """Nobody waits for answers here."""


def session_for(bot: type[Bot], *, say: Callable[[str], None] = silent) -> Session:
    """A session without a network."""
    return Session(bot, say=say, ready=ready, fail=failing)


class Asked(NamedTuple):
    """A decision that was put: what the engine says, and the item that was made of it."""

    view: View
    legal: tuple[Action, ...]
    item: referee_pb2.Item


class Feeder:
    """Makes the items of one session in order."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.encoder = PublicEncoder()
        self.sequence = 0
        self.decisions = 0

    def item(self) -> referee_pb2.Item:
        """An empty item with the next sequence number."""
        self.sequence += 1
        return referee_pb2.Item(sequence=self.sequence)

    def opening(self, seats: tuple[int, ...] = (0, 1, 2, 3)) -> Iterator[referee_pb2.Item]:
        """The items that begin a match and one table for each seat; its id is the seat + 1."""
        item = self.item()
        item.match_start.match_id = MATCH_ID
        item.match_start.variant.CopyFrom(variant_message(self.variant))
        item.match_start.max_faults = 3
        item.match_start.time_control.bank_ms = 60_000
        yield item
        for seat in seats:
            item = self.item()
            start = item.game_start
            start.match_id, start.table_id, start.seat = MATCH_ID, seat + 1, seat
            start.bot_seed = b"chance" + bytes([0, seat])
            yield item

    def decision(self, hand: Hand) -> Asked:
        """The question to the seat to act."""
        seat = hand.to_act
        view = view_of(hand, seat)
        item = self.item()
        self.decisions += 1
        item.decision.decision_id = self.decisions
        item.decision.table_id = seat + 1
        item.decision.time_left_ms = 10_000
        item.decision.bank_left_ms = 60_000
        item.decision.last_latency_us = 123
        write_decision(item.decision, view, hand.legal, self.encoder)
        return Asked(view, hand.legal, item)


def deal(variant: Variant, *, name: str = "feeder", board: int = 0) -> Hand:
    """A hand of the game's first dealer from 0-0."""
    return Game(variant).deal(Dealer(SEED).deal(variant, name, board))


def answered(session: Session, variant: Variant) -> list[tuple[int, Action | None]]:
    """What the session would send now: decision ids and actions."""
    request = session.request()
    if request is None:
        return []
    reader = ActionReader(tables_of(variant))
    return [(answer.decision_id, reader.read(answer.action)) for answer in request.answers.answers]


def play_hand(session: Session, feeder: Feeder, hand: Hand) -> Iterator[Asked]:
    """Play ``hand`` with the session's answers; yields each question before it is put.

    A seat with one legal action is not asked (rules A1).
    """
    while hand.legal:
        if len(hand.legal) == 1:
            hand.apply(hand.legal[0])
            continue
        asked = feeder.decision(hand)
        yield asked
        session.take(asked.item)
        [(decision_id, action)] = answered(session, feeder.variant)
        assert decision_id == asked.item.decision.decision_id
        assert action is not None
        hand.apply(action)


def play_game(session: Session, feeder: Feeder, *, name: str, hands: int) -> Iterator[Asked]:
    """Play a game of at most ``hands`` hands."""
    game = Game(feeder.variant)
    dealer = Dealer(SEED)
    for board in range(hands):
        if game.result is not None:
            return
        hand = game.deal(dealer.deal(feeder.variant, name, board))
        yield from play_hand(session, feeder, hand)
        game.score(hand)
