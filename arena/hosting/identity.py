"""What makes two commands the same bot: their arguments, and the files that these name.

A Python script counts with the modules that it imports from its own folder, so an edit to one of
them is a new version too.  A file that is named in full and lies in a bot's folder (one with a
``bot.toml``) counts with that whole folder.  What a bot reads or imports from elsewhere is not
seen.
"""

from __future__ import annotations

import ast
import hashlib
import os
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from arena.hosting.folder import files_of, folder_of, is_file

MAX_HASHED_BYTES: Final = 64 * 1024 * 1024


def identity_of(argv: tuple[str, ...]) -> str:
    """The hex SHA-256 over the arguments, and over the contents of those that are files.

    The program itself counts by name only where it is an interpreter with a script to run: its
    bytes differ from machine to machine while the bot is the same.
    """
    digest = hashlib.sha256()
    folders = _folders(argv)
    for word in argv if folder_of(Path(argv[0])) in folders else argv[1:] or argv:
        path = Path(word)
        # The words of a bot.toml mean the same in every folder.
        if not _is_readable(path) or (folders and not path.is_absolute()):
            digest.update(b"word\0" + os.fsencode(word) + b"\0")
            continue
        for name, file in _files_of(path):
            digest.update(b"file\0" + os.fsencode(name) + b"\0")
            digest.update(_digest(file))
    for folder in folders:
        for inner in files_of(folder):
            digest.update(b"inner\0" + os.fsencode(inner) + b"\0")
            digest.update(_digest(folder / inner))
    return digest.hexdigest()


def files_newer_than(argv: tuple[str, ...], instant_us: int) -> tuple[str, ...]:
    """The names of the files that count and were changed after an instant, within their folder.

    Args:
        argv: as `identity_of` has it.
        instant_us: microseconds since 1970.
    """
    folders = _folders(argv)
    files = [(folder, folder / inner) for folder in folders for inner in files_of(folder)]
    for path in map(Path, argv if folders else argv[1:] or argv):
        if _is_readable(path) and (path.is_absolute() or not folders):
            root = folder_of(path) or path.absolute().parent
            files += [(root, file.absolute()) for _, file in _files_of(path)]
    newer = {
        file.relative_to(root).as_posix()
        for root, file in files
        if file.is_relative_to(root) and file.stat().st_mtime_ns > 1000 * instant_us
    }
    return tuple(sorted(newer))


def _digest(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


def _folders(words: Iterable[str]) -> list[Path]:
    """The bots' folders that files among the words lie in, where they are named in full."""
    files = (path for path in map(Path, words) if path.is_absolute() and _is_readable(path))
    return sorted({folder for file in files if (folder := folder_of(file)) is not None})


def _is_readable(path: Path) -> bool:
    return is_file(path) and path.stat().st_size <= MAX_HASHED_BYTES


def _files_of(path: Path) -> Iterator[tuple[str, Path]]:
    """The file, and for a Python script the modules of its folder that it imports; by name."""
    yield path.name, path
    if path.suffix == ".py":
        folder = path.absolute().parent
        modules = _imported(path.absolute(), folder)
        yield from ((str(module.relative_to(folder)), module) for module in sorted(modules))


def _imported(script: Path, folder: Path) -> set[Path]:
    """All Python files below ``folder`` that ``script`` imports, directly or not."""
    found: set[Path] = set()
    waiting = [script]
    while waiting:
        for name in _names(waiting.pop()):
            new = [file for file in _modules(name, folder) if file not in found and file != script]
            found.update(new)
            waiting += new
    return found


def _names(file: Path) -> Iterator[str]:
    """The dotted names that a file imports; nothing for one that is no Python."""
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # The last two: what lies too deep for the parser, in one version of Python or another.
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            yield module
            yield from (f"{module}.{alias.name}".lstrip(".") for alias in node.names)


def _modules(name: str, folder: Path) -> Iterator[Path]:
    """The files of the folder that importing a dotted name runs."""
    place = folder
    for part in name.split("."):
        # No name is left of ``from . import x``, which runs the folder's own ``__init__.py``.
        file = place / f"{part}.py"
        place /= part
        yield from filter(_is_readable, (file, place / "__init__.py"))
