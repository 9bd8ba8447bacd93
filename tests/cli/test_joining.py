"""``arena bot submit`` while the arena goes: it joins again, for a while."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.cli import remote_submissions
from arena.v1 import bot_service_pb2 as pb
from arena.v1 import bot_service_pb2_grpc
from tests.cli.commands import InProcess


class Shaky(bot_service_pb2_grpc.BotServiceServicer):
    """Loses the line after the first words, so many times; then all goes well."""

    def __init__(self) -> None:
        self.losses = 0
        self.requests: list[str] = []
        self.in_good_order = threading.Event()

    def ListSubmissions(
        self, request: pb.ListSubmissionsRequest, context: Any
    ) -> pb.ListSubmissionsResponse:
        return pb.ListSubmissionsResponse()

    def SubmitBot(self, pieces: Any, context: Any) -> Iterator[pb.SubmitBotResponse]:
        self.requests.append(next(pieces).header.request_id)
        yield pb.SubmitBotResponse(received=pb.SubmissionReceived(submission="submissions/7"))
        if len(self.requests) > self.losses:
            yield pb.SubmitBotResponse(ready=pb.SubmissionReady(version=pb.BotVersion(label="1")))
        elif not self.in_good_order.is_set():
            context.abort(grpc.StatusCode.UNAVAILABLE, "gone")


@pytest.fixture
def shaky() -> Shaky:
    return Shaky()  # type: ignore[abstract]  # the other calls are not made


@pytest.fixture
def address(shaky: Shaky) -> Iterator[str]:
    with ThreadPoolExecutor(2) as threads:
        server = grpc.server(threads)
        bot_service_pb2_grpc.add_BotServiceServicer_to_server(shaky, server)
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        yield f"127.0.0.1:{port}"
        server.stop(None).wait()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bot's folder."""
    monkeypatch.setenv("ARENA_AUTHOR_TOKEN", "ann's")
    (tmp_path / "bot.toml").write_text('name = "my-bot"\nlanguage = "sh"\nrun = ["sh"]\n')
    return tmp_path


@pytest.mark.parametrize("in_good_order", [False, True])
def test_a_lost_line_is_joined_again_under_the_same_request(
    shaky: Shaky,
    address: str,
    folder: Path,
    arena: InProcess,
    monkeypatch: pytest.MonkeyPatch,
    in_good_order: bool,
) -> None:
    monkeypatch.setattr(remote_submissions, "PAUSE_SECONDS", 0.0)
    shaky.losses = 5
    if in_good_order:
        shaky.in_good_order.set()
    done = arena("bot", "submit", folder, "--server", address)
    assert (done.code, done.out) == (0, "my-bot 1 is ready to play\n"), done.err
    assert len(shaky.requests) == 6
    assert len(set(shaky.requests)) == 1
    assert done.err.splitlines()[1:] == [
        "my-bot was received as submissions/7",
        *5
        * (
            "my-bot has lost the arena, and joins again within 60 s",
            "my-bot has joined again: what was begun is done once more",
        ),
    ]


def test_who_joins_in_vain_is_told_what_to_type(
    shaky: Shaky, address: str, folder: Path, arena: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_submissions, "JOINING_SECONDS", 0.0)
    shaky.losses = 9
    done = arena("bot", "submit", folder, "--server", address)
    assert done.code == 1
    assert done.err.splitlines()[-2:] == [
        f"error: no arena answers at {address}",
        "hint:  submissions/7 goes on if the arena does: see "
        f"arena bot logs my-bot --build --server {address}",
    ]


def test_an_arena_that_was_never_there_is_not_waited_for(folder: Path, arena: InProcess) -> None:
    done = arena("bot", "submit", folder, "--server", "127.0.0.1:1")
    assert done.code == 1
    assert "no arena answers" in done.err
    assert "joins again" not in done.err
