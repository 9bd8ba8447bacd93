"""Repeats of a submission, streams that end, and how many may wait."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from pathlib import Path

import grpc
import pytest

from arena.server import submissions
from arena.server.submissions import MOST_OF_OWNER, MOST_UPLOADS_OF_OWNER
from arena.store import NewSubmission, Request, Store, Submission
from tests.server.services.house import House, refused
from tests.server.services.submissions.sending import ANN, BOB, Gate, kinds, packed, said, submit

DEADLINE_SECONDS = 30.0


async def test_a_repeat_joins_what_is_stored_and_not_yet_entered(
    gated: House, gate: Gate, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, stored, looked = gated.store, threading.Event(), threading.Event()
    begin, look = store.begin_submission, store.submission_of

    def slow_begin(new: NewSubmission, request: Request) -> Submission:
        submission = begin(new, request)
        stored.set()
        assert looked.wait(DEADLINE_SECONDS)
        return submission

    def seen_look(request: Request) -> Submission | None:
        found = look(request)
        if found is not None:
            looked.set()
        return found

    monkeypatch.setattr(Store, "begin_submission", lambda _, *words: slow_begin(*words))
    monkeypatch.setattr(Store, "submission_of", lambda _, request: seen_look(request))
    gate.go.set()
    first = asyncio.create_task(submit(gated, packed(folder)))
    assert await asyncio.to_thread(stored.wait, DEADLINE_SECONDS)
    repeat = await submit(gated, packed(folder))
    assert said(repeat) == said(await first)
    assert repeat[-1].HasField("ready")


async def test_a_repeat_under_the_request_id_joins_and_hears_all(
    gated: House, gate: Gate, folder: Path
) -> None:
    sent = packed(folder)
    calls = [asyncio.create_task(submit(gated, sent)) for _ in range(MOST_UPLOADS_OF_OWNER)]
    await gate.reached.wait()
    late = [asyncio.create_task(submit(gated, sent)) for _ in range(4)]
    gate.go.set()
    heard = await asyncio.gather(*calls, *late)
    assert all(one[-1].HasField("ready") for one in heard)
    assert all(said(one) == said(heard[0]) for one in heard)
    assert len(gated.store.submissions()) == len(gated.store.versions()) == len(gate.tried) == 1
    after = await submit(gated, sent)
    assert kinds(after) == ["received", "ready"]
    assert len(gated.store.submissions()) == 1


async def test_the_same_request_id_with_another_content_is_refused(
    house: House, folder: Path
) -> None:
    await submit(house, packed(folder))
    other = replace(packed(folder), name="other")
    told = await refused(submit(house, other), grpc.StatusCode.ALREADY_EXISTS)
    assert "another content" in told


async def test_who_stops_listening_stops_no_build(gated: House, gate: Gate, folder: Path) -> None:
    sent = packed(folder)
    call = gated.bots.SubmitBot(sent.pieces(), metadata=ANN)
    await anext(aiter(call))
    call.cancel()
    await gate.reached.wait()
    gate.go.set()
    assert (await submit(gated, sent))[-1].HasField("ready")
    assert len(gate.tried) == 1


async def test_others_wait_and_are_told_their_place_again_and_again(
    gated: House, gate: Gate, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr(submissions, "monotonic", lambda: now)
    first = asyncio.create_task(submit(gated, packed(folder)))
    await gate.reached.wait()
    (folder / "main.sh").write_text("#!/bin/sh\n# of bob\n")
    call = gated.bots.SubmitBot(replace(packed(folder), name="bob").pieces(), metadata=BOB)
    heard = aiter(call)
    assert (await anext(heard)).HasField("received")
    waiting = (await anext(heard)).waiting
    assert (waiting.ahead, waiting.worked_seconds) == (1, 0)
    now += 130
    async for one in heard:
        assert one.waiting.ahead == 1
        if one.waiting.worked_seconds == 130:
            break
    gate.go.set()
    assert [one async for one in heard][-1].HasField("ready")
    await first


async def test_an_owner_may_have_so_many_that_are_not_over(
    gated: House, gate: Gate, folder: Path
) -> None:
    archive = packed(folder)
    calls = []
    for n in range(MOST_OF_OWNER):
        pieces = replace(archive, request=f"r{n}").pieces()
        calls.append(gated.bots.SubmitBot(pieces, metadata=ANN))
        assert (await anext(aiter(calls[-1]))).HasField("received")
    one_more = submit(gated, replace(archive, request="more"))
    assert "not over yet" in await refused(one_more, grpc.StatusCode.RESOURCE_EXHAUSTED)
    gate.go.set()
    for call in calls:
        assert [one async for one in call][-1].HasField("ready")
    assert (await submit(gated, replace(archive, request="more")))[-1].HasField("ready")
