"""One session as the script plays it: tables, questions, and a strict look at what comes back."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final

import grpc

import arena
from arena.conformance.asked import Asked, Deliver, Heard, Table
from arena.conformance.listener import Coming
from arena.conformance.positions import Position
from arena.conformance.questions import Questions
from arena.conformance.streams import Silence, Stream, StreamEnded
from arena.conformance.verdicts import StepFailed
from arena.referee.seat import Question
from arena.rules.cards import Seat
from arena.rules.record import Ending, EndingKind
from arena.rules.variant import Variant
from arena.rules.view import view_of
from arena.server.outbox import RESUME_BUFFER
from arena.server.play import MAX_REQUEST_BYTES, PROTOCOL_VERSION
from arena.v1 import referee_pb2
from arena.wire.records import ending_message
from arena.wire.variants import variant_message
from arena.wire.views import PublicEncoder, decision_bytes

ANSWER_SECONDS: Final = 10.0
"""How long an answer is waited for, where its lateness is not the matter."""
BANK_MS: Final = 10_000
INCREMENT_MS: Final = 100
DECISION_MS: Final = 2_000
MOST_ITEMS: Final = 64
"""Items in a message, as the arena has it."""
BOT_SEED: Final = bytes(range(8))

_TIME: Final = referee_pb2.TimeControl(
    bank_ms=BANK_MS, increment_ms=INCREMENT_MS, decision_ms=DECISION_MS
)


class Session:
    """A session; outlives its streams.

    Attributes:
        token: what the bot showed.
        secret: the session token.
        hello: the Hello that began it.
        stream: its stream at present.
        sequence: of the last item sent.
        acknowledged: what the last request acknowledged.
        usable: whether another step can go on with it.
    """

    def __init__(self, coming: Coming, died: Callable[[], Awaitable[str]]) -> None:
        """Args:
        coming: the stream that began it.
        died: says how the bot's process ended, if it ends about now; empty where it runs on or
                is none of ours.
        """
        self.hello = coming.hello.hello
        self.token = self.hello.token
        self.secret = secrets.token_hex(16)
        self.stream: Stream = coming.stream
        self.sequence = 0
        self.acknowledged = 0
        self.usable = True
        self.heard = Heard()
        self._died = died
        self._decisions = 0
        self._events: deque[referee_pb2.Item] = deque(maxlen=RESUME_BUFFER)
        self._questions = Questions()
        self._matches: dict[Variant, int] = {}

    @property
    def tables(self) -> int:
        """How many tables the bot takes at once."""
        return max(1, self.hello.tables)

    # Sending.

    async def welcome(self, *, resumed: bool = False) -> None:
        """Accept the Hello."""
        chair = self.hello.chair or referee_pb2.CHAIR_FIRST
        welcome = referee_pb2.Welcome(
            session_token=self.secret,
            resumed=resumed,
            protocol_version=PROTOCOL_VERSION,
            chair=chair,
            lane=self.hello.lane or referee_pb2.LANE_A,
            tables=self.tables,
            max_request_bytes=MAX_REQUEST_BYTES,
            server_version=arena.__version__,
        )
        await self.respond(referee_pb2.PlayResponse(welcome=welcome))

    async def respond(self, response: referee_pb2.PlayResponse) -> None:
        """Send any response.

        Raises:
            StepFailed: the stream is gone.
        """
        try:
            await self.stream.send(response)
        except StreamEnded as error:
            raise await self._gone() from error

    async def send(self, *items: referee_pb2.Item) -> None:
        """Number items and send them, in as few messages as the arena would."""
        for start in range(0, len(items), MOST_ITEMS):
            part = items[start : start + MOST_ITEMS]
            for item in part:
                self.sequence += 1
                item.sequence = self.sequence
                if not item.HasField("decision"):
                    self._events.append(item)
            await self.respond(referee_pb2.PlayResponse(items=referee_pb2.Items(items=part)))

    # Items.

    def begin(
        self, variant: Variant, seat: Seat, *, bot_seed: bytes = BOT_SEED
    ) -> tuple[Table, list[referee_pb2.Item]]:
        """A game begins, its match too if it is the first; what the bot is to be told."""
        items = []
        match_id = self._matches.get(variant)
        if match_id is None:
            match_id = self._matches[variant] = new_id()
            start = referee_pb2.MatchStart(
                match_id=match_id,
                variant=variant_message(variant),
                time_control=_TIME,
                max_faults=3,
            )
            items.append(referee_pb2.Item(match_start=start))
        table = Table(match_id, new_id(), seat)
        game = referee_pb2.GameStart(
            match_id=match_id, table_id=table.table_id, seat=seat, bot_seed=bot_seed
        )
        return table, [*items, referee_pb2.Item(game_start=game)]

    def question(
        self,
        table: Table,
        position: Position,
        *,
        bank_ms: int = BANK_MS,
        time_ms: int = DECISION_MS,
    ) -> tuple[Asked, referee_pb2.Item]:
        """A question is put; its item."""
        hand = position.hand
        question = Question(
            view_of(hand, position.seat),
            hand.legal,
            bank_ms * 1000,
            time_ms * 1000,
            0,
            position.forced,
            (),
        )
        asked, item = self.question_of(table, position.variant, question, PublicEncoder(), None)
        asked.position = position
        return asked, item

    def question_of(
        self,
        table: Table,
        variant: Variant,
        question: Question,
        public: PublicEncoder,
        deliver: Deliver | None,
    ) -> tuple[Asked, referee_pb2.Item]:
        """A question of the referee's is put; its item.

        Args:
            table: where.
            variant: the rules.
            question: as the referee has it.
            public: of the table.
            deliver: takes the answer, legal or not; None has it judged here.
        """
        self._decisions += 1
        fields = decision_bytes(
            question.view,
            question.legal,
            public,
            forced=question.forced,
            stood_in=question.stood_in,
        )
        item = referee_pb2.Item()
        decision = item.decision
        decision.MergeFromString(fields)
        decision.decision_id = self._decisions
        decision.table_id = table.table_id
        decision.bank_left_ms = question.bank // 1000
        decision.time_left_ms = min(question.bank, question.limit) // 1000
        decision.last_latency_us = question.last_latency
        asked = Asked(variant, decision, deliver=deliver)
        self._questions.put(asked)
        return asked, item

    def finish(self, table: Table, kind: EndingKind = EndingKind.COMPLETED) -> referee_pb2.Item:
        """A game is over; the item."""
        ending = ending_message(Ending(kind, None, "played to the end"))
        finished = referee_pb2.GameFinished(
            table_id=table.table_id, winner=1, scores=(12, 33), ending=ending
        )
        return referee_pb2.Item(game_finished=finished)

    def finish_match(self, variant: Variant) -> referee_pb2.Item:
        """A match is over; the item."""
        match_id = self._matches.pop(variant)
        return referee_pb2.Item(match_finished=referee_pb2.MatchFinished(match_id=match_id))

    def withdraw(self, asked: Asked) -> None:
        """A question is closed without an answer; one that is under way is forgiven."""
        self._questions.withdraw(asked)

    def reopen(self, asked: Asked) -> None:
        """A question is open again after its answer."""
        self._questions.reopen(asked)

    # Playing.

    async def ask(self, *wanted: Position) -> list[Asked]:
        """Ask about positions, as many at once as the bot takes tables; the answered questions."""
        answered: list[Asked] = []
        for start in range(0, len(wanted), self.tables):
            answered += await self._ask_at_once(wanted[start : start + self.tables])
        return answered

    async def _ask_at_once(self, wanted: Sequence[Position]) -> list[Asked]:
        items: list[referee_pb2.Item] = []
        tables: list[Table] = []
        asked: list[Asked] = []
        for position in wanted:
            table, start = self.begin(position.variant, position.seat)
            question, item = self.question(table, position)
            items += [*start, item]
            tables.append(table)
            asked.append(question)
        await self.send(*items)
        await self.answers(asked)
        await self.send(*map(self.finish, tables))
        return asked

    async def answers(self, asked: Iterable[Asked], *, seconds: float | None = None) -> None:
        """Wait until these questions are answered, each legally and once.

        Args:
            asked: the questions; those that are closed are not waited for.
            seconds: how long to wait; None for as long as it takes where time is not the matter.

        Raises:
            StepFailed: one is not.
        """
        seconds = ANSWER_SECONDS if seconds is None else seconds
        wanted = [one for one in asked if self._questions.is_open(one)]
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while left := [one for one in wanted if self._questions.is_open(one)]:
            try:
                await self.hear(max(0.0, end - loop.time()))
            except Silence as error:
                raise self.unanswered(left, seconds) from error

    def unanswered(self, left: Sequence[Asked], seconds: float) -> StepFailed:
        """What to say where questions were not answered in time."""
        count = "the question" if len(left) == 1 else f"{len(left)} questions"
        return StepFailed(
            f"the bot did not answer {count} within {seconds:g} seconds",
            expected="an answer to each question, with its decision_id and one of legal",
            sent=left[0].decision,
        )

    async def hear(self, seconds: float) -> referee_pb2.PlayRequest:
        """Take the next request, with the answers in it.

        Raises:
            Silence: none came in time.
            StepFailed: the stream is gone, or the request is not what may come now.
        """
        try:
            request = await self.stream.next(seconds)
        except StreamEnded as error:
            raise await self._gone() from error
        self._acknowledge(request.acknowledged)
        match request.WhichOneof("message"):
            case "answers":
                self._take(request.answers)
            case "hello":
                raise StepFailed(
                    "the bot sent a second Hello", expected="Hello is sent once, first"
                )
            case "goodbye":
                self.usable = False
                raise StepFailed(
                    f"the bot said goodbye: {request.goodbye.text!r}",
                    expected="it plays on until the arena says goodbye or SIGTERM comes",
                )
            case _:
                self.heard.armless += 1
        return request

    async def quiet(self, seconds: float, *, expected: str) -> None:
        """See that nothing comes for a while but acknowledgements.

        Raises:
            StepFailed: something did.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while (left := end - loop.time()) > 0:
            try:
                request = await self.hear(left)
            except Silence:
                return
            if request.answers.answers:
                raise StepFailed("the bot answered", expected=expected, came=request)

    async def _gone(self) -> StepFailed:
        self.usable = False
        how = await self._died()
        return StepFailed(
            how or "the bot ended its stream", expected="it stays until the arena says goodbye"
        )

    def _acknowledge(self, sequence: int) -> None:
        if sequence > self.sequence:
            raise StepFailed(
                f"the bot acknowledged item {sequence}, and the last one sent was {self.sequence}",
                expected="acknowledged is the sequence of the last item taken in",
            )
        self.acknowledged = sequence

    def _take(self, answers: referee_pb2.Answers) -> None:
        if answers.answers:
            self.heard.messages += 1
        else:
            self.heard.empty += 1
        for answer in answers.answers:
            self._questions.judge(answer)

    # Streams.

    def drop(self, *, bare: bool = False) -> None:
        """Lose the stream: with a status as of a broken connection, or with a bare end."""
        code = None if bare else grpc.StatusCode.UNAVAILABLE
        self.stream.end(code, "the connection is lost")

    async def take_up(self, coming: Coming) -> None:
        """Go on with a stream that resumes this session."""
        self.stream = coming.stream
        self.acknowledged = coming.hello.acknowledged
        await self.welcome(resumed=True)
        lacked = [item for item in self._events if item.sequence > self.acknowledged]
        for start in range(0, len(lacked), MOST_ITEMS):
            part = referee_pb2.Items(items=lacked[start : start + MOST_ITEMS])
            await self.respond(referee_pb2.PlayResponse(items=part))

    async def start_anew(self, coming: Coming) -> None:
        """Go on with a stream that begins a new session of the same bot."""
        self.stream = coming.stream
        self.hello = coming.hello.hello
        self.secret = secrets.token_hex(16)
        self.sequence = self.acknowledged = 0
        self._events.clear()
        self._questions.clear()
        self._matches.clear()
        await self.welcome()


def new_id() -> int:
    """A name without meaning."""
    return secrets.randbits(31) | 1
