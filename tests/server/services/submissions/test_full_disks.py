"""A disk that takes nothing more, wherever a submission finds that out."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest

from arena.events import Event
from arena.hosting import archive
from arena.hosting.room import NO_ROOM
from arena.hosting.shelf import Shelf
from tests.server.services.house import House, refused
from tests.server.services.submissions.sending import kinds, packed, submit

FULL = pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS])


def failing(number: int) -> Callable[..., object]:
    def fail(*_: object, **__: object) -> object:
        raise OSError(number, os.strerror(number))

    return fail


def events(caplog: pytest.LogCaptureFixture) -> list[object]:
    return [getattr(one, "event", None) for one in caplog.records]


@FULL
@pytest.mark.parametrize(
    ("owner", "name"),
    [(Path, "open"), (archive, "_written"), (Shelf, "part")],
    ids=["received", "unpacked", "begun"],
)
async def test_it_is_told_and_is_no_bug(
    house: House,
    folder: Path,
    owner: object,
    name: str,
    number: int,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    sent = packed(folder)
    monkeypatch.setattr(owner, name, failing(number))
    assert await refused(submit(house, sent), grpc.StatusCode.UNAVAILABLE) == NO_ROOM
    monkeypatch.undo()
    assert Event.NO_ROOM in events(caplog)
    assert Event.BUG not in events(caplog)
    assert kinds(await submit(house, sent))[-1] == "ready"


@FULL
async def test_a_submission_that_finds_it_while_it_is_kept_fails_so(
    house: House, folder: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Shelf, "keep", failing(number))
    heard = await submit(house, packed(folder))
    assert heard[-1].failed.reason == NO_ROOM


async def test_another_error_stays_a_bug(
    house: House,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(archive, "_written", failing(errno.EBADF))
    await refused(submit(house, packed(folder)), grpc.StatusCode.INTERNAL)
    assert Event.BUG in events(caplog)
