"""Runs steps one after the other, to the last one or to the first that fails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from arena.conformance.examinee import Examinee
from arena.conformance.steps import Step
from arena.conformance.transcript import message_data
from arena.conformance.verdicts import (
    BotMissing,
    Finding,
    NotTried,
    StepFailed,
    Verdict,
)

STDERR_LINES: Final = 15


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a step.

    Attributes:
        number: of the step, from 1.
        step: the step.
        verdict: what was found.
        note: one sentence; for a failure what the bot did.
        seconds: how long it took.
        sent: the message that the failure is about, as JSON; None where there is none.
        came_back: what the bot sent, likewise.
        expected: what it should have done; empty unless it failed.
        stderr: the last lines of its standard error; empty unless it failed.
    """

    number: int
    step: Step
    verdict: Verdict
    note: str
    seconds: float
    sent: Any = None
    came_back: Any = None
    expected: str = ""
    stderr: tuple[str, ...] = ()


async def run_steps(
    exam: Examinee,
    steps: Sequence[tuple[int, Step]],
    *,
    begun: Callable[[int, Step], None],
    done: Callable[[Result], None],
    to_first_failure: bool = False,
) -> list[Result]:
    """Try steps in their order.

    Args:
        exam: whom to examine.
        steps: with their numbers.
        begun: told of each step before it is tried.
        done: told of each result.
        to_first_failure: whether none is tried after one that fails.
    """
    results: list[Result] = []
    loop = asyncio.get_running_loop()
    for number, step in steps:
        begun(number, step)
        exam.transcript.clear()
        started = loop.time()
        outcome = await _outcome(exam, step)
        result = _result(exam, number, step, outcome, loop.time() - started)
        failed = result.verdict is Verdict.FAILED
        if failed:
            exam.fresh()
        results.append(result)
        done(result)
        if failed and to_first_failure:
            break
    return results


async def _outcome(exam: Examinee, step: Step) -> Finding | StepFailed | NotTried:
    try:
        async with asyncio.timeout(step.seconds):
            return await step.run(exam)
    except (StepFailed, NotTried) as ended:
        return ended
    except BotMissing as missing:
        return missing.failure
    except TimeoutError:
        return StepFailed(
            f"the step did not come to its end within {step.seconds:g} seconds",
            expected=step.sentence,
        )


def _result(
    exam: Examinee,
    number: int,
    step: Step,
    outcome: Finding | StepFailed | NotTried,
    seconds: float,
) -> Result:
    if isinstance(outcome, Finding):
        return Result(number, step, outcome.verdict, outcome.note, seconds)
    if isinstance(outcome, NotTried):
        return Result(number, step, Verdict.NOT_TRIED, str(outcome), seconds)
    transcript = exam.transcript
    return Result(
        number,
        step,
        Verdict.FAILED,
        outcome.seen,
        seconds,
        sent=message_data(outcome.sent or transcript.sent),
        came_back=message_data(outcome.came or transcript.came),
        expected=outcome.expected,
        stderr=tuple(exam.stderr().splitlines()[-STDERR_LINES:]),
    )
