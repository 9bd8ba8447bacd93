"""One table of a session: the bot that sits there, its hand's history, its open question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.rules import Action, Move, Seat
from arena.sdk.bot import Bot
from arena.sdk.decode import WIRE_PLAY, ActionTable, action_table
from arena.sdk.values import Match
from arena.sdk.view import View
from arena.v1 import action_pb2, referee_pb2, view_pb2
from arena.wire.actions import Key

# Ids on the wire are never negative.
NO_DECISION: Final = -1


class Table:
    """A table.

    Attributes:
        bot: the instance that plays this game.
        match_id: the match that the game belongs to.
        decision_id: of the last question, answered or not.
        decision: its message.
        answer: the answer given; None while the bot still thinks.
        refused: whether an answer to this question was refused before.
    """

    __slots__ = (
        "_actions",
        "_hand",
        "_history",
        "answer",
        "bot",
        "decision",
        "decision_id",
        "match_id",
        "refused",
    )

    def __init__(self, bot: Bot, match_id: int) -> None:
        self.bot = bot
        self.match_id = match_id
        self.decision_id = NO_DECISION
        self.decision = referee_pb2.Decision()
        self.answer: Action | None = None
        self.refused = False
        self._actions: ActionTable = action_table(bot.tables)
        self._hand = -1
        self._history: list[Move] = []

    @classmethod
    def opened(cls, bot: type[Bot], match: Match, start: referee_pb2.GameStart) -> Table:
        """A table with a new bot at it, which has been told that the game begins."""
        table = cls(bot(match, Seat(start.seat), start.bot_seed), start.match_id)
        table.bot.game_started()
        return table

    def ask(self, decision: referee_pb2.Decision) -> tuple[View, tuple[Action, ...]]:
        """Note the question; give what the bot is to be asked with."""
        self.decision_id = decision.decision_id
        self.decision = decision
        self.answer = None
        self.refused = False
        return View(decision, self), self.legal(decision.legal)

    def legal(self, messages: Sequence[action_pb2.Action]) -> tuple[Action, ...]:
        """The legal actions of a question."""
        if messages and messages[0].kind == WIRE_PLAY:
            plays = self._actions.plays
            return tuple([plays[message.card - 1] for message in messages])
        read = self._actions.read
        return tuple([read(message) for message in messages])

    def key(self, action: Action) -> Key | None:
        """The wire numbers of an action, None where it is none of this variant."""
        return self._actions.keys.get(action)

    def history(self, public: view_pb2.PublicView) -> Sequence[Move]:
        """All moves of the hand; only those that came since the last question are read.

        Views are complete, so what was missed while the stream was down comes along.
        """
        if public.hand_number != self._hand:
            self._hand = public.hand_number
            self._history = []
        history, moves = self._history, public.moves
        known, length = len(history), len(moves)
        if known < length:
            history.extend(self._read(moves[known:]))
        # An older question of the same hand, which a slow bot may still be looking at.
        return history if known <= length else history[:length]

    def latest(self, public: view_pb2.PublicView, count: int) -> tuple[Move, ...]:
        """The last ``count`` moves of the hand."""
        return tuple(self._read(public.moves[-count:]))

    def _read(self, messages: Sequence[action_pb2.Move]) -> list[Move]:
        read = self._actions.read
        return [read(message.action).moves[message.seat] for message in messages]
