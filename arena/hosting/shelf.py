"""Where submitted bots are kept: a folder for each content, whole or not there at all.

::

    bots/                       for this user alone
      0f3a.../                  named by the hash of the content
        source/                 as it was sent
        built/                  the same with what its build made
        build.log               what the build said
        check.json              what the check found
      .part-x8k2/               being made; what a killed arena left is removed at the next start
      .received/7               the archive of submission 7, while that is not over
      .failed/7.log             what the build of submission 7 said
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.hosting.sizes import size_of

BOTS: Final = "bots"
"""The folder in the data folder."""

_PART: Final = ".part-"
_RECEIVED: Final = ".received"
_FAILED: Final = ".failed"
_LOG: Final = "build.log"
_CHECK: Final = "check.json"


@dataclass(frozen=True, slots=True)
class Part:
    """A folder that is being made.

    Attributes:
        folder: the whole.
    """

    folder: Path

    @property
    def archive(self) -> Path:
        """The file that is being received; it is not kept."""
        return self.folder / "archive"

    @property
    def source(self) -> Path:
        """As it was sent."""
        return self.folder / "source"

    @property
    def built(self) -> Path:
        """What is run."""
        return self.folder / "built"

    @property
    def home(self) -> Path:
        """The home of its build; it is not kept."""
        return self.folder / "home"


class Shelf:
    """The submitted bots of a data folder.

    Args:
        data: the data folder.
    """

    def __init__(self, data: Path) -> None:
        self._data = data.absolute()
        self._folder = self._data / BOTS
        self._sizes: dict[str, int] = {}

    def open(self) -> None:
        """Have the folder there, without what a killed arena left; for who holds the claim.

        Raises:
            OSError: it cannot be made or written.
        """
        self._folder.mkdir(mode=0o700, exist_ok=True)
        for name in (_RECEIVED, _FAILED):
            (self._folder / name).mkdir(mode=0o700, exist_ok=True)
        for part in self._folder.glob(f"{_PART}*"):
            remove(part)

    @contextlib.contextmanager
    def part(self) -> Iterator[Part]:
        """A folder to make a bot in; it is gone after the block unless it was kept.

        Raises:
            OSError: it cannot be made.
        """
        part = Part(Path(tempfile.mkdtemp(prefix=_PART, dir=self._folder)))
        try:
            part.home.mkdir(mode=0o700)
            yield part
        finally:
            # What cannot be removed (the disk has become read-only) is at the next start.
            with contextlib.suppress(OSError):
                if part.folder.exists():
                    remove(part.folder)

    def keep_received(self, part: Part, submission: int) -> None:
        """Keep what was unpacked of a submission, for an arena that starts before that is over.

        Raises:
            OSError: it cannot be written.
        """
        path = self._received(submission)
        part.archive.replace(path)
        _sync(path)
        _sync(path.parent)

    def take_up(self, submission: int, part: Part, *, keep: bool) -> bool:
        """Have what was received of a submission in a part again; whether it is there.

        Args:
            submission: the number of it.
            part: another one.
            keep: whether it can be taken up once more.

        Raises:
            OSError: it cannot be read or written.
        """
        received = self._received(submission)
        if not received.exists():
            return False
        if keep:
            part.archive.hardlink_to(received)  # takes no room on a disk that may be full
        else:
            received.replace(part.archive)
        return True

    def forget(self, submission: int) -> None:
        """Forget what was received of a submission.

        Raises:
            OSError: it cannot be removed.
        """
        self._received(submission).unlink(missing_ok=True)

    def forget_all_but(self, submissions: Collection[int]) -> None:
        """Forget what was received of all others.

        Raises:
            OSError: it cannot be removed.
        """
        left = {str(number) for number in submissions}
        for path in (self._folder / _RECEIVED).iterdir():
            if path.name not in left:
                path.unlink()

    def _received(self, submission: int) -> Path:
        return self._folder / _RECEIVED / str(submission)

    def keep(self, part: Part, content_hash: str, log: str, check: str) -> None:
        """Keep what was made; what is there already stays.

        Raises:
            OSError: it cannot be written.
        """
        (part.folder / _LOG).write_text(log, "utf-8")
        (part.folder / _CHECK).write_text(check, "utf-8")
        part.archive.unlink(missing_ok=True)
        remove(part.home)
        # A build may leave thousands of files: one call for all of them.
        os.sync()
        if not self.has(content_hash):
            part.folder.rename(self.folder(content_hash))
        _sync(self._folder)

    def keep_failed(self, submission: int, log: str) -> None:
        """Keep what the build of a submission said that came to nothing.

        Raises:
            OSError: it cannot be written.
        """
        path = self._folder / _FAILED / f"{submission}.log"
        part = path.with_suffix(".part")
        part.write_text(log, "utf-8")
        part.rename(path)

    def failed(self) -> tuple[int, ...]:
        """The submissions that came to nothing and whose logs are kept."""
        names = (path.stem for path in (self._folder / _FAILED).glob("*.log"))
        return tuple(int(name) for name in names if name.isdecimal())

    def discard_failed(self, submission: int) -> None:
        """Keep what the build of a submission said no longer.

        Raises:
            OSError: it cannot be removed.
        """
        (self._folder / _FAILED / f"{submission}.log").unlink(missing_ok=True)

    def discard(self, content_hash: str) -> None:
        """Keep a content no longer; it goes whole, also where the arena is killed meanwhile.

        Raises:
            OSError: it cannot be removed.
        """
        gone = Path(tempfile.mkdtemp(prefix=_PART, dir=self._folder))
        self.folder(content_hash).rename(gone / "content")
        self._sizes.pop(content_hash, None)  # built once more it may take another
        _sync(self._folder)
        remove(gone)

    def size(self, content_hash: str) -> int:
        """Bytes that a content takes, as it was sent and as it runs; known after the first time."""
        size = self._sizes.get(content_hash)
        if size is None:
            size = self._sizes[content_hash] = bytes_in(
                self.source(content_hash), self.built(content_hash)
            )
        return size

    def free_bytes(self) -> int:
        """Of the disk."""
        return shutil.disk_usage(self._folder).free

    def has(self, content_hash: str) -> bool:
        """Whether that content is kept."""
        return self.folder(content_hash).is_dir()

    def folder(self, content_hash: str) -> Path:
        """The folder of a content."""
        return self._folder / content_hash

    def source(self, content_hash: str) -> Path:
        """A content as it was sent."""
        return self.folder(content_hash) / "source"

    def built(self, content_hash: str) -> Path:
        """What is run of a content."""
        return self.folder(content_hash) / "built"

    def relative(self, content_hash: str) -> str:
        """The folder of a content as the store has it: relative to the data folder."""
        return str(self.folder(content_hash).relative_to(self._data))

    def log(self, submission: int, content_hash: str) -> str:
        """What the build of a submission said; empty where nothing is kept of it."""
        for path in (
            self._folder / _FAILED / f"{submission}.log",
            self.folder(content_hash) / _LOG,
        ):
            with contextlib.suppress(FileNotFoundError):
                return path.read_text("utf-8", errors="replace")
        return ""


def bytes_in(*folders: Path) -> int:
    """Bytes in all files of folders; no link is followed."""
    files = (
        (Path(place) / name).lstat()
        for folder in folders
        for place, _, names in os.walk(folder)
        for name in names
    )
    return sum(size_of(found) for found in files)


def remove(folder: Path) -> None:
    """Remove a folder, whatever a build has made of it.

    The commands of the system take any depth, and folders that nobody may enter.

    Raises:
        OSError: it cannot be removed.
    """
    for words in (("chmod", "-R", "u+rwX"), ("rm", "-rf")):
        done = subprocess.run(
            [*words, "--", str(folder)], capture_output=True, env={"PATH": os.defpath}, check=False
        )
    if done.returncode != 0:
        raise OSError(done.returncode, f"the folder {folder} cannot be removed")


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
