"""Showing an attack to a runner: started as a job, watched to its end, and what is seen of it."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import socket
import stat
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Final

from arena.hosting.process import BotProcess
from arena.hosting.runner import SOCKET, Job, RunnerKind
from arena.hosting.strays import TOKEN
from tests.hostile.attacks import HEAR, TELL, Attack, End
from tests.hostile.cages import PLACE_BYTES, Cage
from tests.hostile.machine import Machine, unix_listener
from tests.hostile.programs.attempts import DONE, FACTS, REFUSED
from tests.hosting.bots import until

PATIENCE_SECONDS: Final = 40.0
"""By then each attack has ended, or does not end at all."""
TIMED_SECONDS: Final = 0.5
_PARTING_SECONDS: Final = 5.0
_KILLED: Final = frozenset({-signal.SIGKILL, 128 + signal.SIGKILL, 128 + signal.SIGXCPU})
_SPOILT: Final = frozenset({128 + signal.SIGSYS, -signal.SIGSYS})

_numbers: Final = count(1)


@dataclass(frozen=True, slots=True)
class Sighting:
    """What was seen of an attack.

    Attributes:
        attack: that was shown.
        lines: that the program said: kind, attempt, how it went.
        ending: how it ended, in words.
        code: likewise, as a number.
        stderr: its last words.
        complaints: what shows that it was not contained, in sentences; none where it was.
    """

    attack: Attack
    lines: tuple[tuple[str, str, str], ...]
    ending: str
    code: int
    stderr: str
    complaints: tuple[str, ...]

    def said(self, kind: str) -> list[tuple[str, str]]:
        """The attempts that went so, with their details."""
        return [(what, detail) for one, what, detail in self.lines if one == kind]


@dataclass(frozen=True, slots=True)
class Lodging:
    """A job's own folder of sockets, where the test listens, and what knows it again.

    Attributes:
        folder: of sockets.
        witness: listens on the one in there.
        token: in the job's environment.
        held: connections that were taken.
        left: processes that were still there after its end.
    """

    folder: Path
    witness: socket.socket
    token: str
    held: list[socket.socket] = field(default_factory=list)
    left: list[int] = field(default_factory=list)


@contextmanager
def lodging(machine: Machine) -> Iterator[Lodging]:
    """A folder of sockets for a job."""
    number = next(_numbers)
    folder = machine.folder / f"s{number}"
    folder.mkdir()
    folder.chmod(0o711)
    with unix_listener(str(folder / SOCKET)) as witness:
        witness.setblocking(False)
        yield Lodging(folder, witness, f"{machine.sign}-job-{number}")


@asynccontextmanager
async def started(
    cage: Cage, attack: Attack, machine: Machine, place: Lodging, folder: Path
) -> AsyncIterator[BotProcess]:
    """The attack as a running job, ended after the block."""
    job = Job(
        ("python3", "-m", f"tests.hostile.programs.{attack.words[0]}", *attack.words[1:]),
        label_of(cage, place),
        {
            FACTS: json.dumps(facts_of(cage, attack, machine, place)),
            TOKEN: place.token,
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        folder=folder,
        writable=attack.building or cage.runner.kind is RunnerKind.PROCESS,
        sockets=place.folder,
        resources=attack.resources,
    )
    launch = await asyncio.to_thread(cage.runner.launch, job)
    process = await BotProcess.start(launch, on_exit=lambda _: None)
    try:
        yield process
    finally:
        process.kill()
        await process.ended()
        place.left.extend(processes_of(place.token))
        for pid in place.left:  # no more shall be lost than a test
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def label_of(cage: Cage, place: Lodging) -> str:
    """The label of the job with that folder of sockets."""
    return f"{cage.arena}-{place.folder.name}"


def facts_of(cage: Cage, attack: Attack, machine: Machine, place: Lodging) -> dict[str, object]:
    """What the program is told of the machine, its place and its bounds."""
    resources = attack.resources
    address = cage.runner.address(place.folder).removeprefix("unix:")
    return machine.facts() | {
        "witness": address,
        "places": cage.places,
        "other": [str(machine.other_seat.getsockname())],
        "most": {
            "memory": resources.memory_bytes,
            "processes": resources.processes,
            "open_files": resources.open_files,
            "file": resources.file_bytes,
            "place": PLACE_BYTES,
            "cpus": resources.cpus,
        },
    }


async def show(cage: Cage, attack: Attack, machine: Machine) -> Sighting:
    """Start it, wait for its end or end it, and look at what it has said, done and left."""
    folder = machine.new_folder(user=cage.owner) if attack.building else machine.bot
    if cage.owner is not None:
        machine.give(cage.owner)
    with lodging(machine) as place:
        began = time.monotonic()
        async with started(cage, attack, machine, place, folder) as process:
            await _see_through(attack, process, place)
        complaints = [
            *_wins(cage, attack, process),
            *_odd_end(attack, process),
            *machine.harm(),
            *await _left(cage, place),
        ]
        if time.monotonic() - began > PATIENCE_SECONDS:
            complaints.append("it did not end in time")
    if attack.building:
        complaints += _rights_left(folder)
        shutil.rmtree(folder)
    return Sighting(
        attack,
        _lines(process),
        process.ending().removeprefix("the bot's process "),
        _code(process),
        process.stderr.last_line(),
        tuple(complaints),
    )


async def show_seats(cage: Cage, machine: Machine) -> Sighting:
    """Have one process of a bot tell something, and show another one that tries to hear it."""
    with lodging(machine) as place:
        async with started(cage, TELL, machine, place, machine.bot) as teller:
            await until(lambda: teller.stdout.text() or not teller.running)
            sighting = await show(cage, HEAR, machine)
            complaints = list(sighting.complaints)
            if not teller.running:
                complaints.append(f"the other one fell silent: {teller.ending()}")
        with suppress(BlockingIOError):
            place.witness.accept()[0].close()
            complaints.append("the socket of the other one was dialled")
    return replace(sighting, complaints=tuple(complaints))


async def _see_through(attack: Attack, process: BotProcess, place: Lodging) -> None:
    match attack.end:
        case End.ITS_OWN:
            await _wait(process, PATIENCE_SECONDS)
        case End.STOPPED:
            loop = asyncio.get_running_loop()
            async with asyncio.timeout(PATIENCE_SECONDS):
                place.held.append((await loop.sock_accept(place.witness))[0])
            await process.stop()
        case End.TIMED:
            await until(lambda: process.stdout.text() or not process.running)
            await _wait(process, TIMED_SECONDS)
            await process.stop()


async def _wait(process: BotProcess, seconds: float) -> None:
    ended = asyncio.ensure_future(process.ended())
    await asyncio.wait([ended], timeout=seconds)
    ended.cancel()


def _lines(process: BotProcess) -> tuple[tuple[str, str, str], ...]:
    split = [line.split("\t") for line in process.stdout.text().splitlines()]
    return tuple((words[0], words[1], words[2]) for words in split if len(words) == 3)


def _code(process: BotProcess) -> int:
    code = process.code
    assert code is not None, "it has ended"
    return code


def _wins(cage: Cage, attack: Attack, process: BotProcess) -> Iterator[str]:
    """What was done that may not be."""
    allowed = {f"write in {place}" for place in cage.places}
    allowed |= {f"write {path}" for path in cage.masked}
    nothing = {(f"read {path}", "b''") for path in cage.masked}
    lines = _lines(process)
    for kind, what, detail in lines:
        if kind == DONE and what not in allowed and (what, detail) not in nothing:
            yield (
                f"it could {what}: {detail}" if attack.words[0] != "bombs" else f"{what}: {detail}"
            )
    is_silent = attack.end is End.ITS_OWN and not any(kind == REFUSED for kind, _, _ in lines)
    if is_silent and not attack.may_be_killed and attack.words[0] != "stays":
        yield "it has tried nothing"


def _odd_end(attack: Attack, process: BotProcess) -> Iterator[str]:
    code = _code(process)
    if attack.end is not End.ITS_OWN:
        if code == 0:
            yield "it has ended before it was to"
        return
    may = _KILLED | _SPOILT if attack.may_be_killed else frozenset()
    if code != 0 and code not in may:
        yield f"{process.ending()}{process.last_words()}"


async def _left(cage: Cage, place: Lodging) -> list[str]:
    """What of it is still there."""
    groups = cage.groups_of(label_of(cage, place))
    found = [f"the control group {name} is left" for name in groups]
    found += [f"process {pid} is left" for pid in place.left]
    with suppress(BlockingIOError):
        while True:
            place.held.append(place.witness.accept()[0])
    for held in place.held:
        with held:
            held.settimeout(_PARTING_SECONDS)
            if not await asyncio.to_thread(_is_closed, held):
                found.append("something still holds its connection")
    return found


def _is_closed(held: socket.socket) -> bool:
    try:
        while held.recv(64):
            pass
    except TimeoutError:
        return False
    except ConnectionResetError:
        pass
    return True


def processes_of(token: str) -> list[int]:
    """The processes of the machine that carry a token in their environment."""
    word = token.encode()
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                content = (folder / "environ").read_bytes()
            except OSError:
                continue
            if word in content:
                found.append(int(folder.name))
    return found


def _rights_left(folder: Path) -> Iterator[str]:
    """Programs that would give the superuser's rights, once the job is cleared away."""
    for place, _, files in os.walk(folder):
        for name in files:
            status = Path(place, name).lstat()
            rights = stat.S_ISREG(status.st_mode) and status.st_mode & (stat.S_ISUID | stat.S_ISGID)
            if rights and status.st_uid == 0:
                yield f"{name} is left with the superuser's rights"
