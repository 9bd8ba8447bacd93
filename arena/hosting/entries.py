"""Which entries an archive may have: their names and their number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.hosting.sizes import MEBIBYTE

_FORBIDDEN: Final = frozenset('\\:*?"<>|')
"""Characters that name something else on other systems, or need quoting in every shell."""

_RESERVED: Final = frozenset({".git", ".hg", ".svn"})


class ArchiveError(Exception):
    """An archive that is refused; the sentence says which entry and why."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What an archive may hold.

    Attributes:
        packed_bytes: of the archive itself.
        total_bytes: of all files together.
        file_bytes: of one file.
        entries: files and folders.
        ratio: how many times its size an archive may grow, beyond the first mebibyte.
        depth: folders within folders.
        name_bytes: of an entry's whole name.
    """

    packed_bytes: int = 32 * MEBIBYTE
    total_bytes: int = 256 * MEBIBYTE
    file_bytes: int = 32 * MEBIBYTE
    entries: int = 10_000
    ratio: int = 100
    depth: int = 32
    name_bytes: int = 240


class Names:
    """The names of an archive so far: each must be plain, and none may stand in another's way."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._count = 0
        self._files: set[str] = set()
        self._folders: set[str] = set()

    def take_file(self, name: str) -> None:
        """Take the name of a file.

        Raises:
            ArchiveError: it is refused.
        """
        self._check(name)
        key = name.casefold()
        if key in self._files:
            raise ArchiveError(f"the entry {shown(name)} is there twice, or differs by case alone")
        if key in self._folders:
            raise ArchiveError(f"the entry {shown(name)} is a file and a folder")
        self._files.add(key)
        self._enter(key)

    def take_folder(self, name: str) -> None:
        """Take the name of a folder; it may come again.

        Raises:
            ArchiveError: it is refused.
        """
        self._check(name)
        key = name.casefold()
        if key in self._files:
            raise ArchiveError(f"the entry {shown(name)} is a file and a folder")
        self._folders.add(key)
        self._enter(key)

    def _enter(self, key: str) -> None:
        """Enter the folders above an entry."""
        while "/" in key:
            key = key.rpartition("/")[0]
            if key in self._files:
                raise ArchiveError(f"the entry {shown(key)} is a file and a folder")
            self._folders.add(key)

    def _check(self, name: str) -> None:
        self._count += 1
        limits = self._limits
        if self._count > limits.entries:
            raise ArchiveError(f"the archive has more than {limits.entries} entries")
        fault = _fault(name, limits)
        if fault:
            raise ArchiveError(f"the entry {shown(name)} {fault}")


def _fault(name: str, limits: Limits) -> str:
    """What is wrong with a name; empty where nothing is."""
    parts = name.split("/")
    if name.startswith("/"):
        return "has an absolute name"
    if ".." in parts:
        return "leads out of the folder"
    if "" in parts or "." in parts:
        return "has a name with an empty part"
    if not _encodes(name) or not name.isprintable() or not _FORBIDDEN.isdisjoint(name):
        return "has a name with characters that are not taken"
    if any(part != part.strip() or part.endswith(".") for part in parts):
        return "has a part that begins or ends in a space, or ends in a dot"
    if _RESERVED & {part.casefold() for part in parts}:
        return "belongs to a version control system, not to the bot"
    if len(name.encode()) > limits.name_bytes:
        return f"has a name of more than {limits.name_bytes} bytes"
    if len(parts) > limits.depth:
        return f"lies more than {limits.depth} folders deep"
    return ""


def _encodes(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def shown(name: str) -> str:
    """A name as a sentence can hold it, whatever is in it."""
    text = ascii(name)
    return text if len(text) <= 80 else f"{text[:76]}...'"
