"""The folder that ``--out`` names: a file a set, each whole or not there, none of another match."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.cli.errors import FAILED, CliError, os_sentence
from arena.cli.records import read_record_file
from arena.rules.record import Entrant, SetRecord
from arena.rules.variant import Variant
from arena.schedule.pairings import ScheduleError, parse_job_key

_FILE: Final = re.compile(r"[r0-9_-]+\.json")


@dataclass(frozen=True, slots=True)
class MatchMark:
    """What all records of one match share.

    Attributes:
        commitment: to the seed.
        variant: the rules.
        entrants: everyone who may sit in them.
    """

    commitment: str
    variant: Variant
    entrants: frozenset[Entrant]

    def fits(self, record: SetRecord) -> bool:
        """Whether a record may be of this match."""
        return (
            record.commitment == self.commitment
            and record.variant == self.variant
            and self.entrants.issuperset(record.entrants)
        )


class RecordFolder:
    """An open record folder; made by ``record_folder``."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor

    def write(self, set_id: str, content: bytes) -> None:
        """Write the record of a set; after this it survives a power cut.

        The name of the unfinished file does not end in ``.json``; there is one for each set, so
        that what a killed run left is written over and not added to.

        Raises:
            CliError: it could not be written; then there is no such file, or the old one.
        """
        name = file_name(set_id)
        unfinished = self.path / f".{name}.tmp"
        try:
            unfinished.unlink(missing_ok=True)
            _write_new(unfinished, content)
            unfinished.replace(self.path / name)
            os.fsync(self._descriptor)
        except OSError as error:
            with contextlib.suppress(OSError):
                unfinished.unlink(missing_ok=True)
            reason = error.strerror or "it failed"
            raise CliError(
                f"{self.path / name} could not be written: {reason}", code=FAILED
            ) from error


def _write_new(path: Path, content: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, 0o666), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def file_name(set_id: str) -> str:
    """The file of a set: ``r1_1-2_3.json`` for ``r1:1-2:3``; safe in every file system."""
    return set_id.replace(":", "_") + ".json"


@contextlib.contextmanager
def record_folder(path: Path, mark: MatchMark) -> Iterator[RecordFolder]:
    """The folder, made if it is not there, locked while the block runs.

    A folder made here is gone again when nothing was written into it.

    Raises:
        CliError: it cannot be used, or holds records of another match.
    """
    made = not path.exists()
    descriptor = _open_folder(path)
    try:
        _refuse_foreign(path, mark)
        yield RecordFolder(path, descriptor)
    finally:
        os.close(descriptor)
        if made:
            with contextlib.suppress(OSError):
                path.rmdir()


def _open_folder(path: Path) -> int:
    try:
        path.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except FileExistsError as error:
        raise CliError(f"{path} is no folder", hint="give --out another folder") from error
    except OSError as error:
        raise CliError(f"records cannot be kept: {os_sentence(error)}", code=FAILED) from error
    if not os.access(path, os.W_OK | os.X_OK):
        os.close(descriptor)
        raise CliError(f"the folder {path} may not be written to", code=FAILED)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        raise CliError(f"another match is writing into {path}", code=FAILED) from error
    return descriptor


def _refuse_foreign(path: Path, mark: MatchMark) -> None:
    """Records of the same match may be there: they will be written again, the same."""
    for file in sorted(path.iterdir()):
        if not _is_record_name(file.name):
            continue
        try:
            fits = mark.fits(read_record_file(file))
        except CliError:
            fits = False
        if not fits:
            raise CliError(
                f"{path} holds records of another match: {file.name} is not a record of this match",
                hint="give --out a new or empty folder; to write these records again, the same "
                "bots, --variant and --seed",
            )


def is_unfinished_name(name: str) -> bool:
    """Whether a file is what a killed run left of a record."""
    return (
        name.startswith(".")
        and name.endswith(".json.tmp")
        and _is_record_name(name[1:].removesuffix(".tmp"))
    )


def _is_record_name(name: str) -> bool:
    if not _FILE.fullmatch(name):
        return False
    try:
        parse_job_key(name.removesuffix(".json").replace("_", ":"))
    except ScheduleError:
        return False
    return True
