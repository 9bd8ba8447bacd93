"""What becomes of a submission: a version step by step, or a failure in words."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.hosting.containment import Containment
from arena.hosting.runner import ProcessRunner, Resources, RunnerKind
from arena.hosting.trial import StepResult, Trial
from arena.store import VersionKind
from arena.v1 import bot_service_pb2 as pb
from tests.server.services.house import TERMS, House, open_house, passes
from tests.server.services.submissions.sending import (
    ANN,
    MANIFEST,
    kinds,
    packed,
    people,
    said,
    submit,
)


async def test_a_folder_comes_to_be_a_version_that_is_told_step_by_step(
    house: House, folder: Path
) -> None:
    heard = await submit(house, replace(packed(folder), chunk=100))
    assert kinds(heard) == ["received", "moved", "lines", "moved", "step", "ready"]
    assert [one.moved.state for one in heard if one.HasField("moved")] == [
        pb.SUBMISSION_STATE_BUILDING,
        pb.SUBMISSION_STATE_CHECKING,
    ]
    assert said(heard)[1:] == ["compiling"]
    (version,) = house.store.versions()
    assert (version.name, version.label, version.kind) == ("tutor", "1", VersionKind.SUBMITTED)
    assert (version.command, version.identity) == (("./bot",), heard[0].received.content_hash)
    assert heard[-1].ready.version.label == "1"
    assert house.store.bots()[0].owner == "ann"
    built = house.submissions.shelf.built(version.identity)
    assert (built / "bot").read_text() == (folder / "main.sh").read_text()


async def test_changed_content_is_another_version_and_unchanged_the_same(
    house: House, folder: Path
) -> None:
    first = await submit(house, packed(folder))
    again = await submit(house, replace(packed(folder), request="r2"))
    (folder / "main.sh").write_text("#!/bin/sh\n# better\n")
    other = await submit(house, replace(packed(folder), request="r3"))
    assert (kinds(again), again[0].received.known) == (["received", "ready"], True)
    assert again[-1].ready == first[-1].ready
    assert other[-1].ready.version.label == "2"
    assert len(house.store.submissions()) == 3


class Closed(ProcessRunner):
    """As if it contained something."""

    kind = RunnerKind.BUBBLEWRAP


async def test_who_asks_for_more_than_there_is_is_told(house: House, folder: Path) -> None:
    assert house.arena.workshop is not None
    house.arena.workshop.containment = Containment(Closed(), Resources(), "t", "nothing")
    (folder / "bot.toml").write_text(MANIFEST + "[resources]\nmemory_mb = 2048\n")
    heard = await submit(house, packed(folder))
    told = "it asks for 2048 MiB of memory and gets 512, the most that this arena gives"
    assert said(heard)[0] == told
    request = pb.GetBuildLogRequest(name=heard[0].received.submission)
    assert told in (await house.bots.GetBuildLog(request, metadata=ANN)).log


async def test_under_another_name_it_is_another_bot_and_is_not_built_again(
    house: House, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    await submit(house, packed(folder))
    twin = await submit(house, replace(packed(folder), name="twin", request="r2"))
    assert kinds(twin) == ["received", "ready"]
    assert [bot.name for bot in house.store.bots()] == ["tutor", "twin"]
    told = [line for line in caplog.messages if line.startswith("submission 2 ")]
    assert told[0] == "submission 2 of ann: bot twin is known, and not built"


async def test_a_build_that_fails_is_told_with_its_log(house: House, folder: Path) -> None:
    text = MANIFEST.replace("echo compiling;", "echo it is broken >&2; exit 4;")
    (folder / "bot.toml").write_text(text)
    heard = await submit(house, packed(folder))
    assert "status 4" in heard[-1].failed.reason
    assert "it is broken" in said(heard)
    assert house.store.versions() == ()
    name = heard[0].received.submission
    log = await house.bots.GetBuildLog(pb.GetBuildLogRequest(name=name), metadata=ANN)
    assert "it is broken" in log.log.splitlines()
    found = await house.bots.GetSubmission(pb.GetSubmissionRequest(name=name), metadata=ANN)
    assert found.submission.state == pb.SUBMISSION_STATE_FAILED
    assert found.submission.reason == heard[-1].failed.reason


async def test_a_folder_that_is_no_bots_fails_without_a_word_of_where_it_lies(
    house: House, folder: Path, tmp_path: Path
) -> None:
    (folder / "bot.toml").write_text("name = 'x'")
    heard = await submit(house, packed(folder))
    assert heard[-1].failed.reason.startswith("bot.toml will not do:")
    (folder / "bot.toml").unlink()
    heard = await submit(house, replace(packed(folder), request="r2"))
    assert heard[-1].failed.reason == "bot.toml cannot be read: No such file or directory"


async def test_a_bot_that_fails_the_check_is_told_the_step(tmp_path: Path, folder: Path) -> None:
    async def fails(_: Trial, told: Callable[[StepResult], None]) -> None:
        told(StepResult(1, 9, "hello", "Says hello.", "warned", "it mumbled"))
        told(StepResult(2, 9, "games", "Plays.", "failed", "it slept", ("Traceback", "Zzz")))

    async with open_house(tmp_path / "arena.db", try_out=fails) as house:
        await people(house)
        heard = await submit(house, packed(folder))
        steps = [one.step for one in heard if one.HasField("step")]
        assert [step.verdict for step in steps] == [
            pb.STEP_VERDICT_WARNED,
            pb.STEP_VERDICT_FAILED,
        ]
        assert list(steps[1].stderr) == ["Traceback", "Zzz"]
        assert heard[-1].failed.reason == "the check failed at step games: it slept"
        assert said(heard)[-1] == "not tried after that: 7 of 9 steps"
        request = pb.GetBuildLogRequest(name=heard[0].received.submission)
        log = (await house.bots.GetBuildLog(request, metadata=ANN)).log
        assert "check 2 games failed: it slept\n    Traceback\n    Zzz\n" in log


async def test_a_check_that_takes_too_long_is_ended_and_the_next_one_is_made(
    tmp_path: Path, folder: Path
) -> None:
    ended = []

    async def dawdles(trial: Trial, told: Callable[[StepResult], None]) -> None:
        await passes(trial, told)
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(trial)

    terms = replace(TERMS, check_seconds=0.01)
    async with open_house(tmp_path / "arena.db", try_out=dawdles, terms=terms) as house:
        await people(house)
        for request in ("r1", "r2"):
            heard = await submit(house, replace(packed(folder), request=request))
            assert heard[-1].failed.reason == (
                "the check took more than 0.01 s and was ended after step hello: let the bot "
                "start, answer and end faster"
            )
        assert len(ended) == 2


async def test_a_mistake_of_the_arena_fails_one_submission_and_no_other(
    tmp_path: Path, folder: Path
) -> None:
    calls = []

    async def breaks(trial: Trial, told: Callable[[StepResult], None]) -> None:
        calls.append(trial)
        if len(calls) == 1:
            raise ZeroDivisionError("secret detail")
        await passes(trial, told)

    async with open_house(tmp_path / "arena.db", try_out=breaks) as house:
        await people(house)
        heard = await submit(house, packed(folder))
        assert "the arena has made a mistake, number" in heard[-1].failed.reason
        assert "secret" not in heard[-1].failed.reason
        again = await submit(house, replace(packed(folder), request="r2"))
        assert again[-1].HasField("ready")
