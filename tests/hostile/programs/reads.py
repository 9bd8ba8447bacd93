"""Reads what is not its own: secrets of the machine, of the arena, of other bots."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.hostile.programs.attempts import attempt, facts, find

FILES = (
    "/etc/shadow",
    "/etc/gshadow",
    "/etc/ssh",
    "/root/.ssh",
    "/root/.bash_history",
    "/var/log",
    "/var/lib",
    "/boot",
    "/srv",
    "/opt",
    "/sys/kernel",
    "/dev/mem",
    "/dev/kmsg",
    "/dev/vda",
    "/dev/sda",
    "/proc/kcore",
    "/proc/kmsg",
    "/proc/1/mem",
    "/proc/1/root/etc/shadow",
)
"""What nobody has to read, as files or as folders with something in them."""

TOLD = ("/proc/1/environ", "/proc/1/cmdline", "/proc/1/cgroup", "/proc/self/cgroup")
"""What may be read, as long as nothing of the arena's is in it."""

_DEPTH = 3
_SKIPPED = ("/proc", "/sys", "/usr")


def main() -> None:
    """The program."""
    known = facts()
    for path in (*FILES, *known["secrets"]):
        attempt(f"read {path}", partial(_read, Path(path)))
    for path in TOLD:
        find(f"look for the arena in {path}", Path(path).read_bytes, known["canary"])
    _inherited(known["canary"])
    names = "\n".join(_walk(Path("/"), _DEPTH)).encode()
    find("look for the arena in all folders", lambda: names, known["canary"])
    for entry in ("etc", "root", "home", "tmp"):
        attempt(f"reach {entry} by ..", partial(_read, Path("/bot", *[".."] * 9, entry, "shadow")))


def _inherited(secret: str) -> None:
    """Files that were left open for it."""
    for path in sorted(Path("/proc/self/fd").iterdir(), key=lambda path: int(path.name)):
        if int(path.name) > 2:
            content = partial(os.pread, int(path.name), 65536, 0)
            find(f"look for the arena in open file {path.name}", content, secret)


def _read(path: Path) -> str:
    if not path.is_dir():
        with path.open("rb") as file:
            return repr(file.read(16))
    names = [entry.name for entry in path.iterdir()]
    if not names:
        raise FileNotFoundError(2, "it is empty")
    return " ".join(names)


def _walk(folder: Path, depth: int) -> Iterator[str]:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        yield entry.path
        if depth and entry.path not in _SKIPPED and entry.is_dir(follow_symlinks=False):
            yield from _walk(Path(entry.path), depth - 1)


if __name__ == "__main__":
    main()
