"""The files that a bot's folder is made of: all but what its ``.gitignore`` files leave out."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore import GitIgnorePatternError

MANIFEST: Final = "bot.toml"
"""The file that makes a folder a bot's."""

IGNORE: Final = ".gitignore"
DATABASE: Final = "arena.db"
"""The file that makes a folder an arena's data folder, which is no part of a bot."""

STAMP: Final = ".arena-build"
"""The file in which a build notes what it has built; see ``arena.hosting.stamp``."""

_NEVER: Final = frozenset({".git", ".hg", ".svn", "__pycache__", STAMP})

_Rule = tuple[Path, GitIgnoreSpec]
_Place = tuple[Path, tuple[_Rule, ...]]
"""A folder, and the rules of those around it."""


def is_bot_folder(path: Path) -> bool:
    """Whether it is a folder with a ``bot.toml``."""
    return is_file(path / MANIFEST)


def is_file(path: Path) -> bool:
    """Whether there is such a file; not where the system will not say: a name without an end."""
    try:
        return path.is_file()
    except OSError:
        return False


def is_folder(path: Path) -> bool:
    """Whether there is such a folder; likewise."""
    try:
        return path.is_dir()
    except OSError:
        return False


def folder_of(file: Path) -> Path | None:
    """The nearest bot's folder above a file; None where there is none."""
    return next((folder for folder in file.absolute().parents if is_bot_folder(folder)), None)


def files_of(folder: Path) -> tuple[Path, ...]:
    """The files, relative to the folder and in the order of their names.

    As git has it, the rules of an inner folder go before those of an outer one, and what lies in a
    folder that is left out is not looked at.  Links are left out too.

    Raises:
        OSError: a folder or a ``.gitignore`` in it cannot be read.
    """
    return tuple(sorted(path for path, entry in _walk(folder) if not entry.is_symlink()))


def links_of(folder: Path) -> tuple[Path, ...]:
    """The symbolic links among what would be its files if they were none; likewise.

    Raises:
        OSError: a folder or a ``.gitignore`` in it cannot be read.
    """
    return tuple(sorted(path for path, entry in _walk(folder) if entry.is_symlink()))


def _walk(root: Path) -> Iterator[tuple[Path, os.DirEntry[str]]]:
    """The files and links, without what is in a folder that is a link."""
    # A list of what is still to be looked at: folders may lie deeper than Python calls itself.
    waiting: list[_Place] = [(Path(), ())]
    while waiting:
        place, outer = waiting.pop()
        entries = _entries(root / place)
        if place != Path() and any(entry.name == DATABASE for entry in entries):
            continue
        rules = _rules_of(root, place, outer)
        for entry in entries:
            path = place / entry.name
            if entry.name in _NEVER:
                continue
            is_folder = entry.is_dir(follow_symlinks=False)
            if _is_ignored(f"{path.as_posix()}{'/' * is_folder}", rules):
                continue
            if is_folder:
                waiting.append((path, rules))
            elif entry.is_symlink() or entry.is_file():
                yield path, entry


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """What lies in a folder.

    Raises:
        OSError: it cannot be read; says what to do, for it is the author's own.
    """
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError as error:
        what = f"a bot's folder that cannot be read ({error.strerror})"
        advice = "let it be read, or leave it out in .gitignore"
        raise OSError(error.errno, f"{what}; {advice}", str(folder)) from error


def _rules_of(root: Path, place: Path, outer: tuple[_Rule, ...]) -> tuple[_Rule, ...]:
    """The rules that hold in a folder: its own before those of the folders around it."""
    ignore = root / place / IGNORE
    if ignore.is_file():
        lines = ignore.read_text(encoding="utf-8", errors="replace").splitlines()
        return ((place, _spec(lines)), *outer)
    return outer


def _spec(lines: Iterable[str]) -> GitIgnoreSpec:
    """The rules of some lines; what is none counts for nothing, as git has it."""
    return GitIgnoreSpec.from_lines(line for line in lines if _is_rule(line))


def _is_rule(line: str) -> bool:
    try:
        GitIgnoreSpec.from_lines([line])
    except (GitIgnorePatternError, re.error):
        return False
    return True


def _is_ignored(path: str, rules: Sequence[_Rule]) -> bool:
    for place, spec in rules:
        inner = path if place == Path() else path.removeprefix(f"{place.as_posix()}/")
        said = spec.check_file(inner).include
        if said is not None:
            return said
    return False
