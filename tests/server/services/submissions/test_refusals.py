"""What of a submission is refused, and in which words."""

from __future__ import annotations

import io
import tarfile
from dataclasses import replace
from pathlib import Path

import grpc
import pytest

from arena.hosting.archive import LIMITS
from arena.v1 import bot_service_pb2 as pb
from tests.server.services.house import House, refused
from tests.server.services.submissions.sending import BOB, Sent, Wrong, packed, submit

INVALID = grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"size": 0}, "header.size"),
        ({"size": LIMITS.packed_bytes + 1}, "header.size"),
        ({"size": 10}, "has more than the 10 bytes said"),
        ({"size": 999_999}, "the header says 999999"),
        ({"sha256": "5" * 64}, "header.sha256"),
        ({"sha256": "S" * 64}, "header.sha256"),
        ({"chunk": 40_000, "archive": bytes(50_000)}, "chunk"),
        ({"name": ""}, "header.display_name"),
        ({"name": "a\nb"}, "header.display_name"),
        ({"name": "my bot"}, "ASCII letters, digits"),
        ({"name": "-bot"}, "a letter or digit first"),
        ({"name": "\u0430nn"}, "ASCII letters, digits"),
        ({"name": "b" * 65}, "1 to 64"),
        ({"name": "random"}, "'random' is a sample bot"),
        ({"name": "First_Legal"}, "'first_legal' is a sample bot"),
        ({"request": ""}, "header.request_id"),
        ({"archive": b"no archive"}, "no gzip file"),
    ],
    ids=lambda value: value if isinstance(value, str) else "-",
)
async def test_what_is_not_as_it_should_be_is_refused(
    house: House, folder: Path, change: dict[str, object], word: str
) -> None:
    sent = replace(packed(folder), **change)  # type: ignore[arg-type]
    assert word in await refused(submit(house, sent), INVALID)
    assert house.store.submissions() == ()
    names = [path.name for path in house.submissions.shelf.folder("").iterdir()]
    assert sorted(names) == [".failed", ".received"]


async def test_a_hostile_entry_is_named(house: House) -> None:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as tar:
        tar.addfile(tarfile.TarInfo("../../etc/cron"))
    told = await refused(submit(house, Sent(archive.getvalue())), INVALID)
    assert "'../../etc/cron' leads out of the folder" in told


async def test_a_stream_without_a_header_first_is_refused(house: House, folder: Path) -> None:
    pieces = list(packed(folder).pieces())
    for wrong in ([], pieces[1:], [pieces[0], pieces[0]], [pb.SubmitBotRequest()]):
        assert await refused(submit(house, Wrong(others=tuple(wrong))), INVALID)


async def test_a_name_of_another_owner_is_refused(house: House, folder: Path) -> None:
    await submit(house, packed(folder))
    mine = submit(house, replace(packed(folder), request="r2"), BOB)
    assert "somebody else" in await refused(mine, grpc.StatusCode.ALREADY_EXISTS)


async def test_a_name_that_looks_like_anothers_is_refused(house: House, folder: Path) -> None:
    await submit(house, packed(folder))
    await house.register("\uff47uest")  # a wide g
    for name, other in (("Tutor", "tutor"), ("GUEST", "\uff47uest")):
        twin = submit(house, replace(packed(folder), name=name, request=name))
        told = await refused(twin, grpc.StatusCode.ALREADY_EXISTS)
        assert told.startswith(f"the bot name {name!r} differs from {other!r} by its case alone")
    assert len(house.store.submissions()) == 1


async def test_a_name_of_somebody_else_is_refused_before_anything_is_sent(
    house: House, folder: Path
) -> None:
    await submit(house, packed(folder))
    headed = next(packed(folder).pieces())
    headed.header.request_id = "b"
    with pytest.raises(grpc.RpcError, match="'tutor' belongs to somebody else"):
        await submit(house, Wrong(others=(headed,)), BOB)
