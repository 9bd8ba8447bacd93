"""How a bot ends: with the arena's goodbye, at SIGTERM, refused, or without an arena."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

import grpc

from arena.conformance.checks.events import IDLE_SHARE, busy_seconds, still
from arena.conformance.examinee import Examinee, Launch, check_hello
from arena.conformance.positions import PLAY, positions
from arena.conformance.session import Session
from arena.conformance.steps import Step, protocol
from arena.conformance.streams import Silence, StreamEnded
from arena.conformance.verdicts import Finding, NotTried, StepFailed, passed, warned
from arena.hosting.process import TERM_SECONDS
from arena.rules.variants import CLASSIC
from arena.v1 import referee_pb2

ORDERLY: Final = 0
USAGE: Final = 2
REFUSED: Final = 3

END_SECONDS: Final = 8.0
"""What a process may take to its end, beyond what the contract gives it: machines are busy."""
REFUSED_SECONDS: Final = 20.0
MOST_ATTEMPTS: Final = 3
LONELY_SECONDS: Final = 2.5
MOST_OUTPUT: Final = 64 * 1024

_RAW_PARTS: Final = ("\x1b[8m", "\r\x7f", "\x9b8m", "\nend of a trial")
"""What a bot that prints them as they are could not have printed of its own accord."""
_RAW_TEXT: Final = "go on answering:" + "".join(_RAW_PARTS)


def _how(code: int) -> str:
    return f"ended by signal {-code}" if code < 0 else f"ended with exit code {code}"


async def _goodbye(exam: Examinee) -> Finding:
    session = await exam.session()
    await session.ask(positions(CLASSIC, PLAY, 1)[0])
    exam.fresh()
    goodbye = referee_pb2.Goodbye(text="the arena closes")
    await session.respond(referee_pb2.PlayResponse(goodbye=goodbye))
    try:
        launch = exam.launch()
    except NotTried:
        await _see_end(session)
        return passed("its exit code is not known here")
    # The arena ends the stream once it has said goodbye.
    session.stream.end()
    code = await launch.ends(END_SECONDS)
    expected = "it closes its side and ends with exit code 0"
    if code is None:
        raise StepFailed(f"it did not end within {END_SECONDS:g} seconds", expected=expected)
    if code != ORDERLY:
        raise StepFailed(f"it {_how(code)}", expected=expected)
    return passed()


async def _see_end(session: Session) -> None:
    """Wait for the bot's side of a goodbye."""
    try:
        while True:
            await session.stream.next(END_SECONDS)
    except StreamEnded:
        return
    except Silence as error:
        raise StepFailed(
            f"the bot left its side open for {END_SECONDS:g} seconds",
            expected="it closes its side of the stream",
        ) from error
    finally:
        session.stream.end()


async def _sigterm(exam: Examinee) -> Finding:
    session = await exam.session()
    launch = exam.launch()
    await session.ask(positions(CLASSIC, PLAY, 1)[0])
    exam.fresh()
    loop = asyncio.get_running_loop()
    began = loop.time()
    launch.process.ask_to_end()
    said = await _hear_goodbye(session)
    session.stream.end()
    code = await launch.ends(max(0.0, began + END_SECONDS - loop.time()))
    took = loop.time() - began
    expected = "it sends Goodbye and ends with exit code 0, within 2 seconds"
    if code is None:
        raise StepFailed(f"it did not end within {END_SECONDS:g} seconds", expected=expected)
    if code != ORDERLY:
        raise StepFailed(f"it {_how(code)}", expected=expected)
    if not said:
        raise StepFailed("it ended without a Goodbye", expected=expected)
    if took > TERM_SECONDS:
        return warned(f"it took {took:.1f} s; the arena sends SIGKILL after {TERM_SECONDS:g} s")
    return passed()


async def _hear_goodbye(session: Session) -> bool:
    """Whether the bot says goodbye before its stream ends."""
    try:
        while True:
            request = await session.stream.next(END_SECONDS)
            if request.HasField("goodbye"):
                return True
    except (StreamEnded, Silence):
        return False


async def _refused(exam: Examinee) -> Finding:
    """Send the Hello of a new process away for good."""
    await exam.session()  # the bot is known to come up
    listener = exam.listener()
    async with exam.starting(exam.address()) as launch:
        attempts = 0
        loop = asyncio.get_running_loop()
        end = loop.time() + REFUSED_SECONDS
        while launch.process.running and loop.time() < end and attempts <= MOST_ATTEMPTS:
            coming = await listener.coming(launch.token, 0.1)
            if coming is not None:
                attempts += 1
                if attempts == 1:
                    check_hello(coming, launch.token)
                sentence = "a trial: the token is not known"
                coming.stream.end(grpc.StatusCode.UNAUTHENTICATED, sentence)
        return _judge_refused(launch, attempts)


def _judge_refused(launch: Launch, attempts: int) -> Finding:
    expected = "it ends with exit code 3 and says on standard error why"
    code = launch.process.code
    if attempts > MOST_ATTEMPTS:
        raise StepFailed(f"it tried again {attempts - 1} times", expected=expected)
    if code is None:
        raise StepFailed(f"it did not end within {REFUSED_SECONDS:g} seconds", expected=expected)
    if code == ORDERLY:
        raise StepFailed("it ended with exit code 0, as if all were well", expected=expected)
    if not launch.process.stderr.text():
        raise StepFailed("it ended without a word on standard error", expected=expected)
    if code != REFUSED:
        return warned(f"it {_how(code)}; 3 says that the arena did not want it")
    if attempts > 1:
        return warned("it tried again, which does not help where the arena gives no RetryInfo")
    return passed()


async def _no_arena(exam: Examinee) -> Finding:
    """Nobody listens there: it may try again for long, but in quiet, and ends on demand."""
    variables = {"ARENA_ADDR": "127.0.0.1:1"}
    async with exam.starting(variables) as launch:
        code = await launch.ends(LONELY_SECONDS)
        if code is None:
            # From here on a runtime that started slowly has started.
            before = busy_seconds(launch.process.pid)
            code = await launch.ends(LONELY_SECONDS)
            if code is None and before is not None:
                _see_calm(launch, before)
        if code == ORDERLY:
            raise StepFailed(
                "it ended with exit code 0 although there was no arena",
                expected="it tries again for a while, then ends with an exit code that is not 0",
            )
        if code is not None:
            return passed(f"it {_how(code)}")
        launch.process.ask_to_end()
        if await launch.ends(END_SECONDS) is None:
            raise StepFailed(
                f"it did not end within {END_SECONDS:g} seconds of SIGTERM while it tried to dial",
                expected="SIGTERM ends it, also while there is no arena",
            )
    return passed("it tries again")


def _see_calm(launch: Launch, before: float) -> None:
    share = ((busy_seconds(launch.process.pid) or before) - before) / LONELY_SECONDS
    if share > IDLE_SHARE:
        raise StepFailed(
            f"it was busy {share:.0%} of the time while there was no arena",
            expected="it waits between its attempts",
        )


_WRONG: Final[Mapping[str, Mapping[str, str | None]]] = {
    "without ARENA_ADDR": {},
    "without ARENA_TOKEN": {"ARENA_ADDR": "127.0.0.1:1", "ARENA_TOKEN": None},
    "with the address 'nonsense'": {"ARENA_ADDR": "nonsense"},
}


async def _usage(exam: Examinee) -> Finding:
    tries = (_ends_at(exam, how, variables) for how, variables in _WRONG.items())
    # Side by side, each to its end: none of the processes may be left.
    findings = await asyncio.gather(*tries, return_exceptions=True)
    notes = []
    for finding in findings:
        if isinstance(finding, BaseException):
            raise finding
        if finding.note:
            notes.append(finding.note)
    return warned("; ".join(notes)) if notes else passed()


async def _ends_at(exam: Examinee, how: str, variables: Mapping[str, str | None]) -> Finding:
    expected = "one sentence on standard error and exit code 2"
    async with exam.starting(variables) as launch:
        code = await launch.ends(REFUSED_SECONDS)
        if code is None:
            seen = f"started {how} it did not end within {REFUSED_SECONDS:g} seconds"
            raise StepFailed(seen, expected=expected)
        if code == ORDERLY:
            raise StepFailed(f"started {how} it ended with exit code 0", expected=expected)
        if not launch.process.stderr.text():
            raise StepFailed(f"started {how} it ended without a word", expected=expected)
        if code != USAGE:
            return warned(f"started {how} it {_how(code)}, not 2")
    return passed()


async def _output(exam: Examinee) -> Finding:
    """What all processes of the check have printed."""
    session = await exam.session()
    launch = exam.launch()
    draining = referee_pb2.Draining(within_ms=60_000, text=_RAW_TEXT)
    await session.respond(referee_pb2.PlayResponse(draining=draining))
    await session.ask(positions(CLASSIC, PLAY, 1)[0])
    await still(0.1)  # what it has just printed is read
    tails = (launch.process.stdout, launch.process.stderr)
    said = "\n".join(tail.text() for tail in tails)
    for secret, name in ((launch.token, "its token"), (session.secret, "its session token")):
        if secret in said:
            raise StepFailed(
                f"it printed {name}", expected="secrets are not printed: output is kept and shown"
            )
    size = sum(tail.size for tail in tails)
    if size > MOST_OUTPUT:
        return warned(f"it printed {size} bytes; of standard error the last 8192 are kept")
    if launch.process.stdout.size:
        return warned("it prints to standard output, which nobody reads; use standard error")
    if any(part in launch.process.stderr.text() for part in _RAW_PARTS):
        return warned(
            "it prints control characters that the arena sends; escape them (as \\x1b): they could "
            "move a terminal's cursor or hide a line of a log"
        )
    return passed()


ENDINGS: Final = {
    "goodbye": Step(
        "goodbye",
        "Ends with exit code 0 when the arena says Goodbye.",
        protocol("The end"),
        _goodbye,
    ),
    "sigterm": Step(
        "sigterm",
        "Says Goodbye and ends with exit code 0 at SIGTERM.",
        protocol("The end"),
        _sigterm,
    ),
    "refused": Step(
        "refused",
        "Ends with exit code 3 and a sentence when the arena refuses it; does not dial on and on.",
        protocol("The end"),
        _refused,
        seconds=90.0,
    ),
    "no-arena": Step(
        "no-arena",
        "Waits without using the processor while there is no arena; SIGTERM ends it.",
        protocol("Losing the connection"),
        _no_arena,
    ),
    "usage": Step(
        "usage",
        "Ends with exit code 2 and a sentence without address or token, or with a wrong address.",
        protocol("The end"),
        _usage,
        seconds=60.0,
    ),
    "output": Step(
        "output",
        "Prints little, to standard error, neither tokens nor control characters of the arena's.",
        protocol("Connecting"),
        _output,
    ),
}
