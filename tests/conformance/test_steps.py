"""Every step can fail: for each there is a bot that fails it, and the good one passes all."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from arena.conformance import listener
from arena.conformance.catalogue import all_steps
from arena.conformance.dialled import DialledIn
from arena.conformance.hosted import Hosted
from arena.conformance.runner import Result, run_steps
from arena.conformance.steps import Step
from arena.conformance.verdicts import Verdict
from arena.hosting.command import BotCommand
from tests.conformance.bad import SESSIONS, Session
from tests.conformance.bad_programs import PROGRAMS
from tests.conformance.good import GoodBot

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "ab" * 32
STEPS = tuple(enumerate(all_steps(games=6, games_seconds=20.0), start=1))
NAMES = {step.name for _, step in STEPS}
AT_ONCE = 5
CONSEQUENCES = {"repeatable", "acknowledgement", "busy"}
"""Steps that may warn where something else is the matter."""
OURS = {"idle", "output", "tls", "refused", "both-seats", "sigterm", "no-arena", "usage"}
"""Steps that need a process that the check starts."""


def named(names: Iterable[str]) -> list[tuple[int, Step]]:
    return [(number, step) for number, step in STEPS if step.name in set(names)]


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that say nothing are not waited for as long as people's."""
    monkeypatch.setattr(listener, "HELLO_SECONDS", 1.0)
    monkeypatch.setattr(listener, "WITHHOLD_SECONDS", 0.2)
    monkeypatch.setattr("arena.conformance.session.ANSWER_SECONDS", 2.0)


async def dial_in(
    bot: type[GoodBot], steps: Sequence[tuple[int, Step]], folder: Path
) -> dict[str, Result]:
    """What comes of steps with a bot that dials in, again and again."""
    address = f"unix:{folder / 's'}"

    async def dial() -> None:
        while True:
            await bot(address, TOKEN).play()
            await asyncio.sleep(0.05)

    async with DialledIn(address, TOKEN, 3.0, again=3.0) as exam:
        dialling = asyncio.create_task(dial())
        try:
            results = await run_steps(exam, steps, begun=ignore, done=ignore)
        finally:
            dialling.cancel()
            await asyncio.wait([dialling])
    return {result.step.name: result for result in results}


def ignore(*_: object) -> None:
    pass


def of(verdict: Verdict, results: dict[str, Result]) -> set[str]:
    return {name for name, result in results.items() if result.verdict is verdict}


async def test_the_good_bot_passes_all_that_can_be_tried_when_it_dials_in(tmp_path: Path) -> None:
    results = await dial_in(GoodBot, STEPS, tmp_path)
    assert of(Verdict.FAILED, results) | of(Verdict.WARNED, results) == set(), results
    assert of(Verdict.NOT_TRIED, results) == OURS
    assert all(results[name].note for name in OURS)


@pytest.mark.parametrize("name", SESSIONS)
async def test_a_bad_bot_fails_its_steps(name: str, tmp_path: Path) -> None:
    bad = SESSIONS[name]
    results = await dial_in(bad.bot, named(bad.fails | bad.warns), tmp_path)
    assert of(Verdict.FAILED, results) == bad.fails, results
    assert of(Verdict.WARNED, results) == bad.warns, results
    for result in results.values():
        assert result.note
        assert bool(result.expected) is (result.verdict is Verdict.FAILED)


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_a_bad_bot_fails_no_other_step(tmp_path: Path) -> None:
    room = asyncio.Semaphore(AT_ONCE)

    async def surprises(number: int, bad: Session) -> tuple[set[str], set[str]]:
        async with room:
            folder = tmp_path / str(number)
            folder.mkdir()
            results = await dial_in(bad.bot, STEPS, folder)
            allowed = bad.warns | CONSEQUENCES
            return of(Verdict.FAILED, results) ^ bad.fails, of(Verdict.WARNED, results) - allowed

    bots = {name: bad for name, bad in SESSIONS.items() if bad.only}
    found = await asyncio.gather(*map(surprises, range(len(bots)), bots.values()))
    wrong = {name: one for name, one in zip(bots, found, strict=True) if one != (set(), set())}
    assert wrong == {}


async def start(
    name: str, steps: Sequence[tuple[int, Step]], folder: Path, *, startup: float = 20.0
) -> dict[str, Result]:
    """What comes of steps with a program that the check starts."""
    lines = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})",
        "from tests.conformance.bad_programs import main",
        "main()",
    )
    argv = (sys.executable, "-c", "\n".join(lines), name)
    async with Hosted(BotCommand(name, argv, ""), folder, startup) as exam:
        results = await run_steps(exam, steps, begun=ignore, done=ignore)
    return {result.step.name: result for result in results}


@pytest.mark.timeout(120)
async def test_the_good_program_passes_all(tmp_path: Path) -> None:
    results = await start("good", STEPS, tmp_path)
    assert of(Verdict.PASSED, results) == NAMES, results


@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", sorted(PROGRAMS.keys() - {"good"}))
async def test_a_bad_program_fails_its_step(name: str, tmp_path: Path) -> None:
    bad = PROGRAMS[name]
    startup = 4.0 if name == "cannot-speak-tls" else 20.0
    results = await start(name, named([bad.step]), tmp_path, startup=startup)
    assert results[bad.step].verdict.value == bad.verdict, results


async def test_a_bot_that_does_not_come_up_is_told_once(tmp_path: Path) -> None:
    results = await start("exits-at-once", STEPS, tmp_path)
    assert of(Verdict.FAILED, results) == {"hello"}
    assert of(Verdict.NOT_TRIED, results) == NAMES - {"hello"}
    assert "status 5" in results["hello"].note
    assert results["hello"].stderr == ("there is no file of weights",)


async def test_a_command_that_cannot_be_started_is_told_once(tmp_path: Path) -> None:
    command = BotCommand("none", (str(tmp_path / "none"),), "")
    async with Hosted(command, tmp_path, 5.0) as exam:
        results = await run_steps(exam, STEPS, begun=ignore, done=ignore)
    failed = [result for result in results if result.verdict is Verdict.FAILED]
    assert [result.note for result in failed] == [
        "the command cannot be started: No such file or directory"
    ]


def test_every_step_has_a_bad_bot() -> None:
    found = {step for bad in SESSIONS.values() for step in bad.fails | bad.warns}
    found |= {bad.step for bad in PROGRAMS.values()} - {""}
    assert found == NAMES


async def test_a_failure_shows_what_was_sent_and_what_came(tmp_path: Path) -> None:
    results = await dial_in(SESSIONS["errs-in-double-play"].bot, named(["double-play"]), tmp_path)
    result = results["double-play"]
    assert result.sent["legal"][0]["kind"] == "ACTION_KIND_PLAY"
    assert result.came_back["action"] == {"kind": "ACTION_KIND_PLAY"}
    assert result.sent["decision_id"] == result.came_back["decision_id"]
    assert result.expected == "one of legal"


async def test_no_secret_is_shown(tmp_path: Path) -> None:
    bad = SESSIONS["speaks-another-version"]
    results = await dial_in(bad.bot, named(["hello"]), tmp_path)
    assert results["hello"].came_back["hello"]["token"] == "(64 characters)"


async def test_a_bot_that_waits_for_the_headers_is_told_so(tmp_path: Path) -> None:
    class WaitsForHeaders(GoodBot):
        async def converse(self) -> None:
            await self.call.initial_metadata()
            await super().converse()

    results = await dial_in(WaitsForHeaders, named(["hello"]), tmp_path)
    assert results["hello"].verdict is Verdict.PASSED
    assert "waits for the response headers" in results["hello"].note


async def test_a_bot_that_is_gone_is_not_waited_for_again_and_again(tmp_path: Path) -> None:
    address = f"unix:{tmp_path / 's'}"
    async with DialledIn(address, TOKEN, 0.2, again=0.2) as exam:
        results = await run_steps(exam, STEPS, begun=ignore, done=ignore)
    assert [result.verdict for result in results[:2]] == [Verdict.FAILED, Verdict.NOT_TRIED]
    assert results[0].note == "no bot dialled in within 0.2 seconds"
