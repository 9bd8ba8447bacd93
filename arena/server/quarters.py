"""What hosted processes are started with: a token, an address, and what contains them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from arena.hosting.command import BotCommand
from arena.hosting.containment import Containment
from arena.hosting.fleet import Assignment
from arena.hosting.runner import Job, ProcessRunner, RunnerKind
from arena.ids import VersionId
from arena.server.admission import (
    Admission,
    EntranceNumber,
    Lane,
    Place,
    Tokens,
    new_token,
    token_hash,
)
from arena.server.entrances import Entrance, Entrances
from arena.server.processes import Processes

_LANES: Final = {Lane.A: "a", Lane.B: "b"}


@dataclass(frozen=True, slots=True)
class _Guest:
    admission: Admission
    containment: Containment | None


class Quarters:
    """Knows the hosted versions of a server, and how each is contained.

    Args:
        tokens: where the one-use tokens of processes are made known.
        entrances: where contained processes dial in.
        processes: told of each start.
        addresses: of the server; processes that nothing contains dial the first.
    """

    def __init__(
        self, tokens: Tokens, entrances: Entrances, processes: Processes, addresses: list[str]
    ) -> None:
        self._tokens = tokens
        self._entrances = entrances
        self._processes = processes
        self._addresses = addresses
        self._guests: dict[VersionId, _Guest] = {}

    def take(
        self, version: VersionId, command: BotCommand, label: str, containment: Containment | None
    ) -> None:
        """Know a version; None contains it in nothing."""
        if containment is not None and containment.runner.kind is RunnerKind.PROCESS:
            containment = None
        admission = Admission(version, command.name, label, hosted=True)
        self._guests[version] = _Guest(admission, containment)

    def admission(self, version: VersionId) -> Admission:
        """Whose processes they are."""
        return self._guests[version].admission

    async def assign(self, command: BotCommand, place: Place) -> Assignment:
        """What a process of a place is started with; its token fixes version, chair and lane.

        Raises:
            ArenaFault: the machine has no room for a socket.
        """
        guest = self._guests[place.version]
        self._processes.starts(guest.admission, place)
        if guest.containment is None:
            return self._at_large(command, place, guest.admission)
        entrance = await self._entrances.open()
        return self._contained(command, place, guest.admission, guest.containment, entrance)

    def _at_large(self, command: BotCommand, place: Place, admission: Admission) -> Assignment:
        token = self._admit(admission, place, None)
        variables = {"ARENA_ADDR": self._addresses[0], "ARENA_TOKEN": token}
        job = Job(command.argv, command.name, variables)
        return Assignment(ProcessRunner(), job, lambda: self._tokens.remove(token_hash(token)))

    def _contained(
        self,
        command: BotCommand,
        place: Place,
        admission: Admission,
        containment: Containment,
        entrance: Entrance,
    ) -> Assignment:
        token = self._admit(admission, place, entrance.number)

        def release() -> None:
            self._tokens.remove(token_hash(token))
            self._entrances.close(entrance)

        address = containment.runner.address(entrance.folder)
        job = Job(
            command.contained_argv(),
            f"{containment.arena}-{_words(place)}-{entrance.number}",
            {"ARENA_ADDR": address, "ARENA_TOKEN": token},
            folder=command.folder,
            sockets=entrance.folder,
            resources=containment.resources,
        )
        return Assignment(containment.runner, job, release)

    def _admit(self, admission: Admission, place: Place, entrance: EntranceNumber | None) -> str:
        token = new_token()
        fixed = replace(
            admission,
            chair=place.chair,
            lane=place.lane,
            game=place.game,
            entrance=entrance,
        )
        self._tokens.add(token_hash(token), fixed)
        return token


def _words(place: Place) -> str:
    """Version, chair and lane in a label: ``12-1a``."""
    lane = "" if place.lane is None else _LANES[place.lane]
    return f"{place.version}-{int(place.chair)}{lane}"
