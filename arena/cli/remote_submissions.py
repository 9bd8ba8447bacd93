"""``arena bot submit | retire | resume | logs --build``: the submissions of a running arena."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from typing import Final

from arena.cli.errors import FAILED, CliError
from arena.cli.own_submissions import build_words, is_over, line_of, newest_of, no_bot
from arena.cli.remote import AUTHORS, Lost, Remote, failure, request_id
from arena.cli.remote_bots import bots_named, not_yours
from arena.cli.submission_text import Told
from arena.v1 import bot_service_pb2 as pb
from arena.v1 import bot_service_pb2_grpc

CHUNK: Final = 32 * 1024
JOINING_SECONDS: Final = 60.0
"""So long an arena that was there is looked for after its last word."""
PAUSE_SECONDS: Final = 1.0
LONGEST_PAUSE_SECONDS: Final = 5.0


def refuse_strangers(remote: Remote, name: str) -> None:
    """See that whoever runs the command may submit bots, before anything is packed or sent.

    Raises:
        CliError: there is no token, it is not good, or the arena is gone.
    """
    newest_of(remote, name)


def follow(remote: Remote, name: str, archive: bytes, told: Told) -> bool:
    """Submit a bot and tell of it to the end; whether it is ready.

    Where the stream breaks it is joined again under the same request, for a while: nothing is
    submitted twice.

    Raises:
        CliError: it is refused, fails, or the arena is gone.
    """
    header = pb.SubmitBotHeader(
        request_id=request_id(),
        display_name=name,
        size=len(archive),
        sha256=hashlib.sha256(archive).hexdigest(),
    )
    told.begin(len(archive))
    try:
        ready = _to_the_end(remote, header, archive, told)
    except KeyboardInterrupt:
        told.leave(build_words(remote, name))
        raise
    if not ready and not told.has_log and told.submission:
        told.log(_log(remote, told.submission).removesuffix(f"{told.reason}\n"))
    told.end()
    if not ready:
        raise CliError(told.refusal(), code=FAILED)
    return ready


def _to_the_end(remote: Remote, header: pb.SubmitBotHeader, archive: bytes, told: Told) -> bool:
    import grpc

    stub = bot_service_pb2_grpc.BotServiceStub(remote.channel)
    line = _Line()
    while True:
        try:
            call = stub.SubmitBot(_pieces(header, archive, line), metadata=remote.author())
            for message in call:
                if line.heard():
                    told.joined()
                ready = told.hear(message)
                if ready is not None:
                    return ready
        except grpc.RpcError as error:
            lost = error.code() is grpc.StatusCode.UNAVAILABLE
            if not (lost and line.was_there):
                raise _lost(failure(error, remote.address, hint=AUTHORS), remote, told) from error
            cause = failure(error, remote.address, hint=AUTHORS)
        else:  # the arena ends, and has ended the stream in good order
            cause = Lost("the arena fell silent before it said what became of it", code=FAILED)
        told.joining(JOINING_SECONDS)
        if not line.is_looked_for():
            raise _lost(cause, remote, told)


class _Line:
    """Whether an arena was ever there, and how long it is looked for when it is gone."""

    def __init__(self) -> None:
        self.was_there = False
        self._pause = PAUSE_SECONDS
        self._gone: float | None = None

    def heard(self) -> bool:
        """It has said something; whether that is the first word since it was gone."""
        is_back = self._gone is not None
        self.was_there = True
        self._pause = PAUSE_SECONDS
        self._gone = None
        return is_back

    def is_looked_for(self) -> bool:
        """Wait until it is looked for once more; False where that has lasted too long."""
        now = time.monotonic()
        self._gone = now if self._gone is None else self._gone
        if now + self._pause > self._gone + JOINING_SECONDS:
            return False
        time.sleep(self._pause)
        self._pause = min(2 * self._pause, LONGEST_PAUSE_SECONDS)
        return True


def _lost(error: CliError, remote: Remote, told: Told) -> CliError:
    """Where no answer came: what is known, and where to look."""
    if isinstance(error, Lost):
        error.hint = (
            f"{told.submission} goes on if the arena does: see {build_words(remote, told.name)}"
            if told.submission
            else "it may have been received all the same: submitting it again does no harm"
        )
    return error


def _pieces(
    header: pb.SubmitBotHeader, archive: bytes, line: _Line
) -> Iterator[pb.SubmitBotRequest]:
    yield pb.SubmitBotRequest(header=header)
    line.was_there = True  # it has taken the first
    for start in range(0, len(archive), CHUNK):
        yield pb.SubmitBotRequest(chunk=archive[start : start + CHUNK])


def build_log(remote: Remote, name: str) -> str:
    """What the newest submission of a bot said.

    Raises:
        CliError: there is none, or it is for others.
    """
    found = newest_of(remote, name)
    if found is not None:
        log = _log(remote, found.name)
        if not log and not is_over(found):
            raise CliError(f"{line_of(found)}: its log is there when that is over", code=FAILED)
        return log
    bots = bots_named(remote, name)
    if not bots:
        raise no_bot(remote, name)
    if any(version.submitted for version in bots[0].versions):
        raise CliError(not_yours(name), code=FAILED)
    raise CliError(f"{name} was not submitted: it has no build")


def _log(remote: Remote, submission: str) -> str:
    stub = bot_service_pb2_grpc.BotServiceStub(remote.channel)
    return remote.ask_as_author(stub.GetBuildLog, pb.GetBuildLogRequest(name=submission)).log


def set_state(remote: Remote, name: str, label: str | None, *, retire: bool) -> pb.BotVersion:
    """Retire a submitted version, or have one that was paused play again; as it is then.

    Raises:
        CliError: there is none such, or it is for others.
    """
    from arena.cli.bot_versions import choose, not_paused

    versions = [
        version
        for bot in bots_named(remote, name)
        for version in bot.versions
        if version.submitted and bot.display_name == name
    ]
    labels = [version.label for version in versions]
    version = versions[choose(name, labels, label, remote.words)]
    stub = bot_service_pb2_grpc.BotServiceStub(remote.channel)
    if retire:
        request = pb.RetireVersionRequest(version=version.name)
        return remote.ask_as_author(stub.RetireVersion, request).version
    resume = pb.ResumeVersionRequest(version=version.name)
    resumed = remote.ask_as_author(stub.ResumeVersion, resume).version  # asked first: it may refuse
    if version.state == pb.VERSION_STATE_ACTIVE:
        paused = [one.label for one in versions if one.state == pb.VERSION_STATE_PAUSED]
        raise not_paused(name, version.label, paused)
    return resumed
