"""A bot as a seat of the referee's, asked by a plain call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import isawaitable

from arena.referee.seat import Question, Refusal, Reply, Take
from arena.rules import Action
from arena.rules.record import GameRecord, HandRecord
from arena.sdk.bot import Bot, wants_hands
from arena.sdk.local import LocalView, recorded_hand
from arena.sdk.session import no_action
from arena.sdk.values import FinishedGame

Wait = Callable[[Awaitable[Action]], Action]
"""Waits for the answer of a bot whose ``act`` is ``async``."""


class LabSeat:
    """A seat at which a bot of this process sits.

    An action that is not legal is refused, counts as a fault, and is replaced by the first legal
    one, as the kit does it.
    """

    def __init__(self, bot: Bot, wait: Wait) -> None:
        self._bot = bot
        self._wait = wait
        self._texts = bot.tables.texts
        self._legal: tuple[Action, ...] = ()

    def ask(self, question: Question, take: Take) -> None:
        """Ask the bot; ``take`` is called before this returns."""
        self._legal = question.legal
        view = LocalView(
            question.view,
            time_left_ms=min(question.bank, question.limit) // 1000,
            bank_left_ms=question.bank // 1000,
            forced_moves=question.forced,
            stand_in_moves=question.stood_in,
        )
        answer = self._bot.act(view, question.legal)
        action: object = self._wait(answer) if isawaitable(answer) else answer
        if not isinstance(action, Action) or self._texts.get(action.text) is not action:
            raise no_action(self._bot, action)
        take(Reply(action, charged=0, latency=0))

    def ask_again(self, refusal: Refusal, take: Take) -> None:
        """The first legal action in the place of one that was refused."""
        take(Reply(self._legal[0], charged=0, latency=0))

    def hand_finished(self, hand: HandRecord) -> None:
        """Tell the bot, if it wants to know."""
        if wants_hands(type(self._bot)):
            self._bot.hand_finished(recorded_hand(hand, self._bot.variant))

    def game_finished(self, game: GameRecord) -> None:
        """Tell the bot."""
        self._bot.game_finished(FinishedGame(game.winner, game.scores, game.ending))
