"""Whole games: many with one session, and one with both seats of a side."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Final

from arena.conformance.examinee import Examinee, Launch, check_hello
from arena.conformance.games import Game, Played, play_games
from arena.conformance.positions import HOUSE
from arena.conformance.session import Session
from arena.conformance.steps import Step, protocol
from arena.conformance.verdicts import Finding, NotTried, StepFailed, passed
from arena.rules.cards import SEATS, Seat
from arena.rules.variants import VARIANTS

MOST_AT_ONCE: Final = 32
BOTH_SECONDS: Final = 20.0
BOTH_GAMES: Final = 3
UP_SECONDS: Final = 60.0
_VARIANTS: Final = (*VARIANTS.values(), HOUSE)


def games_step(count: int, seconds: float) -> Step:
    """The step that plays many games.

    Args:
        count: how many.
        seconds: for how long at most.
    """

    async def run(exam: Examinee) -> Finding:
        if not count:
            raise NotTried("no games were wanted")
        session = await exam.session()
        at_once = min(session.tables, MOST_AT_ONCE)
        played = await play_games([session], _single(count), at_once=at_once, seconds=seconds)
        return passed(_told(played, count))

    return Step(
        "games",
        "Plays whole games against the referee and three random players, without a fault.",
        protocol("Faults and endings"),
        run,
        seconds=seconds + 45.0,
    )


def _told(played: Played, count: int) -> str:
    games = f"{played.games} of {count}" if played.games < count else f"{count}"
    return f"{games} games, {played.hands} hands, {played.decisions} decisions, 0 faults"


def _single(count: int) -> Iterator[Game]:
    for number in range(count):
        seat = Seat(number // len(_VARIANTS) % SEATS)
        yield Game(_VARIANTS[number % len(_VARIANTS)], number, {seat: 0})


async def _both_seats(exam: Examinee) -> Finding:
    await exam.session()  # the bot is known to come up
    async with contextlib.AsyncExitStack() as stack:
        sessions = []
        for chair in ("first", "second"):
            told = {**exam.address(), "ARENA_CHAIR": chair}
            launch = await stack.enter_async_context(exam.starting(told))
            sessions.append(await _session(exam, launch))
        for session, other in zip(sessions, reversed(sessions), strict=True):
            if session.token == other.token:
                raise StepFailed("both processes show one token", expected="each shows its own")
        games = [
            Game(variant, 1000 + number, {Seat(number % 2): 0, Seat(number % 2 + 2): 1})
            for number, variant in enumerate(VARIANTS.values())
        ]
        played = await play_games(sessions, games, at_once=1, seconds=BOTH_SECONDS)
    if not played.games:
        raise NotTried(f"the bot is too slow for a game in {BOTH_SECONDS:g} seconds")
    return passed(_told(played, BOTH_GAMES))


async def _session(exam: Examinee, launch: Launch) -> Session:
    coming = await exam.arrival(launch, UP_SECONDS)
    if coming is None:
        seen = launch.died() or f"no Hello came within {UP_SECONDS:g} seconds"
        raise StepFailed(seen, expected="a second process comes up beside the first")
    check_hello(coming, launch.token)
    session = Session(coming, launch.dying)
    await session.welcome()
    return session


BOTH_SEATS: Final = Step(
    "both-seats",
    "Plays both seats of a side, as two processes.",
    protocol("Hello and Welcome"),
    _both_seats,
    seconds=150.0,
)
