"""The moments at which a process is killed, and how it is: by its own hooks, from inside.

Nothing of this is in the arena. `arm` puts hooks around what the arena calls; at the n-th time
that the moment comes, the process notes it and ends by SIGKILL. The moments inside a commit are
system calls of SQLite: there the kernel is told to kill the process at the call (a seccomp filter,
SIGSYS), before the call does anything. Neither signal can be caught.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import sqlite3
import threading
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any, Final

from arena.cli import record_folder
from arena.hosting.shelf import Shelf
from arena.store import JournalWriter, Store


class Moment(Enum):
    """When; the value is what the table of the kills says."""

    CREATING_TABLES = "while the first tables are made"
    MIGRATING = "while the schema is migrated"
    MIGRATED = "before the migration's commit"
    CREATING = "while the tournament is created"
    CREATED = "before the creation's commit"
    STARTING = "while its state is set"
    BEFORE = "before the transaction"
    INSIDE = "inside the transaction"
    STATED = "between statement and commit"
    LOGGING = "while the log is written"
    SYNCING = "during the fsync"
    MOVING = "while the log is moved into the database"
    COMMITTED = "after the commit, before it is announced"
    ANNOUNCED = "just after it is announced"
    EXPORTING = "while a record is exported"
    PAUSED = "after a commit, and not killed but stopped"
    TOKEN = "while the organiser's token is written"
    RECEIVED = "before a submission is stored"
    ACCEPTED = "after a submission is stored, before that is answered"
    MADE = "before what was built and checked is kept"
    KEPT = "after it is kept, before it is a version"
    FINISHING = "before the commit of the version"
    READY = "after that commit, before it is answered"


class Hook:
    """Counts how often a moment comes, and kills at the n-th time."""

    def __init__(self, moment: Moment, nth: int, note: Path) -> None:
        self.moment = moment
        self._left = nth
        self._note = note
        self._lock = threading.Lock()

    def come(self) -> bool:
        """The moment has come once more; whether it is the one."""
        with self._lock:
            self._left -= 1
            return self._left == 0

    def say(self) -> None:
        """Leave word that the moment was reached; a killed process leaves what it has written."""
        self._note.write_text(self.moment.name)

    def die(self) -> None:
        """End as by `kill -9`; or stop, where that is the moment."""
        self.say()
        stops = self.moment is Moment.PAUSED
        os.kill(os.getpid(), signal.SIGSTOP if stops else signal.SIGKILL)

    def die_if_it_is_time(self) -> None:
        """Count, and end when it is the one."""
        if self.come():
            self.die()


def arm(moment: Moment, nth: int, note: Path) -> None:
    """Have this process killed when the moment comes for the n-th time."""
    hook = Hook(moment, nth, note)
    match moment:
        case Moment.BEFORE:
            _before(Store, "add_sets", hook)
        case Moment.COMMITTED | Moment.PAUSED:
            _after(Store, "add_sets", hook)
        case Moment.ANNOUNCED:
            _after_awaiting(JournalWriter, "add", hook)
        case Moment.EXPORTING:
            _after(record_folder, "_write_new", hook)
        case Moment.RECEIVED:
            _before(Store, "begin_submission", hook)
        case Moment.ACCEPTED:
            _after(Store, "begin_submission", hook)
        case Moment.MADE:
            _before(os, "sync", hook)
        case Moment.KEPT:
            _after(Shelf, "keep", hook)
        case Moment.READY:
            _after(Store, "finish_submission", hook)
        case Moment.TOKEN:
            _before(Path, "rename", hook)
        case _:
            _watch_statements(hook)


def tell_announced(file: Path) -> None:
    """Have this process append the key of every set that is announced to a file."""
    add = JournalWriter.add

    async def told(self: JournalWriter, tournament: Any, finished: Any) -> Any:
        answer = await add(self, tournament, finished)
        with file.open("a") as lines:
            lines.write(f"{finished.job.key}\n")
        return answer

    JournalWriter.add = told  # type: ignore[method-assign]


def _before(owner: Any, name: str, hook: Hook) -> None:
    call = getattr(owner, name)

    def hooked(*arguments: Any, **named: Any) -> Any:
        hook.die_if_it_is_time()
        return call(*arguments, **named)

    setattr(owner, name, hooked)


def _after(owner: Any, name: str, hook: Hook) -> None:
    call = getattr(owner, name)

    def hooked(*arguments: Any, **named: Any) -> Any:
        answer = call(*arguments, **named)
        hook.die_if_it_is_time()
        return answer

    setattr(owner, name, hooked)


def _after_awaiting(owner: Any, name: str, hook: Hook) -> None:
    call = getattr(owner, name)

    async def hooked(*arguments: Any, **named: Any) -> Any:
        answer = await call(*arguments, **named)
        hook.die_if_it_is_time()
        return answer

    setattr(owner, name, hooked)


# Statements of SQLite. The callback is told of a statement before it is carried out.

_STATEMENT: Final = {
    Moment.CREATING_TABLES: "CREATE TABLE tournaments",
    Moment.MIGRATING: "UPDATE alembic_version",
    Moment.CREATING: "INSERT INTO entries",
    Moment.STARTING: "UPDATE tournaments",
    Moment.INSIDE: "INSERT INTO sets",
}
_COMMIT_AFTER: Final = {
    Moment.MIGRATED: "UPDATE alembic_version",
    Moment.CREATED: "INSERT INTO entries",
    Moment.FINISHING: "INSERT INTO versions",
    Moment.STATED: "INSERT INTO sets",
    Moment.LOGGING: "INSERT INTO sets",
    Moment.SYNCING: "INSERT INTO sets",
    Moment.MOVING: "INSERT INTO sets",
}


def _watch_statements(hook: Hook) -> None:
    connect: Callable[..., sqlite3.Connection] = sqlite3.dbapi2.connect

    def watched(*arguments: Any, **named: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **named)
        if hook.moment is Moment.MOVING:  # else only every thousandth page leads to it
            connection.execute("PRAGMA wal_autocheckpoint = 1")
        connection.set_trace_callback(_Watch(hook))
        return connection

    sqlite3.connect = sqlite3.dbapi2.connect = watched  # type: ignore[assignment]


class _Watch:
    """Follows the statements of one connection."""

    def __init__(self, hook: Hook) -> None:
        self._hook = hook
        self._armed = False

    def __call__(self, statement: str) -> None:
        moment = self._hook.moment
        wanted = _STATEMENT.get(moment)
        if wanted is not None and statement.lstrip().startswith(wanted):
            self._hook.die_if_it_is_time()
        elif moment in _COMMIT_AFTER:
            self._follow(statement.lstrip(), _COMMIT_AFTER[moment])

    def _follow(self, statement: str, wanted: str) -> None:
        if statement.startswith(wanted):
            self._armed = True
        elif statement.startswith(("COMMIT", "ROLLBACK")):
            armed, self._armed = self._armed, False
            if armed and self._hook.come():
                _die_in_commit(self._hook)


def _die_in_commit(hook: Hook) -> None:
    match hook.moment:
        case Moment.LOGGING:
            hook.say()
            # A frame of the log is a header of 24 bytes and a page: this is between the two.
            _kill_at_call(_WRITE, third=_PAGE)
        case Moment.SYNCING:
            hook.say()
            _kill_at_call(*_SYNC)
        case Moment.MOVING:
            hook.say()
            _kill_at_call(_WRITE, first=_descriptor_of_database())
        case _:
            hook.die()


def _descriptor_of_database() -> int:
    """Where the database itself is open, not its log; the last, where it is more than once."""
    return max(
        int(entry.name)
        for entry in Path("/proc/self/fd").iterdir()
        if entry.exists() and entry.readlink().name == "arena.db"
    )


# The kernel's part: a filter of Berkeley Packet Filter code over the calls of this thread.

_CALLS: Final = {"x86_64": (18, (74, 75)), "aarch64": (68, (82, 83))}
_WRITE, _SYNC = _CALLS.get(platform.machine(), (-1, ()))
_PAGE: Final = 4096

_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _KILL_PROCESS = 0x7FFF0000, 0x80000000
_NUMBER_AT, _FIRST_AT, _THIRD_AT = 0, 16, 32
_NO_NEW_PRIVILEGES, _SECCOMP, _FILTER = 38, 22, 2


class _Instruction(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_ushort),
        ("if_true", ctypes.c_ubyte),
        ("if_false", ctypes.c_ubyte),
        ("operand", ctypes.c_uint),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.POINTER(_Instruction)))


def _kill_at_call(*numbers: int, first: int | None = None, third: int | None = None) -> None:
    """Have the kernel kill this process at one of these calls, with such arguments if named."""
    code = [_Instruction(_LOAD, 0, 0, _NUMBER_AT)]
    for place, number in enumerate(numbers, start=1):
        code.append(_Instruction(_EQUAL, len(numbers) - place + 1, 0, number))
    code.append(_Instruction(_RETURN, 0, 0, _ALLOW))
    for offset, value in ((_FIRST_AT, first), (_THIRD_AT, third)):
        if value is not None:
            code.append(_Instruction(_LOAD, 0, 0, offset))
            code.append(_Instruction(_EQUAL, 1, 0, value))
            code.append(_Instruction(_RETURN, 0, 0, _ALLOW))
    code.append(_Instruction(_RETURN, 0, 0, _KILL_PROCESS))
    program = _Program(len(code), (_Instruction * len(code))(*code))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) or libc.prctl(
        _SECCOMP, _FILTER, ctypes.byref(program), 0, 0
    ):
        raise OSError(ctypes.get_errno(), "the kernel takes no filter of system calls")
