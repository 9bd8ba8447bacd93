"""Scripted seats: whoever plays, as a test wants it.

``Scripted`` answers inside ``ask`` by a function; ``Waiting`` keeps the question until the test
answers; ``Clocked`` takes its time on a manual clock and is silent past its limits, as a session
would report it.  All of them keep what they were told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from random import Random

from arena.referee.clock import ManualClock, Micros
from arena.referee.seat import ArenaFault, FaultKind, Question, Refusal, Reply, Take
from arena.rules import Action
from arena.rules.record import GameRecord, HandRecord

Answer = Callable[[Question, Refusal | None], Reply | ArenaFault]
"""What comes back: for a question, and for its renewal after a refusal."""

THOUGHT = Micros(1000)


def answer(action: Action | None, *, charged: int = THOUGHT, latency: int | None = None) -> Reply:
    """An answer that took a millisecond, or what is said."""
    return Reply(action, Micros(charged), Micros(charged if latency is None else latency))


def fault(kind: FaultKind, sentence: str = "it did not answer", *, charged: int = 0) -> Reply:
    """No answer."""
    return Reply(None, Micros(charged), Micros(charged), kind, sentence)


class Told:
    """What a seat was told."""

    def __init__(self) -> None:
        self.questions: list[Question] = []
        self.refusals: list[Refusal] = []
        self.hands: list[HandRecord] = []
        self.games: list[GameRecord] = []

    def hand_finished(self, hand: HandRecord) -> None:
        self.hands.append(hand)

    def game_finished(self, game: GameRecord) -> None:
        self.games.append(game)


class Scripted(Told):
    """Answers at once, by a function."""

    def __init__(self, script: Answer) -> None:
        super().__init__()
        self._script = script

    def ask(self, question: Question, take: Take) -> None:
        self.questions.append(question)
        take(self._script(question, None))

    def ask_again(self, refusal: Refusal, take: Take) -> None:
        self.refusals.append(refusal)
        take(self._script(self.questions[-1], refusal))


class Waiting(Told):
    """Waits until the test answers.

    Attributes:
        take: takes the answer to what is asked, None while nothing is.
        asked: set when something is asked.
    """

    def __init__(self) -> None:
        super().__init__()
        self.take: Take | None = None
        self.asked = asyncio.Event()

    def ask(self, question: Question, take: Take) -> None:
        self.questions.append(question)
        self.take = take
        self.asked.set()

    def ask_again(self, refusal: Refusal, take: Take) -> None:
        self.refusals.append(refusal)
        self.take = take
        self.asked.set()

    def reply(self, reply: Reply | ArenaFault) -> None:
        take, self.take = self.take, None
        self.asked.clear()
        assert take is not None, "nothing is asked"
        take(reply)


class Clocked(Told):
    """Plays the first legal action after as long as ``thinking`` says each time; then at once.

    Where that is longer than its bank or the limit, the reply at that limit is a timeout.
    """

    def __init__(self, clock: ManualClock, thinking: Iterable[int]) -> None:
        super().__init__()
        self._clock = clock
        self._thinking = iter(thinking)
        self._tasks: set[asyncio.Task[None]] = set()

    def ask(self, question: Question, take: Take) -> None:
        self.questions.append(question)
        thought = next(self._thinking, 0)
        if thought == 0:
            take(answer(question.legal[0], charged=0))
            return
        task = asyncio.get_running_loop().create_task(self._think(question, thought, take))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _think(self, question: Question, thought: int, take: Take) -> None:
        limit = min(question.bank, question.limit)
        asked = self._clock.now()
        await self._clock.sleep(Micros(min(thought, limit)))
        spent = self._clock.now() - asked
        if thought > limit:
            take(fault(FaultKind.TIMEOUT, "the time for a decision ran out", charged=spent))
        else:
            take(answer(question.legal[0], charged=spent))

    def ask_again(self, refusal: Refusal, take: Take) -> None:
        raise AssertionError("the first legal action was refused")


# Scripts.


def first(question: Question, _: Refusal | None) -> Reply:
    """Plays the first legal action."""
    return answer(question.legal[0])


def at_random(seed: int) -> Answer:
    """Plays any legal action."""
    chance = Random(seed)
    return lambda question, _: answer(chance.choice(question.legal))


def after(count: int, then: Answer, *, before: Answer = first) -> Answer:
    """Plays ``count`` questions by one script, from there on by another."""
    seen: Iterator[int] = iter(range(count))
    on = False

    def script(question: Question, refusal: Refusal | None) -> Reply | ArenaFault:
        nonlocal on
        if refusal is None and not on:
            on = next(seen, None) is None
        return then(question, refusal) if on else before(question, refusal)

    return script


def illegal(action: Action | None, times: int) -> Answer:
    """Answers with ``action`` that many times, then with the first legal one."""
    left = times

    def script(question: Question, refusal: Refusal | None) -> Reply:
        nonlocal left
        if left == 0:
            return first(question, refusal)
        left -= 1
        return answer(action)

    return script


def failing(kind: FaultKind) -> Answer:
    """Never answers."""
    return lambda _, __: fault(kind, f"{kind.value} it was")
