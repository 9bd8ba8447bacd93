"""Each attack is contained by each runner, seen to its end, and leaves nothing."""

from __future__ import annotations

import pytest

from tests.hostile.attacks import ATTACKS, Attack
from tests.hostile.cages import Cage, process, weakened
from tests.hostile.machine import Machine
from tests.hostile.programs.attempts import DONE
from tests.hostile.programs.seats import forget_shared_memory
from tests.hostile.showing import show, show_seats

NAMED = {attack.name: attack for attack in ATTACKS}


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
async def test_it_is_contained(cage: Cage, attack: Attack, attacked: Machine) -> None:
    if not attack.needs(cage):
        pytest.skip(f"{cage.name} does not say that it bounds this here")
    sighting = await show(cage, attack, attacked)
    assert sighting.complaints == (), sighting.stderr


async def test_two_seats_of_a_side_cannot_talk(cage: Cage, attacked: Machine) -> None:
    assert (await show_seats(cage, attacked)).complaints == ()


async def test_what_it_said_and_how_it_ended_is_known(cage: Cage, attacked: Machine) -> None:
    flood = await show(cage, NAMED["flood of output"], attacked)
    assert flood.stderr.endswith("xxxx")
    assert flood.ending == "exited with status 0"
    endless = await show(cage, NAMED["endless loop, bounded"], attacked)
    assert endless.ending == "exited with status 137"


@pytest.mark.parametrize(
    ("name", "wins"),
    [
        ("reads secrets", {"read /etc/shadow", "look for the arena in all folders"}),
        (
            "reaches for processes",
            {"see another process", "signal another process", "read its environment"},
        ),
        ("opens sockets", {"connect to 127.0.0.1", "send to 127.0.0.1"}),
    ],
)
async def test_attacks_succeed_where_nothing_contains_them(
    name: str, wins: set[str], attacked: Machine
) -> None:
    sighting = await show(process(), NAMED[name], attacked)
    won = {what for what, _ in sighting.said(DONE)}
    missing = {"read /etc/shadow"} - won  # which only the superuser can
    assert wins - missing <= won, sighting.stderr
    if name == "opens sockets":
        harm = {"TCP was dialled", "UDP came", "the other seat's socket was dialled"}
        assert harm <= set(sighting.complaints)


async def test_what_nothing_contains_outlives_its_end(attacked: Machine) -> None:
    sighting = await show(process(), NAMED["leaves a daemon"], attacked)
    assert any(complaint.endswith(" is left") for complaint in sighting.complaints)


@pytest.mark.bubblewrap
@pytest.mark.parametrize(
    ("without", "name"),
    [
        ({"--unshare-pid": 0}, "reaches for processes"),
        ({"--unshare-net": 0}, "opens sockets"),
        ({"--seccomp": 1}, "escapes"),
        ({"--ro-bind": 2, "--bind": 2}, "reads secrets"),
    ],
    ids=str,
)
async def test_a_runner_that_lacks_something_is_found_out(
    without: dict[str, int], name: str, attacked: Machine
) -> None:
    assert (await show(weakened(without), NAMED[name], attacked)).complaints


@pytest.mark.bubblewrap
@pytest.mark.parametrize("without", [{"--seccomp": 1}, {"--unshare-ipc": 0}], ids=str)
async def test_talking_seats_are_found_out(without: dict[str, int], attacked: Machine) -> None:
    forget_shared_memory()
    try:
        assert (await show_seats(weakened(without), attacked)).complaints
    finally:
        forget_shared_memory()
