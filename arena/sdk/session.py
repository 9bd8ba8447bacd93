"""What a session does with the items it is sent: tables come and go, bots are asked.

Nothing here knows the network: items go in by ``take``, requests come out of ``request``.  A
resumed stream may bring items and questions again; items are dropped by their sequence number,
and a question that was answered before gets the same answer without asking the bot again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from inspect import iscoroutinefunction
from typing import Any, Final, cast

from arena.rules import Action, RulesError
from arena.sdk.bot import Bot, wants_hands
from arena.sdk.decode import ArenaError
from arena.sdk.table import Table
from arena.sdk.values import Match, read_game, read_hand, read_match
from arena.v1 import referee_pb2
from arena.wire.actions import Key
from arena.wire.enums import UnknownValue

MAX_ANSWERS: Final = 1024
"""The most that one request may carry (the contract's bound)."""

MAX_UNACKNOWLEDGED: Final = 256
"""Items taken in without an answer due after which an empty request acknowledges them."""


class BotError(Exception):
    """The bot's own bug, such as an ``act`` that returned no action. One sentence."""


def no_action(bot: Bot, answer: object) -> BotError:
    """What to say where ``act`` returned no action of the variant."""
    return BotError(
        f"{type(bot).__name__}.act returned {answer!r}; it must return one of the legal actions"
    )


class Session:
    """The tables of one session.

    Attributes:
        acknowledged: the sequence number of the last item taken in.
        answers: what is to be sent: decision ids and the wire numbers of actions.
    """

    def __init__(
        self,
        bot: type[Bot],
        *,
        say: Callable[[str], None],
        ready: Callable[[], None],
        fail: Callable[[BaseException], None],
    ) -> None:
        """Args:
        bot: the class of which each table gets an instance.
        say: takes one line for the bot's author.
        ready: called when an ``async`` bot has answered.
        fail: called with the exception that an ``async`` bot has raised.
        """
        self.acknowledged = 0
        self.answers: list[tuple[int, Key]] = []
        self._bot = bot
        self._say = say
        self._ready = ready
        self._fail = fail
        self._is_async = iscoroutinefunction(bot.act)
        self._told = 0
        self._matches: dict[int, Match] = {}
        self._tables: dict[int, Table] = {}
        self._thinking: dict[int, asyncio.Task[None]] = {}
        self._events: dict[str, Callable[[referee_pb2.Item], None]] = {
            "match_start": self._start_match,
            "game_start": self._start_game,
            "rejected": self._reject,
            "hand_finished": self._finish_hand,
            "game_finished": self._finish_game,
            "match_finished": self._finish_match,
        }

    @property
    def wants_hands(self) -> bool:
        """Whether the bot asks for ``hand_finished``."""
        return wants_hands(self._bot)

    def begin(self) -> None:
        """A new session: nothing of an earlier one is left."""
        for table_id in list(self._tables):
            self._close(table_id)
        self._matches.clear()
        self.answers.clear()
        self.acknowledged = self._told = 0

    def resume(self) -> None:
        """The same session on a new stream: what was not sent will be asked again."""
        self.answers.clear()

    def tell(self, _: referee_pb2.PlayResponse) -> None:
        """A bot is told of games alone."""

    def take(self, item: referee_pb2.Item) -> None:
        """Take in one item.

        Raises:
            ArenaError: it makes no sense.
            BotError: the bot returned no action. Whatever else the bot raises goes through.
        """
        sequence = item.sequence
        arm = item.WhichOneof("item")
        if arm == "decision":
            self._decide(item.decision)
        elif sequence > self.acknowledged and (event := self._events.get(arm or "")) is not None:
            try:
                event(item)
            except (RulesError, UnknownValue) as error:
                raise ArenaError(f"the arena sent a {arm} that makes no sense: {error}") from error
        if sequence > self.acknowledged:
            self.acknowledged = sequence

    def request(self) -> referee_pb2.PlayRequest | None:
        """What is to be sent now, None for nothing."""
        answers = self.answers
        if not answers and self.acknowledged - self._told < MAX_UNACKNOWLEDGED:
            return None
        self.answers = answers[MAX_ANSWERS:]
        request = referee_pb2.PlayRequest(acknowledged=self.acknowledged)
        self._told = self.acknowledged
        messages = request.answers
        messages.SetInParent()
        add = messages.answers.add
        for decision_id, (kind, card, bid, call) in answers[:MAX_ANSWERS]:
            message = add()
            message.decision_id = decision_id
            action = message.action
            # Plain numbers: the stubs want the enums' own types.
            action.kind = kind  # type: ignore[assignment]
            if card:
                action.card = card  # type: ignore[assignment]
            if bid:
                action.bid = bid
            if call:
                action.call = call  # type: ignore[assignment]
        return request

    # Questions.

    def _decide(self, decision: referee_pb2.Decision) -> None:
        table = self._tables.get(decision.table_id)
        if table is None:
            raise ArenaError(f"the arena asked at table {decision.table_id}, which it never opened")
        if decision.decision_id == table.decision_id:
            self._repeat(table)
            return
        view, legal = table.ask(decision)
        answer = table.bot.act(view, legal)
        if self._is_async:
            self._think(decision.table_id, table, answer)
        else:
            self._answer(table, answer)

    def _repeat(self, table: Table) -> None:
        """The same question again: after a resume. One that is still thought over can wait."""
        if table.answer is not None:
            self._answer(table, table.answer)

    def _answer(self, table: Table, answer: object) -> None:
        key = table.key(answer) if isinstance(answer, Action) else None
        if key is None:
            raise no_action(table.bot, answer)
        table.answer = cast("Action", answer)
        self.answers.append((table.decision_id, key))

    def _think(self, table_id: int, table: Table, answer: Action | Awaitable[Action]) -> None:
        if not isinstance(answer, Coroutine):
            self._answer(table, answer)
            return
        self._stop_thinking(table_id)
        task = asyncio.create_task(self._wait_for(table, table.decision_id, answer))
        self._thinking[table_id] = task
        task.add_done_callback(self._thought)

    async def _wait_for(
        self, table: Table, decision_id: int, answer: Coroutine[Any, Any, Action]
    ) -> None:
        action = await answer
        if decision_id == table.decision_id:
            self._answer(table, action)
            self._ready()

    def _thought(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._fail(error)

    def _stop_thinking(self, table_id: int) -> None:
        task = self._thinking.pop(table_id, None)
        if task is not None:
            task.cancel()

    # Events.

    def _start_match(self, item: referee_pb2.Item) -> None:
        message = item.match_start
        self._matches[message.match_id] = read_match(message)

    def _start_game(self, item: referee_pb2.Item) -> None:
        message = item.game_start
        match = self._matches.get(message.match_id)
        if match is None:
            raise ArenaError(f"the arena began a game of match {message.match_id}, unknown here")
        self._tables[message.table_id] = Table.opened(self._bot, match, message)

    def _reject(self, item: referee_pb2.Item) -> None:
        message = item.rejected
        table = next(
            (t for t in self._tables.values() if t.decision_id == message.decision_id), None
        )
        answer = table.answer if table is not None else None
        what = f"the answer {answer.text!r}" if answer is not None else "a message"
        paragraph = f" (rules {message.paragraph})" if message.paragraph else ""
        self._say(f"the arena did not take {what}: {message.text}{paragraph}")
        if message.open and table is not None and answer is not None and not table.refused:
            first = table.legal(table.decision.legal[:1])[0]
            self._say(f"answered {first.text!r} in its place; this counts as a fault of the bot")
            table.refused = True
            self._answer(table, first)

    def _finish_hand(self, item: referee_pb2.Item) -> None:
        message = item.hand_finished
        table = self._tables.get(message.table_id)
        if table is not None:
            table.bot.hand_finished(read_hand(message.hand, table.bot.variant))

    def _finish_game(self, item: referee_pb2.Item) -> None:
        message = item.game_finished
        table = self._tables.get(message.table_id)
        if table is not None:
            table.bot.game_finished(read_game(message))
            self._close(message.table_id)

    def _finish_match(self, item: referee_pb2.Item) -> None:
        match_id = item.match_finished.match_id
        self._matches.pop(match_id, None)
        for table_id, table in list(self._tables.items()):
            if table.match_id == match_id:
                self._close(table_id)

    def _close(self, table_id: int) -> None:
        self._stop_thinking(table_id)
        self._tables.pop(table_id, None)
