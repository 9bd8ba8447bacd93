"""A new bot from a starter: the sample bots that are meant to be copied, one a language."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from arena.hosting.command import sample_folders, sample_names, shown
from arena.hosting.folder import files_of
from arena.hosting.manifest import read_manifest

STARTER: Final = "starter"
"""How the folder of a sample is called that new bots are made of."""

_NAME: Final = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")
MAX_NAME: Final = 40

_CONTRACT: Final = "proto"
"""The folder that holds the contract: nothing in it is the bot's own."""


class TemplateError(Exception):
    """A new bot that cannot be made; the sentence says why and what to do."""


def starters() -> Mapping[str, Path]:
    """The starters by language."""
    found = ((name.split("/"), folder) for name, folder in sample_folders().items())
    return {language: folder for (language, bot), folder in found if bot == STARTER}


def check_name(name: str) -> None:
    """Refuse a name that not every language's tools would take for a package.

    Raises:
        TemplateError: it is none.
    """
    if not _NAME.fullmatch(name) or len(name) > MAX_NAME:
        raise TemplateError(
            f"{shown(name)} cannot be the name of a new bot: write small letters and digits, a "
            f"letter first, parts joined by one hyphen or underscore, at most {MAX_NAME} characters"
        )
    if name in sample_names():
        raise TemplateError(f"{name} is the name of a sample bot, which commands would take it for")


def make_bot(language: str, name: str, folder: Path) -> tuple[Path, ...]:
    """Make a folder with a bot that works; all of it or nothing.

    Args:
        language: one of ``starters``.
        name: of the bot.
        folder: that is to be made.

    Returns:
        the files in it.

    Raises:
        TemplateError: the folder is there already, or it cannot be written.
    """
    check_name(name)
    source = starters()[language]
    old = read_manifest(source).name
    if os.path.lexists(folder):
        raise TemplateError(f"{folder} is there already; give another name or remove it")
    try:
        fresh = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=folder.parent))
    except OSError as error:
        raise TemplateError(f"{folder} cannot be made: {error.strerror}") from error
    try:
        files = tuple(
            _copy(source, path, fresh, renames=_renames(old, name)) for path in files_of(source)
        )
        fresh.chmod(0o777 & ~_umask())
        fresh.rename(folder)
    except OSError as error:
        raise TemplateError(f"{folder} cannot be written: {error.strerror}") from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return files


def _renames(old: str, new: str) -> Mapping[str, str]:
    """A starter has its name in these two forms and no others."""
    return {old: new, old.replace("-", "_"): new.replace("-", "_")}


def _copy(source: Path, path: Path, target: Path, *, renames: Mapping[str, str]) -> Path:
    """Copy one file, its mode included, under the new name where it has the old one."""
    content = (source / path).read_bytes()
    place = path
    if path.parts[0] != _CONTRACT:
        for old, new in renames.items():
            content = content.replace(old.encode(), new.encode())
            place = Path(*(part.replace(old, new) for part in place.parts))
    written = target / place
    written.parent.mkdir(parents=True, exist_ok=True)
    written.write_bytes(content)
    shutil.copymode(source / path, written)
    return place


def _umask() -> int:
    umask = os.umask(0o077)
    os.umask(umask)
    return umask
