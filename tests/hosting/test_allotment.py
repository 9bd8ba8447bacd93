"""What a bot gets, and what it is told where that is less than it asks for."""

from __future__ import annotations

from arena.hosting.allotment import allotted, processors, shortfalls
from arena.hosting.manifest import Wanted
from arena.hosting.runner import Resources
from arena.hosting.sizes import MEBIBYTE

MOST = Resources(memory_bytes=512 * MEBIBYTE, processes=128, cpus=0.5)


def test_it_gets_what_it_asks_for_up_to_the_most() -> None:
    some, all_of_it = Wanted(memory_mb=64, processes=3, cpus=0.25), Wanted(9999, 9999, 9.0)
    assert allotted(some, MOST) == Resources(memory_bytes=64 * MEBIBYTE, processes=3, cpus=0.25)
    assert allotted(all_of_it, MOST) == allotted(Wanted(), MOST) == MOST
    assert [*shortfalls(some, MOST), *shortfalls(Wanted(), MOST)] == []


def test_each_thing_of_which_it_gets_less_is_told() -> None:
    rest = "the most that this arena gives"
    assert list(shortfalls(Wanted(memory_mb=2048, processes=4096, cpus=1.0), MOST)) == [
        f"it asks for 2048 MiB of memory and gets 512, {rest}",
        f"it asks for 4096 processes and gets 128, {rest}",
        f"it asks for 1 processor and gets 0.5, {rest}",
    ]


def test_one_processor_is_one() -> None:
    assert [processors(n) for n in (0.5, 1.0, 2.0)] == [
        "0.5 processors",
        "1 processor",
        "2 processors",
    ]
