"""What is kept for one author: so many bytes, so many logs."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from arena.hosting.shelf import Shelf
from arena.server import allowance
from arena.v1 import bot_service_pb2 as pb
from tests.server.services.house import TERMS, House, open_house
from tests.server.services.submissions.sending import (
    ANN,
    BOB,
    MANIFEST,
    Sent,
    packed,
    people,
    submit,
)

MEBIBYTE = 1024 * 1024


def changed(folder: Path, content: str) -> Sent:
    """The folder with other content, under a name of its own."""
    (folder / "main.sh").write_text(content)
    return replace(packed(folder), name=content[:3], request=content[:3])


async def test_an_author_keeps_so_much_and_makes_room_by_retiring(
    tmp_path: Path, folder: Path
) -> None:
    terms = replace(TERMS, author_bytes=MEBIBYTE)
    half = os.urandom(MEBIBYTE // 10).hex()  # kept three times: as main.sh, as built, and as bot
    async with open_house(tmp_path / "arena.db", terms=terms) as house:
        await people(house)
        first = (await submit(house, changed(folder, f"one {half}")))[-1].ready.version
        other = changed(folder, f"two {half}")
        heard = await submit(house, other)
        assert heard[-1].failed.reason == (
            "with it your bots take 1.2 MiB here, and an author may have 1 MiB: retire versions "
            "that were in no tournament (arena bot retire), or ask the arena's organiser"
        )
        assert [path.name for path in kept(house)] == [first.content_hash]
        assert (await submit(house, other, BOB))[-1].HasField("ready"), "it is another's room"
        request = pb.RetireVersionRequest(version=first.name)
        await house.bots.RetireVersion(request, metadata=ANN)
        assert first.content_hash in [path.name for path in kept(house)]
        again = changed(folder, f"new {half}")
        assert (await submit(house, again))[-1].HasField("ready")
        assert first.content_hash not in [path.name for path in kept(house)]


async def test_an_author_that_has_too_much_already_is_told_before_the_build(
    tmp_path: Path, folder: Path
) -> None:
    path = tmp_path / "arena.db"
    async with open_house(path) as house:
        await people(house)
        await submit(house, packed(folder))
    async with open_house(path, terms=replace(TERMS, author_bytes=1)) as house:
        await house.registry.take_in()
        heard = await submit(house, changed(folder, "more"))
        assert "an author may have 0 MiB" in heard[-1].failed.reason
        assert not any(one.HasField("moved") for one in heard)


def kept(house: House) -> list[Path]:
    """The contents on the shelf."""
    folders = house.submissions.shelf.folder("").iterdir()
    return [path for path in folders if not path.name.startswith(".")]


async def test_of_one_author_only_the_newest_failures_keep_their_logs(
    house: House, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(allowance, "MOST_LOGS", 2)
    (folder / "bot.toml").write_text(MANIFEST.replace("cp main.sh bot", "exit 3"))
    for who, requests in ((BOB, "b"), (ANN, "cdef")):
        for request in requests:
            sent = replace(packed(folder), name=request, request=request)
            assert (await submit(house, sent, who))[-1].HasField("failed")
    assert sorted(house.submissions.shelf.failed()) == [1, 4, 5]


def test_a_content_goes_whole(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.open()
    with shelf.part() as part:
        for place in (part.source, part.built):
            place.mkdir()
            (place / "bot").write_bytes(bytes(5000))
        (part.built / "same").symlink_to("bot")
        shelf.keep(part, "5" * 64, "log", "{}")
    assert 10_000 <= shelf.size("5" * 64) < 20_000
    shelf.discard("5" * 64)
    assert shelf.size("5" * 64) == 0
    assert {path.name for path in shelf.folder("").iterdir()} == {".failed", ".received"}
