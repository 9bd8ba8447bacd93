"""What a bot gets of what it asks for, and the words for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from arena.hosting.manifest import Wanted
from arena.hosting.runner import Resources
from arena.hosting.sizes import MEBIBYTE


def allotted(wanted: Wanted, most: Resources) -> Resources:
    """What a bot gets: what it asks for, where that is not more than it may have."""
    memory = most.memory_bytes if wanted.memory_mb is None else wanted.memory_mb * MEBIBYTE
    processes = most.processes if wanted.processes is None else wanted.processes
    return replace(
        most,
        memory_bytes=min(memory, most.memory_bytes),
        processes=min(processes, most.processes),
        cpus=min(most.cpus if wanted.cpus is None else wanted.cpus, most.cpus),
    )


def shortfalls(wanted: Wanted, most: Resources) -> Iterator[str]:
    """A sentence for each thing of which a bot asks for more than it gets."""
    memory = most.memory_bytes // MEBIBYTE
    asked = (
        (wanted.memory_mb, memory, f"{wanted.memory_mb} MiB of memory"),
        (wanted.processes, most.processes, _counted(wanted.processes, "process", "processes")),
        (wanted.cpus, most.cpus, processors(wanted.cpus or 0)),
    )
    for number, given, words in asked:
        if number is not None and number > given:
            yield f"it asks for {words} and gets {given:g}, the most that this arena gives"


def processors(number: float) -> str:
    """So many, in words."""
    return _counted(number, "processor", "processors")


def _counted(number: float | None, one: str, several: str) -> str:
    return f"{number or 0:g} {one if number == 1 else several}"
