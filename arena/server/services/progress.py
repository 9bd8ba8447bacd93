"""What happens to submissions, as messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from arena.hosting.trial import StepResult
from arena.server.happenings import Failed, Happening, Moved, Ready, Received, Said, Waiting
from arena.server.services import messages, names
from arena.store import Submission, SubmissionState
from arena.v1 import bot_service_pb2 as pb

MOST_BYTES: Final = 24 * 1024
"""Of lines in one message."""

_STATES: Final = {
    SubmissionState.RECEIVED: pb.SUBMISSION_STATE_RECEIVED,
    SubmissionState.BUILDING: pb.SUBMISSION_STATE_BUILDING,
    SubmissionState.CHECKING: pb.SUBMISSION_STATE_CHECKING,
    SubmissionState.READY: pb.SUBMISSION_STATE_READY,
    SubmissionState.FAILED: pb.SUBMISSION_STATE_FAILED,
}
_VERDICTS: Final = {
    "passed": pb.STEP_VERDICT_PASSED,
    "warned": pb.STEP_VERDICT_WARNED,
    "failed": pb.STEP_VERDICT_FAILED,
    "not-tried": pb.STEP_VERDICT_NOT_TRIED,
}


def submission_message(submission: Submission) -> pb.Submission:
    """A submission."""
    bot, version = submission.bot, submission.version
    name = "" if bot is None or version is None else names.version_name(bot, version)
    return pb.Submission(
        name=names.submission_name(submission.id),
        display_name=submission.name,
        owner=submission.owner,
        content_hash=submission.content_hash,
        state=_STATES[submission.state],
        reason=submission.reason,
        version=name,
        create_time=messages.time_message(submission.created_us),
        update_time=messages.time_message(submission.changed_us),
    )


def progress_messages(happenings: Sequence[Happening]) -> Iterator[pb.SubmitBotResponse]:
    """What has happened, in order; lines that follow one another share messages."""
    lines: list[str] = []
    size = 0
    for happening in happenings:
        if isinstance(happening, Said) and size < MOST_BYTES:
            lines.append(happening.line)
            size += len(happening.line.encode())
            continue
        if lines:
            yield pb.SubmitBotResponse(lines=pb.BuildLines(lines=lines))
        lines, size = [], 0
        if isinstance(happening, Said):
            lines, size = [happening.line], len(happening.line.encode())
        else:
            yield _message(happening)
    if lines:
        yield pb.SubmitBotResponse(lines=pb.BuildLines(lines=lines))


def _message(
    happening: Received | Waiting | Moved | StepResult | Ready | Failed,
) -> pb.SubmitBotResponse:
    match happening:
        case Received(submission, known):
            received = pb.SubmissionReceived(
                submission=names.submission_name(submission.id),
                content_hash=submission.content_hash,
                known=known,
            )
            return pb.SubmitBotResponse(received=received)
        case Waiting(ahead, worked_seconds):
            waiting = pb.SubmissionWaiting(ahead=ahead, worked_seconds=worked_seconds)
            return pb.SubmitBotResponse(waiting=waiting)
        case Moved(state):
            return pb.SubmitBotResponse(moved=pb.SubmissionMoved(state=_STATES[state]))
        case StepResult():
            return pb.SubmitBotResponse(step=_step(happening))
        case Ready(version):
            message = messages.version_message(version, online=False)
            ready = pb.SubmissionReady(bot=names.bot_name(version.bot), version=message)
            return pb.SubmitBotResponse(ready=ready)
        case Failed(reason):
            return pb.SubmitBotResponse(failed=pb.SubmissionFailed(reason=reason))
        case _:
            assert_never(happening)


def _step(result: StepResult) -> pb.CheckedStep:
    return pb.CheckedStep(
        number=result.number,
        total=result.total,
        name=result.name,
        sentence=result.sentence,
        verdict=_VERDICTS[result.verdict],
        note=result.note,
        stderr=result.stderr,
    )
