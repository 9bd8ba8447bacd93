"""What an arena received and did not finish, at the start of the next one."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from pathlib import Path

import pytest

from arena.hosting.shelf import BOTS
from arena.v1 import bot_service_pb2 as pb
from tests.server.services.house import open_house
from tests.server.services.submissions.sending import ANN, Gate, Sent, kinds, packed, people, submit


async def cut_off(path: Path, *sent: Sent) -> None:
    """An arena ends while it checks the first of these; the others wait."""
    gate = Gate()
    async with open_house(path, try_out=gate) as house:
        if not house.store.access_tokens():
            await people(house)
        await house.registry.take_in()
        calls = []
        for one in sent:
            calls.append(call := house.bots.SubmitBot(one.pieces(), metadata=ANN))
            assert (await anext(aiter(call))).HasField("received")
        await gate.reached.wait()
    for call in calls:
        call.cancel()


@pytest.fixture
def sent(folder: Path) -> tuple[Sent, Sent]:
    """A bot's folder, and another one's."""
    first = packed(folder)
    (folder / "main.sh").write_text("#!/bin/sh\n# another\n")
    return first, replace(packed(folder), name="other", request="r2")


async def test_what_was_begun_is_taken_up_once_and_what_waited_each_time(
    tmp_path: Path, sent: tuple[Sent, Sent], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    path = tmp_path / "arena.db"
    await cut_off(path, *sent)
    await cut_off(path, *sent)
    async with open_house(path) as house:
        await house.registry.take_in()
        begun, waited = await asyncio.gather(*(submit(house, one) for one in sent))
        reason = "the arena ended while it was being checked: submit it again"
        assert (kinds(begun), begun[-1].failed.reason) == (["received", "failed"], reason)
        assert waited[-1].HasField("ready")
        request = pb.GetBuildLogRequest(name=begun[0].received.submission)
        assert (await house.bots.GetBuildLog(request, metadata=ANN)).log == f"{reason}\n"
    assert f"submission 1 of ann, bot tutor, failed: {reason}" in caplog.messages
    assert caplog.messages.count("submission 2 of ann, bot other, is taken up again") == 2
    assert not list((tmp_path / BOTS / ".received").iterdir())


async def test_what_the_end_of_an_arena_has_damaged_has_failed(
    tmp_path: Path, sent: tuple[Sent, Sent]
) -> None:
    await cut_off(tmp_path / "arena.db", *sent)
    (tmp_path / BOTS / ".received" / "2").write_bytes(b"")
    (tmp_path / BOTS / ".received" / "99").write_bytes(b"of nobody")
    async with open_house(tmp_path / "arena.db") as house:
        await house.registry.take_in()
        assert not (tmp_path / BOTS / ".received" / "99").exists()
        heard = await submit(house, sent[1])
    assert heard[-1].failed.reason == "the arena ended before it was built: submit it again"
