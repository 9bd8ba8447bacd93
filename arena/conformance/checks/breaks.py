"""The connection breaks: the bot comes back, shows its session token, and goes on."""

from __future__ import annotations

from typing import Final

import grpc
from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2, status_pb2

from arena.conformance.checks.events import still
from arena.conformance.examinee import Examinee, check_hello
from arena.conformance.listener import Coming
from arena.conformance.positions import PLAY, SPEAK, positions
from arena.conformance.session import Session
from arena.conformance.steps import Step, protocol
from arena.conformance.streams import Trailing
from arena.conformance.verdicts import Finding, StepFailed, passed, warned
from arena.rules.variants import CLASSIC, TOKEN
from arena.v1 import referee_pb2

AWAY_SECONDS: Final = 1.5
QUIET_SECONDS: Final = 0.4


async def _resume(exam: Examinee) -> Finding:
    session = await exam.session()
    await session.ask(*positions(CLASSIC, PLAY, 2))
    session.drop()
    coming = await exam.back(session)
    _check_resume(session, coming)
    await session.take_up(coming)
    await session.ask(*positions(CLASSIC, PLAY, 2))
    return passed()


async def _resume_answered(exam: Examinee) -> Finding:
    """The answer got lost with the stream, as far as the bot can tell."""
    session = await exam.session()
    position = positions(TOKEN, SPEAK, 3)[2]
    table, start = session.begin(TOKEN, position.seat)
    asked, item = session.question(table, position)
    await session.send(*start, item)
    await session.answers([asked])
    first = asked.answer
    session.drop(bare=True)
    coming = await exam.back(session)
    _check_resume(session, coming)
    session.reopen(asked)
    await session.take_up(coming)
    await session.send(referee_pb2.Item(decision=asked.decision))
    await session.answers([asked])
    if asked.answer is not first:
        raise StepFailed(
            f"the answer was {_text(asked.answer)}, and before the break {_text(first)}",
            expected="a question that comes again gets the answer that it got",
            sent=asked.decision,
        )
    await session.quiet(QUIET_SECONDS, expected="a question is answered once")
    await session.send(session.finish(table))
    await session.ask(positions(CLASSIC, PLAY, 1)[0])
    return passed()


async def _resume_open(exam: Examinee) -> Finding:
    """The stream is lost before the answer can have come."""
    session = await exam.session()
    await session.ask(positions(CLASSIC, PLAY, 1)[0])
    position = positions(TOKEN, PLAY, 3)[2]
    table, start = session.begin(TOKEN, position.seat)
    asked, item = session.question(table, position)
    await session.send(*start, item)
    session.drop()
    coming = await exam.back(session)
    _check_resume(session, coming)
    await session.take_up(coming)
    await session.send(referee_pb2.Item(decision=asked.decision))
    await session.answers([asked])
    await session.quiet(QUIET_SECONDS, expected="a question is answered once")
    await session.send(session.finish(table))
    await session.ask(positions(CLASSIC, PLAY, 1)[0])
    return passed()


async def _resume_refused(exam: Examinee) -> Finding:
    session = await exam.session()
    await session.ask(positions(CLASSIC, PLAY, 1)[0])
    session.drop()
    coming = await exam.back(session)
    _check_resume(session, coming)
    coming.stream.end(
        grpc.StatusCode.FAILED_PRECONDITION,
        "the session cannot be resumed; send a Hello without session_token",
    )
    anew = await exam.back(session)
    check_hello(anew, session.token)
    await session.start_anew(anew)
    await session.ask(*positions(TOKEN, SPEAK, 2))
    return passed()


async def _busy(exam: Examinee) -> Finding:
    """The arena has no room for a moment."""
    session = await exam.session()
    await session.ask(positions(CLASSIC, PLAY, 1)[0])
    session.drop()
    coming = await exam.back(session)
    _check_resume(session, coming)
    coming.stream.end(
        grpc.StatusCode.RESOURCE_EXHAUSTED, "a trial: try again in 1 s", _retry_info(1)
    )
    try:
        again = await exam.back(session)
    except StepFailed as failed:
        return warned(f"{failed.seen}; where the arena says try again, it would have been let in")
    if not again.hello.hello.session_token:
        await session.start_anew(again)
        return warned("the bot came back with a new session; the old one waited for it")
    _check_resume(session, again)
    await session.take_up(again)
    await session.ask(positions(CLASSIC, PLAY, 1)[0])
    return passed()


def _retry_info(seconds: int) -> Trailing:
    info = error_details_pb2.RetryInfo(retry_delay=Duration(seconds=seconds))
    detail = Any()
    detail.Pack(info)
    status = status_pb2.Status(code=grpc.StatusCode.RESOURCE_EXHAUSTED.value[0], details=[detail])
    return (("grpc-status-details-bin", status.SerializeToString()),)


async def _server_gone(exam: Examinee) -> Finding:
    session = await exam.session()
    await session.ask(positions(CLASSIC, PLAY, 1)[0])
    listener = exam.listener()
    await listener.stop()
    await still(AWAY_SECONDS)
    await listener.start()
    coming = await exam.back(session)
    _check_resume(session, coming)
    await session.take_up(coming)
    await session.ask(positions(CLASSIC, PLAY, 1)[0])
    return passed(f"back {AWAY_SECONDS:g} s and more after it had gone")


def _check_resume(session: Session, coming: Coming) -> None:
    """Look at a Hello after a break. The last items may have been lost with the stream."""
    request = coming.hello
    hello = request.hello
    least, most = session.acknowledged, session.sequence
    expected = (
        "a Hello with the session_token of Welcome, and acknowledged the last item that the bot "
        f"has: from {least} to {most}"
    )
    if not request.HasField("hello") or hello.token != session.token:
        seen = "what came first was no Hello with the bot's token"
        raise StepFailed(seen, expected=expected, came=request)
    if hello.session_token != session.secret:
        what = "another session_token" if hello.session_token else "no session_token"
        raise StepFailed(f"the Hello has {what}", expected=expected, came=request)
    if not least <= request.acknowledged <= most:
        seen = f"the Hello acknowledges item {request.acknowledged}"
        raise StepFailed(seen, expected=expected, came=request)


def _text(action: object) -> str:
    return repr(getattr(action, "text", action))


_HEADING: Final = protocol("Losing the connection")

BREAKS: Final = (
    Step(
        "resume",
        "Dials again when the stream breaks, with session_token and the right acknowledged.",
        _HEADING,
        _resume,
    ),
    Step(
        "resume-open",
        "Answers an open question that comes again after a break, once.",
        _HEADING,
        _resume_open,
    ),
    Step(
        "resume-answered",
        "Gives an answered question that comes again the same answer, and takes no event twice.",
        _HEADING,
        _resume_answered,
    ),
    Step(
        "resume-refused",
        "Sends a fresh Hello when the session cannot be resumed, and begins anew.",
        _HEADING,
        _resume_refused,
    ),
    Step(
        "busy",
        "Dials again where the arena says when to try again.",
        protocol("Hello and Welcome"),
        _busy,
    ),
    Step(
        "server-gone",
        "Tries again while the server is gone, and resumes.",
        _HEADING,
        _server_gone,
    ),
)
