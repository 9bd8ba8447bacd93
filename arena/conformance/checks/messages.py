"""How questions, answers and refusals travel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.conformance.asked import Asked, Table
from arena.conformance.examinee import Examinee
from arena.conformance.positions import PLAY, SPEAK, Position, positions
from arena.conformance.session import Session
from arena.conformance.steps import Step, protocol
from arena.conformance.streams import Silence
from arena.conformance.verdicts import Finding, StepFailed, passed, warned
from arena.rules.cards import Seat
from arena.rules.variants import CLASSIC, TOKEN, VARIANTS
from arena.v1 import referee_pb2

MOST_AT_ONCE: Final = 48
QUIET_SECONDS: Final = 0.4
"""How long to see that nothing comes."""
MANY_EVENTS: Final = 900
TIGHT_MS: Final = 500
TIGHT_QUESTIONS: Final = 5
LATE_SECONDS: Final = 10.0


async def _put(session: Session, *wanted: Position) -> tuple[list[Table], list[Asked]]:
    """Begin a game for each position and put its question, all in one message."""
    items: list[referee_pb2.Item] = []
    tables, asked = [], []
    for position in wanted:
        table, start = session.begin(position.variant, position.seat)
        question, item = session.question(table, position)
        items += [*start, item]
        tables.append(table)
        asked.append(question)
    await session.send(*items)
    return tables, asked


async def _close(session: Session, tables: Sequence[Table]) -> None:
    await session.send(*map(session.finish, tables))


async def _coalesced(exam: Examinee) -> Finding:
    session = await exam.session()
    count = min(session.tables, MOST_AT_ONCE)
    wanted = [positions(variant, PLAY, MOST_AT_ONCE) for variant in VARIANTS.values()]
    mixed = [of_one[number] for number in range(MOST_AT_ONCE) for of_one in wanted][:count]
    before = session.heard.messages
    tables, asked = await _put(session, *mixed)
    await session.answers(asked)
    await _close(session, tables)
    messages = session.heard.messages - before
    if count == 1:
        return passed("the bot takes one table at a time; more would make it faster")
    if messages == count:
        return warned(f"{count} answers came in {messages} messages; one message is much faster")
    return passed(f"{count} answers in {messages} message{'s' if messages > 1 else ''}")


async def _split(exam: Examinee) -> Finding:
    session = await exam.session()
    one, other = positions(TOKEN, SPEAK, 2)
    table, start = session.begin(one.variant, one.seat)
    for item in start:
        await session.send(item)
    question, item = session.question(table, one)
    await session.send(item)
    await session.answers([question])
    await session.send(session.finish(table))
    second, start = session.begin(other.variant, other.seat)
    question, item = session.question(second, other)
    await session.send(*start)
    await session.respond(referee_pb2.PlayResponse(items=referee_pb2.Items()))
    await session.send(item)
    await session.answers([question])
    await session.send(session.finish(second))
    return passed()


async def _acknowledgement(exam: Examinee) -> Finding:
    session = await exam.session()
    for position in positions(CLASSIC, PLAY, 3):
        tables, asked = await _put(session, position)
        await session.answers(asked)
        if session.acknowledged != session.sequence:
            raise StepFailed(
                f"the answer acknowledged item {session.acknowledged}, and the question was item "
                f"{session.sequence}",
                expected="acknowledged is the sequence of the last item taken in",
            )
        await _close(session, tables)
    if session.heard.armless:
        return warned(
            "the bot sent a message without an arm; to acknowledge, send an empty list of answers"
        )
    return passed()


def _rejected(asked: Asked, code: int, text: str, *, is_open: bool) -> referee_pb2.Item:
    rejected = referee_pb2.Rejected(
        decision_id=asked.decision.decision_id,
        code=code,  # type: ignore[arg-type]  # also codes of later versions
        paragraph="N" if is_open else "",
        text=text,
        open=is_open,
        faults=1 if is_open else 0,
    )
    return referee_pb2.Item(rejected=rejected)


async def _rejected_open(exam: Examinee) -> Finding:
    session = await exam.session()
    tables, asked = await _put(session, positions(CLASSIC, PLAY, 4)[3])
    await session.answers(asked)
    session.reopen(asked[0])
    code = referee_pb2.REJECTION_CODE_UNKNOWN_ACTION
    await session.send(_rejected(asked[0], code, "a trial: answer once more", is_open=True))
    await session.answers(asked)
    await _close(session, tables)
    await session.ask(positions(CLASSIC, SPEAK, 1)[0])
    return passed()


async def _rejected_closed(exam: Examinee) -> Finding:
    session = await exam.session()
    tables, asked = await _put(session, positions(CLASSIC, PLAY, 5)[4])
    await session.answers(asked)
    stale = referee_pb2.REJECTION_CODE_STALE
    await session.send(_rejected(asked[0], stale, "this decision is closed", is_open=False))
    unknown = referee_pb2.Rejected(
        decision_id=1_000_000_007,
        code=referee_pb2.REJECTION_CODE_UNKNOWN_DECISION,
        text="this decision was never asked",
    )
    await session.send(referee_pb2.Item(rejected=unknown))
    await session.quiet(QUIET_SECONDS, expected="a closed question is not answered again")
    await _close(session, tables)
    await session.ask(positions(CLASSIC, SPEAK, 1)[0])
    return passed()


async def _events_only(exam: Examinee) -> Finding:
    session = await exam.session()
    armless = session.heard.armless
    items: list[referee_pb2.Item] = []
    while len(items) < MANY_EVENTS:
        table, start = session.begin(TOKEN, Seat(len(items) % 4))
        items += [*start, session.finish(table)]
    before = session.sequence
    await session.send(*items)
    while session.acknowledged <= before:
        try:
            await session.hear(1.0)
        except Silence:
            break
    quiet = session.acknowledged <= before
    await session.ask(positions(TOKEN, SPEAK, 1)[0])
    if session.heard.armless > armless:
        return warned(
            "the bot sent a message without an arm; to acknowledge, send an empty list of answers"
        )
    if quiet:
        return warned(
            f"nothing was acknowledged in {len(items)} events; the arena keeps 1,024 for a resume"
        )
    return passed(f"{len(items)} events")


async def _slow_clock(exam: Examinee) -> Finding:
    session = await exam.session()
    late = []
    for position in positions(CLASSIC, PLAY, TIGHT_QUESTIONS):
        table, start = session.begin(position.variant, position.seat)
        question, item = session.question(table, position, bank_ms=TIGHT_MS, time_ms=TIGHT_MS)
        await session.send(*start, item)
        try:
            await session.answers([question], seconds=TIGHT_MS / 1000)
        except StepFailed:
            if not session.usable or question.answer is not None:
                raise
            late.append(question)
            await session.answers([question], seconds=LATE_SECONDS)
        await session.send(session.finish(table))
    if len(late) > TIGHT_QUESTIONS // 2:
        raise StepFailed(
            f"{len(late)} of {TIGHT_QUESTIONS} answers came later than time_left_ms, {TIGHT_MS}",
            expected="an answer within time_left_ms",
            sent=late[0].decision,
        )
    return passed(f"{len(late)} of {TIGHT_QUESTIONS} late" if late else "")


async def _repeatable(exam: Examinee) -> Finding:
    session = await exam.session()
    wanted = [*positions(CLASSIC, PLAY, 12), *positions(TOKEN, SPEAK, 12)]
    first = [one.answer for one in await session.ask(*wanted)]
    second = [one.answer for one in await session.ask(*wanted)]
    differ = sum(one is not other for one, other in zip(first, second, strict=True))
    if differ:
        return warned(
            f"{differ} of {len(wanted)} answers differed though bot_seed and view were the same: a "
            "tournament with this bot cannot be repeated"
        )
    return passed()


MESSAGES: Final = (
    Step(
        "coalesced",
        "Answers all questions of one message, in any order and any number of messages.",
        protocol("Many tables: the way to be fast"),
        _coalesced,
    ),
    Step(
        "split",
        "Takes items one message at a time, and an empty list of items.",
        protocol("Items"),
        _split,
    ),
    Step(
        "acknowledgement",
        "Acknowledges the last item with each answer.",
        protocol("Items"),
        _acknowledgement,
    ),
    Step(
        "rejected-open",
        "Answers again, legally, when Rejected says that the question is open.",
        protocol("Rejections"),
        _rejected_open,
    ),
    Step(
        "rejected-closed",
        "Carries on when Rejected says that an answer was stale or to no question.",
        protocol("Rejections"),
        _rejected_closed,
    ),
    Step(
        "events-only",
        "Takes hundreds of items in which nothing is asked, and acknowledges them.",
        protocol("Items"),
        _events_only,
    ),
    Step(
        "slow-clock",
        f"Answers within time_left_ms where that is {TIGHT_MS}.",
        protocol("Clocks"),
        _slow_clock,
        seconds=90.0,
    ),
    Step(
        "repeatable",
        "Gives the same answers to the same views with the same bot_seed.",
        protocol("GameStart"),
        _repeatable,
        seconds=90.0,
    ),
)
