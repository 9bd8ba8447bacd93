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
    name = f"{hello.bot_name} {hello.bot_version}".rstrip()
    late = "; waits for the response headers first, which it may" if exam.waited_for_headers else ""
    return passed(f"{name}, {session.tables} table{'s' * (session.tables != 1)} at once{late}")


def _over(way: Way, name: str, address: str) -> Step:
    async def run(exam: Examinee) -> Finding:
        session = await exam.session(way)
        await session.ask(*positions(CLASSIC, PLAY, 2))
        return passed()

    sentence = f"Dials and plays over {name} ({address})."
    return Step(way.value, sentence, protocol("Connecting"), run, seconds=150.0)


HELLO: Final = Step(
    "hello",
    "Dials ARENA_ADDR (HOST:PORT); says Hello with ARENA_TOKEN and protocol_version 1, unasked.",
    protocol("Hello and Welcome"),
    _hello,
    seconds=150.0,
)
TLS: Final = _over(Way.TLS, "TLS", "tls:HOST:PORT, ARENA_TLS_CA")
UNIX: Final = _over(Way.UNIX, "a Unix socket", "unix:PATH")
