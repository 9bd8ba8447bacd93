"""What of the machine a contained job may read: programs, libraries, the kit for Python."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import arena

SYSTEM: Final = tuple(map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")))
"""The system's own; some of them are links to others."""

SETTINGS: Final = tuple(
    map(
        Path,
        (
            "/etc/alternatives",
            "/etc/ld.so.cache",
            "/etc/ld.so.conf",
            "/etc/ld.so.conf.d",
            "/etc/localtime",
        ),
    )
)
"""What programs of the system look up; nothing that tells of its users."""

_SETTINGS_OF_PROGRAMS: Final = ("java*", "maven", "nodejs", "perl")
NETWORK: Final = tuple(
    map(
        Path,
        (
            "/etc/hosts",
            "/etc/resolv.conf",
            "/etc/nsswitch.conf",
            "/etc/ssl",
            "/etc/ca-certificates",
        ),
    )
)
"""What programs look up to reach a network."""


@dataclass(frozen=True, slots=True)
class Toolchains:
    """What lies outside the system's own folders.

    Attributes:
        paths: to be read, where they are.
        variables: that say where.
    """

    paths: tuple[Path, ...]
    variables: Mapping[str, str]

    def search_path(self, path: str) -> str:
        """Of the folders of a ``PATH`` those that a job sees."""
        roots = (*SYSTEM, *self.paths)
        seen = [part for part in path.split(os.pathsep) if _is_below(Path(part), roots)]
        return os.pathsep.join(dict.fromkeys(seen))

    def reveals(self, path: Path) -> Path | None:
        """Which of the folders that a job sees a path lies in; None for none."""
        roots = (*SYSTEM, *self.paths)
        return next((root for root in roots if _is_below(path.resolve(), (root.resolve(),))), None)


def find_toolchains() -> Toolchains:
    """What is there: this Python with the kit, Rust as rustup keeps it."""
    package = Path(arena.__file__).resolve().parent
    paths = [Path(sys.prefix), Path(sys.base_prefix), package, *_settings()]
    variables = {}
    home = Path(os.environ.get("HOME") or "/")
    rustup = Path(os.environ.get("RUSTUP_HOME") or home / ".rustup")
    cargo = Path(os.environ.get("CARGO_HOME") or home / ".cargo") / "bin"
    if rustup.is_dir() and cargo.is_dir():
        paths += [rustup, cargo]
        variables["RUSTUP_HOME"] = str(rustup)
    found = (path.absolute() for path in paths if path.exists())
    return Toolchains(tuple(dict.fromkeys(found)), variables)


def _settings() -> Iterable[Path]:
    for pattern in _SETTINGS_OF_PROGRAMS:
        yield from sorted(Path("/etc").glob(pattern))


def _is_below(path: Path, roots: Iterable[Path]) -> bool:
    return any(path == root or root in path.parents for root in roots)
