"""What telling and counting costs: something for each set, nothing for each decision."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from types import FrameType
from typing import Any

from arena import events
from arena.rules import Variant
from arena.server import comings, counts, fates, metrics, processes, vitals
from tests.referee.games import SHORT
from tests.server.puppets import Theatre, open_theatre

FILES = {
    module.__file__: module.__name__
    for module in (comings, counts, events, fates, metrics, processes, vitals)
}
LONG = replace(SHORT, name="long", max_hands=9)


async def calls_in_a_set(theatre: Theatre, number: int, variant: Variant) -> Counter[str]:
    """The calls into what tells and counts while a set is played, by function."""
    calls: Counter[str] = Counter()

    def look(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename in FILES:
            calls[frame.f_code.co_qualname] += 1

    order = theatre.order(1, 2, number, variant=variant)
    sys.setprofile(look)
    try:
        await theatre.arena.executor.play(order)
    finally:
        sys.setprofile(None)
    return calls


async def test_a_longer_set_makes_no_further_calls() -> None:
    async with open_theatre() as theatre:
        theatre.host(1, "ann")
        theatre.host(2, "bob")
        await theatre.arena.executor.play(theatre.order(1, 2))  # its processes are started
        tally = theatre.arena.lobby.tally
        decisions = [tally.decisions]
        calls = []
        for number, variant in ((2, SHORT), (3, LONG)):
            calls.append(await calls_in_a_set(theatre, number, variant))
            decisions.append(tally.decisions)
    assert calls[0] == calls[1]
    assert calls[0]["Counts.game"] == 2
    assert 0 < calls[0].total() < 100
    assert decisions[2] - decisions[1] > 2 * (decisions[1] - decisions[0])
