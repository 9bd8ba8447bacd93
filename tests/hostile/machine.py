"""The machine that hostile programs reach for: secrets, another process, sockets that listen.

Everything may be read, written and dialled by every user, so that only what contains a program
keeps it away; and what comes of it shows here, whatever the program says.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from arena.hosting.runner import SOCKET
from arena.hosting.shelf import remove

HERE: Final = Path(__file__).parent
SECRET: Final = b"a secret of the arena\n"

_FILES: Final = ("data/arena.db", "data/arena.db-wal", "data/bots/other/built/bot.py")
_PACKAGE: Final = Path("tests/hostile/programs")
"""Programs lie in a bot's folder as they do in the repository, so that they run as modules."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What is there to be reached.

    Attributes:
        sign: a word that stands in its names and in the other process's command line.
        folder: everything of it; its name holds the sign.
        victim: the other process.
        tcp, udp: sockets on all addresses.
        abstract, other_seat: Unix sockets, the second where another process dials in.
    """

    sign: str
    folder: Path
    victim: subprocess.Popen[bytes]
    tcp: socket.socket
    udp: socket.socket
    abstract: socket.socket
    other_seat: socket.socket
    numbers: Iterator[int] = field(default_factory=lambda: iter(range(1, 10_000)))

    @property
    def bot(self) -> Path:
        """The folder of the programs."""
        return self.folder / "bot"

    @property
    def secret_files(self) -> tuple[Path, ...]:
        """The database, its journal, another bot's source."""
        return tuple(self.folder / name for name in _FILES)

    def facts(self) -> dict[str, Any]:
        """What a program is told."""
        return {
            "sign": self.sign,
            "canary": self.folder.name,
            "secrets": list(map(str, self.secret_files)),
            "victim": self.victim.pid,
            "tcp": self.tcp.getsockname()[1],
            "udp": self.udp.getsockname()[1],
            "hosts": ["127.0.0.1", "::1", *_own_addresses()],
            "unix": [f"\0{self.sign}", str(self.other_seat.getsockname())],
        }

    def facts_line(self) -> str:
        """The same as a word."""
        return json.dumps(self.facts())

    def new_folder(self, *, user: int | None = None) -> Path:
        """A copy of the programs' folder that may be written, of a user."""
        folder = self.folder / f"copy-{next(self.numbers)}"
        shutil.copytree(self.bot, folder)
        if user is not None:
            _give(folder, user)
        return folder

    def give(self, user: int) -> None:
        """Have the folder of the programs belong to a user."""
        _give(self.bot, user)

    def harm(self) -> list[str]:
        """What has reached it since the last look, in words."""
        found = [
            f"{name} was dialled"
            for name, one in (
                ("TCP", self.tcp),
                ("the abstract socket", self.abstract),
                ("the other seat's socket", self.other_seat),
            )
            if _accepts(one)
        ]
        with suppress(BlockingIOError):
            self.udp.recv(64)
            found.append("UDP came")
        if self.victim.poll() is not None:
            found.append("the other process has ended")
        found += [f"{path.name} was changed" for path in self.secret_files if _is_changed(path)]
        return found


@contextmanager
def machine() -> Iterator[Machine]:
    """All of it, gone after the block."""
    sign = f"hostile-{secrets.token_hex(6)}"
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix=f"{sign[:13]}-", dir="/tmp"))
        stack.callback(remove, folder)
        folder.chmod(0o755)
        for name in _FILES:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(SECRET)
            (folder / name).chmod(0o666)
        shutil.copytree(
            HERE / "programs",
            folder / "bot" / _PACKAGE,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
        (folder / "bot" / _PACKAGE.parent / "__init__.py").touch()
        (folder / "seat").mkdir()
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("0.0.0.0", 0))
        udp.setblocking(False)
        yield Machine(
            sign,
            folder,
            stack.enter_context(_victim(sign)),
            stack.enter_context(_tcp_listener()),
            udp,
            stack.enter_context(unix_listener(f"\0{sign}")),
            stack.enter_context(unix_listener(str(folder / "seat" / SOCKET))),
        )


def _give(folder: Path, user: int) -> None:
    for place, _, files in os.walk(folder):
        for name in (".", *files):
            os.chown(Path(place, name), user, user)


def _tcp_listener() -> socket.socket:
    """On all addresses, of both kinds where there are both."""
    if socket.has_dualstack_ipv6():
        return socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True)
    return socket.create_server(("0.0.0.0", 0))


def unix_listener(name: str) -> socket.socket:
    """A Unix socket that listens, for every user."""
    one = socket.socket(socket.AF_UNIX)
    one.bind(name)
    one.listen()
    if not name.startswith("\0"):
        Path(name).chmod(0o666)
    return one


@contextmanager
def _victim(sign: str) -> Iterator[subprocess.Popen[bytes]]:
    line = "while :; do sleep 100; done"
    with subprocess.Popen(
        ("/bin/sh", "-c", line, sign), env={"SECRET": sign}, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def _accepts(one: socket.socket) -> bool:
    """Whether somebody has dialled it."""
    one.setblocking(False)
    try:
        one.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def _is_changed(path: Path) -> bool:
    try:
        return path.read_bytes() != SECRET
    except OSError:
        return True


def _own_addresses() -> list[str]:
    """The address by which this machine would go out; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one, suppress(OSError):
        one.connect(("192.0.2.1", 9))
        return [one.getsockname()[0]]
    return []
