"""What a build leaves in a bot's folder: which content the program was made of.

A program that is older than its source plays as it did, and nobody sees why.  So ``arena bot
build`` notes the content that it has built, and who plays the bot is told what changed after that.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import msgspec

from arena.hosting.folder import STAMP, files_of
from arena.hosting.manifest import Manifest


def write_stamp(folder: Path) -> None:
    """Note the content of a bot's folder as the one that was built; not where a folder is so named.

    Raises:
        OSError: the folder cannot be read or written.
    """
    content = json.dumps(_digests(folder), indent=0)
    with contextlib.suppress(IsADirectoryError):
        (folder / STAMP).write_text(content, encoding="ascii")


def changed_since_build(manifest: Manifest) -> tuple[str, ...]:
    """The files of a bot that are others than when it was built, or new, or gone, by name.

    None where ``arena bot build`` has never built it, nor where what runs is newer than all that
    changed: then it was built by hand.

    Raises:
        OSError: the folder cannot be read.
    """
    built = _built(manifest.folder)
    if built is None or not manifest.build:
        return ()
    now = _digests(manifest.folder)
    changed = sorted(name for name in built | now if built.get(name) != now.get(name))
    made = _made_at(manifest, now)
    newest = max((_changed_at(manifest.folder / name) for name in changed), default=0)
    return () if made > newest else tuple(changed)


def _digests(folder: Path) -> dict[str, str]:
    return {name.as_posix(): _digest(folder / name) for name in files_of(folder)}


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _built(folder: Path) -> dict[str, str] | None:
    """The content that was built; None where nobody noted any that can be read."""
    try:
        return msgspec.json.decode((folder / STAMP).read_bytes(), type=dict[str, str])
    except (FileNotFoundError, IsADirectoryError, msgspec.MsgspecError):
        return None


def _made_at(manifest: Manifest, content: Mapping[str, str]) -> int:
    """When the newest file was written that runs and is made by the build; nanoseconds."""
    words = (Path(word).as_posix() for word in manifest.run)
    made = (word for word in words if word not in content and (manifest.folder / word).is_file())
    return max((_changed_at(manifest.folder / word) for word in made), default=0)


def _changed_at(path: Path) -> int:
    """When a file was changed, in nanoseconds; that of its folder where it is gone, 0 without."""
    for place in (path, path.parent):
        if place.exists():
            return place.stat().st_mtime_ns
    return 0
