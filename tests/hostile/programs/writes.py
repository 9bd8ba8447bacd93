"""Writes everywhere: makes a file in each folder, opens each setting of the kernel."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.hostile.programs.attempts import attempt, facts

TARGETS = (
    "/proc/sys/kernel/hostname",
    "/proc/sys/kernel/core_pattern",
    "/proc/sys/vm/overcommit_memory",
    "/proc/sysrq-trigger",
    "/proc/1/mem",
    "/proc/1/task/1/mem",
    "/etc/passwd",
    "/etc/ld.so.cache",
    "/usr/bin/env",
    "/bin/sh",
    "/dev/vda",
    "/dev/kmsg",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
)
"""They are opened to be written; nothing is written into them."""

_DEPTH = 2
_NAME = "hostile"


def main() -> None:
    """The program."""
    known = facts()
    for path in (*TARGETS, *known["secrets"]):
        attempt(f"write {path}", partial(_open, path))
    for path in _folders(Path("/"), _DEPTH):
        attempt(f"write in {path}", partial(_make, path))
    attempt("write its own files", partial(_open, __file__))
    for path in (__file__, "/usr/bin/env", "/"):
        attempt(f"change the rights of {path}", partial(_change, Path(path)))
    attempt("take its folder away", partial(Path(__file__).parent.rename, "/bot/gone"))


def _change(path: Path) -> str:
    """Give it the rights that it has: refused like any others."""
    path.chmod(path.stat().st_mode & 0o7777)
    return "changed"


def _folders(folder: Path, depth: int) -> Iterator[str]:
    """All folders, and those of mounts, however deep."""
    mounts = {line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()}
    yield from sorted({*_below(folder, depth), *filter(os.path.isdir, mounts)})


def _below(folder: Path, depth: int) -> Iterator[str]:
    yield str(folder)
    if not depth or str(folder) == "/proc":
        return
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _below(Path(entry.path), depth - 1)


def _open(path: str) -> object:
    os.close(os.open(path, os.O_WRONLY))
    return "opened"


def _make(folder: str) -> object:
    path = f"{folder}/{_NAME}-{os.getpid()}"
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
    Path(path).unlink()
    return "made and removed"


if __name__ == "__main__":
    main()
