"""The submissions of whoever shows an author's token, and in brief what became of them."""

from __future__ import annotations

import shlex
from typing import Any, Final

from arena.cli.errors import CliError
from arena.cli.remote import PAGE, Remote
from arena.v1 import bot_service_pb2 as pb
from arena.v1 import bot_service_pb2_grpc

_STATES: Final = {
    pb.SUBMISSION_STATE_RECEIVED: "waits to be built",
    pb.SUBMISSION_STATE_BUILDING: "is being built",
    pb.SUBMISSION_STATE_CHECKING: "is being checked",
    pb.SUBMISSION_STATE_FAILED: "was not taken",
}
_BRIEF: Final = 120
"""Characters of a reason, of which the log has all."""


def newest_of(remote: Remote, name: str) -> pb.Submission | None:
    """The newest submission of a bot; None where the caller sees none.

    Raises:
        CliError: the call failed.
    """
    request = pb.ListSubmissionsRequest(display_name=name, page_size=1)
    return next(iter(_submissions(remote, request)), None)


def without_version(remote: Remote) -> list[pb.Submission]:
    """Of each name the newest submission, where it is no version: by name.

    Raises:
        CliError: the call failed.
    """
    newest: dict[str, pb.Submission] = {}
    for one in _submissions(remote, pb.ListSubmissionsRequest(page_size=PAGE)):
        newest.setdefault(one.display_name, one)
    return sorted((one for one in newest.values() if not one.version), key=_name)


def line_of(submission: pb.Submission) -> str:
    """``crash was not taken: the check failed at step games``."""
    reason = submission.reason
    if len(reason) > _BRIEF:
        reason = f"{reason[:_BRIEF]}..."
    words = f"{submission.display_name} {_STATES.get(submission.state, 'is no version yet')}"
    return f"{words}: {reason}" if reason else words


def is_over(submission: pb.Submission) -> bool:
    """Whether it has come to a version or to nothing."""
    return submission.state in (pb.SUBMISSION_STATE_READY, pb.SUBMISSION_STATE_FAILED)


def data_of(submission: pb.Submission) -> dict[str, Any]:
    """The same as JSON."""
    state = pb.SubmissionState.Name(submission.state)
    return {
        "name": submission.display_name,
        "submission": submission.name,
        "state": state.removeprefix("SUBMISSION_STATE_").lower(),
        "reason": submission.reason or None,
    }


def build_words(remote: Remote, name: str) -> str:
    """The command that shows what the build of a bot said."""
    return f"arena bot logs {shlex.quote(name)} --build{remote.words}"


def no_bot(remote: Remote, name: str) -> CliError:
    """What to tell of a bot that is not there."""
    return CliError(f"there is no bot {name!r}", hint=f"see: arena bot list{remote.words}")


def _submissions(remote: Remote, request: pb.ListSubmissionsRequest) -> list[pb.Submission]:
    stub = bot_service_pb2_grpc.BotServiceStub(remote.channel)
    return list(remote.ask_as_author(stub.ListSubmissions, request).submissions)


def _name(submission: pb.Submission) -> str:
    return submission.display_name
