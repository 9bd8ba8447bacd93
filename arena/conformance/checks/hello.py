"""The first steps: the bot comes up and says Hello."""

from __future__ import annotations

from typing import Final

from arena.conformance.examinee import Examinee, Way
from arena.conformance.positions import PLAY, positions
from arena.conformance.steps import Step, protocol
from arena.conformance.verdicts import Finding, passed, warned
from arena.rules.variants import CLASSIC

_ARENA_WAITS: Final = 10.0
"""Seconds that an arena waits for a process to come up, unless it is told otherwise."""


async def _hello(exam: Examinee) -> Finding:
    session = await exam.session()
    hello = session.hello
    if exam.came_after > _ARENA_WAITS:
        return warned(
            f"the bot took {exam.came_after:.1f} s to its Hello; an arena waits "
            f"{_ARENA_WAITS:g} s unless startup_ms says more"
        )
    if not hello.bot_name:
        return warned("bot_name is empty; people should see a name")
    tables = "1 table" if session.tables == 1 else f"{session.tables} tables"
    return passed(f"{hello.bot_name} {hello.bot_version}, {tables} at once".replace(" ,", ","))


async def _headers(exam: Examinee) -> Finding:
    await exam.session()
    if exam.waited_for_headers:
        return passed(
            "the bot waits for the response headers before its Hello; the arena sends them at once"
        )
    return passed()


def _over(way: Way) -> Step:
    async def run(exam: Examinee) -> Finding:
        session = await exam.session(way)
        await session.ask(*positions(CLASSIC, PLAY, 2))
        return passed()

    forms = {
        Way.UNIX: ("a Unix socket", "unix:PATH"),
        Way.TCP: ("TCP", "HOST:PORT"),
        Way.TLS: ("TLS", "tls:HOST:PORT and ARENA_TLS_CA"),
    }
    name, address = forms[way]
    return Step(way.value, f"Dials and plays over {name} ({address}).", protocol("Connecting"), run)


HELLO: Final = Step(
    "hello",
    "Dials ARENA_ADDR and sends Hello with ARENA_TOKEN and protocol_version 1.",
    protocol("Hello and Welcome"),
    _hello,
    seconds=150.0,
)
HEADERS: Final = Step(
    "headers",
    "Sends Hello without waiting for a message of the arena (it may wait for the headers).",
    protocol("Connecting"),
    _headers,
    seconds=150.0,
)
UNIX: Final = _over(Way.UNIX)
TCP: Final = _over(Way.TCP)
TLS: Final = _over(Way.TLS)
