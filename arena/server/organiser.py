"""The data folder's secrets: the folder itself, and the organiser's token in it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from arena.server.admission import new_token

TOKEN_FILE: Final = "organiser.token"
_LEAST: Final = 32
_MOST: Final = 256


class DataFolderError(Exception):
    """A data folder that cannot be used; the sentence says why and what to do."""


def make_data_folder(folder: Path) -> None:
    """Have the folder there, for this user alone where it is new.

    Raises:
        DataFolderError: it cannot be made.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise DataFolderError(
            f"the data folder {folder} cannot be made: {error.strerror}; name another"
        ) from error


def organiser_token(folder: Path) -> str:
    """The organiser's token, made at the first start. Only for the process that has the claim.

    Raises:
        DataFolderError: the file cannot be read or written, others can read it, or it holds no
            token.
    """
    path = folder / TOKEN_FILE
    try:
        if not path.exists():
            _write(path, new_token())
        mode, text = path.stat().st_mode, path.read_text("ascii").strip()
    except OSError as error:
        raise DataFolderError(f"{path} cannot be used: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise _no_token(path) from error
    if mode & 0o077:
        raise DataFolderError(f"{path} can be read by others: chmod 600 {path}")
    if not _LEAST <= len(text) <= _MOST or not text.isalnum():
        raise _no_token(path)
    return text


def _write(path: Path, token: str) -> None:
    """Whole or not at all, and never readable by others."""
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(f"{token}\n")
        file.flush()
        os.fsync(file.fileno())
    part.rename(path)


def _no_token(path: Path) -> DataFolderError:
    return DataFolderError(f"{path} holds no token: remove it, and the next start makes a new one")
