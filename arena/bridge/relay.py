"""What is said between the arena and a program: items go to it as lines, its lines are answers.

The program is asked once.  What belongs to the connection stays here: acknowledgements, questions
that come again after a break, answers that the arena refuses, and the messages in which answers go.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, assert_never

from arena.bridge.child import Child
from arena.bridge.lines import (
    Chatter,
    LineError,
    Parting,
    Replies,
    Reply,
    items_line,
    json_of,
    line_of,
    read_line,
    shown,
)
from arena.sdk.session import MAX_ANSWERS, MAX_UNACKNOWLEDGED, BotError
from arena.v1 import action_pb2, referee_pb2

MAX_USELESS: Final = 10_000
"""Lines in a row that answer nothing after which the program is given up."""

_TELLINGS: Final = 5
"""How often the same mistake is told."""

# A program answers line by line. While it works through what it was asked, answers wait this long
# for the next ones; a message costs more than an answer.
_HOLD_SECONDS: Final = 0.01
_MANY_ANSWERS: Final = 64


@dataclass(frozen=True, slots=True)
class Manner:
    """What a program wants otherwise.

    Attributes:
        batches: a line holds all items of a message, not one alone.
        hands: it wants ``hand_finished``.
    """

    batches: bool = False
    hands: bool = False


class Question:
    """The last question at a table; ``answer`` is None while it is open."""

    __slots__ = ("answer", "decision", "refused")

    def __init__(self, decision: referee_pb2.Decision) -> None:
        self.decision = decision
        self.answer: action_pb2.Action | None = None
        self.refused = False


class Relay:
    """The conversation of a program.

    Attributes:
        acknowledged: the sequence number of the last item taken in.
        answers: what is to be sent.
    """

    def __init__(
        self,
        child: Child,
        manner: Manner,
        *,
        say: Callable[[str], None],
        ready: Callable[[], None],
        fail: Callable[[BaseException], None],
        leave: Callable[[], None],
    ) -> None:
        """Args:
        child: the program.
        manner: how it wants to be told.
        say: takes one line for the bot's author.
        ready: called when answers are to be sent.
        fail: called with a `BotError` when the program can play no more.
        leave: called when the program says goodbye.
        """
        self.acknowledged = 0
        self.answers: list[referee_pb2.Answer] = []
        self._child = child
        self._manner = manner
        self._say = say
        self._ready = ready
        self._fail = fail
        self._leave = leave
        self._acknowledged_so_far = 0
        self._matches: dict[int, int] = {}
        self._tables: dict[int, Question] = {}
        self._questions: dict[int, Question] = {}
        self._waiting = 0
        self._items: list[str] = []
        self._hold: asyncio.TimerHandle | None = None
        self._useless = 0
        self._told: Counter[str] = Counter()
        child.hear = self.hear
        child.lost = self._lose

    @property
    def wants_hands(self) -> bool:
        """Whether the program asks for ``hand_finished``."""
        return self._manner.hands

    # From the arena.

    def begin(self) -> None:
        """A new session: nothing of an earlier one is left."""
        for known in (self._matches, self._tables, self._questions, self.answers, self._items):
            known.clear()
        self.acknowledged = self._acknowledged_so_far = self._waiting = 0
        self._hold_no_more()

    def resume(self) -> None:
        """The same session on a new stream: what was not sent will be asked again."""
        self.answers.clear()
        self._hold_no_more()

    def tell(self, response: referee_pb2.PlayResponse) -> None:
        """Pass on what concerns no table; of a resumed session the program knows nothing."""
        if response.welcome.resumed:
            return
        told = referee_pb2.PlayResponse()
        told.CopyFrom(response)
        if told.HasField("welcome"):
            told.welcome.ClearField("session_token")
        self._pass_items_on()
        self._child.write(line_of(told))

    def take(self, item: referee_pb2.Item) -> None:
        """Take in one item, and pass it on unless the program has seen it."""
        sequence = item.sequence
        is_new = sequence > self.acknowledged
        if is_new:
            self.acknowledged = sequence
        match item.WhichOneof("item"):
            case "decision":
                self._ask(item)
                return
            case "rejected" if is_new:
                self._reject(item.rejected)
            case "game_start" if is_new:
                self._matches[item.game_start.table_id] = item.game_start.match_id
            case "game_finished" if is_new:
                self._close(item.game_finished.table_id)
            case "match_finished" if is_new:
                self._close_match(item.match_finished.match_id)
            case None:
                return  # a later version's item (the contract: ignore it)
            case _:
                pass
        if is_new:
            self._pass_on(item)

    def request(self) -> referee_pb2.PlayRequest | None:
        """What is to be sent now, None for nothing."""
        answers = self.answers
        if not answers and self.acknowledged - self._acknowledged_so_far < MAX_UNACKNOWLEDGED:
            return None
        self.answers = answers[MAX_ANSWERS:]
        self._acknowledged_so_far = self.acknowledged
        self._hold_no_more()
        message = referee_pb2.Answers(answers=answers[:MAX_ANSWERS])
        return referee_pb2.PlayRequest(acknowledged=self.acknowledged, answers=message)

    def _ask(self, item: referee_pb2.Item) -> None:
        decision = item.decision
        known = self._tables.get(decision.table_id)
        if known is not None and known.decision.decision_id == decision.decision_id:
            if known.answer is not None:
                self._send(known, known.answer)
            return
        if known is not None and known.answer is None:
            number = known.decision.decision_id
            self._tell("late", f"{self._child.name} did not answer decision {number} in time")
        self._forget(known)
        question = Question(decision)
        self._tables[decision.table_id] = self._questions[decision.decision_id] = question
        self._waiting += 1
        self._pass_on(item)

    def _reject(self, message: referee_pb2.Rejected) -> None:
        question = self._questions.get(message.decision_id)
        answer = question.answer if question is not None else None
        what = f"the answer {json_of(answer)}" if answer is not None else "a message"
        paragraph = f" (rules {message.paragraph})" if message.paragraph else ""
        self._say(f"the arena did not take {what}: {message.text}{paragraph}")
        if not message.open or question is None or answer is None or question.refused:
            return
        if question.decision.legal:
            first = question.decision.legal[0]
            self._say(f"answered {json_of(first)} in its place; this counts as a fault of the bot")
            question.refused = True
            self._send(question, first)

    def _close_match(self, match_id: int) -> None:
        for table_id in [table for table, match in self._matches.items() if match == match_id]:
            self._close(table_id)

    def _close(self, table_id: int) -> None:
        self._matches.pop(table_id, None)
        self._forget(self._tables.pop(table_id, None))

    def _forget(self, question: Question | None) -> None:
        if question is not None:
            self._questions.pop(question.decision.decision_id, None)
            self._waiting -= question.answer is None

    # To the program.

    def _pass_on(self, item: referee_pb2.Item) -> None:
        """With the next turn of the loop: what came in one message is written at once."""
        if not self._items:
            asyncio.get_running_loop().call_soon(self._pass_items_on)
        self._items.append(json_of(item))

    def _pass_items_on(self) -> None:
        items, self._items = self._items, []
        if not items:
            return
        groups = [items] if self._manner.batches else [[item] for item in items]
        self._child.write("".join(map(items_line, groups)))

    # From the program.

    def hear(self, lines: list[bytes]) -> None:
        """Take in lines that the program wrote."""
        for line in lines:
            try:
                self._understand(line)
            except LineError as error:
                self._lose(f"{self._child.name} wrote a line that {error}: {shown(line)}")
                return
        self._check_use()
        self._release()

    def _understand(self, line: bytes) -> None:
        match read_line(line):
            case Replies(replies):
                self._useless += not replies
                for reply in replies:
                    self._answer(reply)
            case Parting():
                self._leave()
            case Chatter():
                self._hear_chatter(line)
            case unknown:
                assert_never(unknown)

    def _hear_chatter(self, line: bytes) -> None:
        if not line.strip():
            self._useless += 1  # no mistake that has to be told, as long as it ends
            return
        self._waste(
            "chatter",
            f"{self._child.name} wrote what is no message: {shown(line)}; "
            "debugging output belongs on standard error",
        )

    def _answer(self, reply: Reply) -> None:
        question = self._questions.get(reply.decision_id)
        if question is None or question.answer is not None:
            self._waste(
                "unknown",
                f"{self._child.name} answered decision {reply.decision_id}, which is not open: "
                "never asked, answered already, or too late",
            )
            return
        self._useless = 0
        self._waiting -= 1
        self._send(question, self._action(question, reply))

    def _action(self, question: Question, reply: Reply) -> action_pb2.Action:
        """The action meant; an empty one, which the arena refuses, where there is none."""
        legal = question.decision.legal
        if reply.action is not None:
            return reply.action
        if reply.index is not None and reply.index < len(legal):
            return legal[reply.index]
        wrong = "something that is no action"
        if reply.index is not None:
            wrong = f"index {reply.index} of {len(legal)} legal actions, counted from 0"
        self._tell(
            "wrong", f"{self._child.name} answered decision {reply.decision_id} with {wrong}"
        )
        return action_pb2.Action()

    def _send(self, question: Question, action: action_pb2.Action) -> None:
        question.answer = action
        number = question.decision.decision_id
        self.answers.append(referee_pb2.Answer(decision_id=number, action=action))

    def _release(self) -> None:
        """Have answers sent: when nothing is left to be answered, or these are many, or soon."""
        if not self.answers:
            return
        if self._waiting == 0 or len(self.answers) >= _MANY_ANSWERS:
            self._ready()
        elif self._hold is None:
            self._hold = asyncio.get_running_loop().call_later(_HOLD_SECONDS, self._held)

    def _held(self) -> None:
        self._hold = None
        self._ready()

    def _hold_no_more(self) -> None:
        if self._hold is not None:
            self._hold.cancel()
            self._hold = None

    # What is wrong with it.

    def _waste(self, kind: str, sentence: str) -> None:
        """A line that answers nothing."""
        self._tell(kind, sentence)
        self._useless += 1

    def _check_use(self) -> None:
        if self._useless >= MAX_USELESS:
            count = f"{MAX_USELESS:,} lines in a row"
            self._lose(f"{self._child.name} wrote {count} that answer nothing")

    def _tell(self, kind: str, sentence: str) -> None:
        self._told[kind] += 1
        if self._told[kind] <= _TELLINGS:
            last = self._told[kind] == _TELLINGS
            self._say(f"{sentence} (more of this kind is not told)" if last else sentence)

    def _lose(self, sentence: str) -> None:
        self._fail(BotError(sentence))
