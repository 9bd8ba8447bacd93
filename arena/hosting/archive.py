"""A bot's folder as one file, a gzipped tar, and back again with nobody trusted.

What an archive may hold is little: files and folders, of plain names, of bounded number and size.
Anything else is refused with the entry named, and nothing of it is kept.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import tarfile
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from arena.hosting.entries import ArchiveError, Limits, Names, shown
from arena.hosting.headers import BLOCK, Headers
from arena.hosting.sizes import MEBIBYTE

LIMITS: Final = Limits()
"""What is taken unless the organiser says otherwise."""

_CHUNK: Final = 64 * 1024
_GZIP: Final = 31
"""What asks zlib for a header of gzip and the largest window."""

_KINDS: Final = {
    tarfile.SYMTYPE: "a symbolic link",
    tarfile.LNKTYPE: "a hard link",
    tarfile.CHRTYPE: "a device",
    tarfile.BLKTYPE: "a device",
    tarfile.FIFOTYPE: "a named pipe",
    tarfile.GNUTYPE_SPARSE: "a file with holes",
}
_SPECIAL_BITS: Final = 0o7000
_EXECUTABLE: Final = 0o100


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of an archive.

    Attributes:
        name: with slashes, relative.
        executable: whether its owner may run it; no other bit of its mode is kept.
        size: in bytes.
        digest: SHA-256 of its content.
    """

    name: str
    executable: bool
    size: int
    digest: bytes


def content_hash(entries: Iterable[Entry]) -> str:
    """The hex SHA-256 that all archives of the same files have, however they were made."""
    digest = hashlib.sha256(b"bot-folder-v1\n")
    for entry in sorted(entries, key=lambda entry: entry.name):
        digest.update(f"{int(entry.executable)} {len(entry.name.encode())} {entry.name}\n".encode())
        digest.update(entry.digest)
    return digest.hexdigest()


# Packing.


def pack(folder: Path, files: Iterable[Path], limits: Limits = LIMITS) -> bytes:
    """The archive of some files of a folder; equal folders give equal bytes.

    Args:
        folder: where they lie.
        files: relative to it.
        limits: what the receiver takes.

    Raises:
        ArchiveError: a name or size is not taken; the sentence names it.
        OSError: a file cannot be read.
    """
    names = Names(limits)
    total = 0
    packed = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=6, mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w|", format=tarfile.PAX_FORMAT) as archive,
    ):
        for path in sorted(files):
            name = path.as_posix()
            names.take_file(name)
            content = (folder / path).read_bytes()
            total += len(content)
            _check_size(name, len(content), total, limits)
            member = tarfile.TarInfo(name)
            member.size = len(content)
            member.mode = 0o755 if os.access(folder / path, os.X_OK) else 0o644
            archive.addfile(member, io.BytesIO(content))
    if packed.tell() > limits.packed_bytes:
        most = _size(limits.packed_bytes)
        raise ArchiveError(f"the bot is too big: {_size(packed.tell())} packed, at most {most}")
    return packed.getvalue()


# Unpacking.


def unpack(packed: IO[bytes], target: Path, limits: Limits = LIMITS) -> tuple[Entry, ...]:
    """Write the files of an archive into an empty folder.

    Where it raises, files may be left in the folder: the caller removes it.

    Args:
        packed: the archive, seekable.
        target: an empty folder that nobody else writes to.
        limits: what is taken.

    Returns:
        the files, in the order of their names.

    Raises:
        ArchiveError: it is refused.
        OSError: the folder cannot be written.
    """
    size = packed.seek(0, os.SEEK_END)
    packed.seek(0)
    if size > limits.packed_bytes:
        raise ArchiveError(
            f"the archive has {_size(size)}, at most {_size(limits.packed_bytes)} are taken"
        )
    with tempfile.TemporaryFile() as plain:
        _inflate(packed, plain, _most_plain(size, limits))
        headers = Headers(plain)
        entries = tuple(_extracted(headers, plain, target, limits))
        _check_end(plain, headers.end)
    return tuple(sorted(entries, key=lambda entry: entry.name))


def _most_plain(size: int, limits: Limits) -> int:
    """How many bytes a packed archive may come to, headers of its entries included."""
    headers = 4 * BLOCK * limits.entries
    return min(limits.total_bytes + headers, MEBIBYTE + limits.ratio * size)


def _inflate(packed: IO[bytes], plain: IO[bytes], most: int) -> None:
    """Write out what is packed, but no more than ``most`` bytes.

    Raises:
        ArchiveError: it is more, or not packed by gzip.
    """
    written = 0
    try:
        for chunk in _inflated(packed):
            written += len(chunk)
            if written > most:
                raise ArchiveError(f"the archive grows beyond {_size(most)} when it is unpacked")
            plain.write(chunk)
    except zlib.error as error:
        raise ArchiveError(f"this is no gzip file that can be read: {error}") from error


def _inflated(packed: IO[bytes]) -> Iterator[bytes]:
    """What is packed, piece by piece: one stream, for thousands of empty ones would take long.

    Raises:
        ArchiveError: it ends too soon, or something stands behind it.
        zlib.error: it is not packed so.
    """
    stream = zlib.decompressobj(_GZIP)
    while not stream.eof:
        given = stream.unconsumed_tail or packed.read(_CHUNK)
        chunk = stream.decompress(given, _CHUNK)
        if not (given or chunk or stream.eof):
            raise ArchiveError("this is no gzip file that can be read: it ends too soon")
        yield chunk
    if (stream.unused_data + packed.read(1)).strip(b"\0"):
        raise ArchiveError("the archive is damaged: something stands behind its gzip stream")


def _check_end(plain: IO[bytes], end: int) -> None:
    """Refuse what stands behind the last entry: a bad header ends the entries without a word.

    Raises:
        ArchiveError: something does.
    """
    plain.seek(end)
    while chunk := plain.read(_CHUNK):
        if chunk.strip(b"\0"):
            raise ArchiveError("the archive is damaged: something stands behind its last entry")


def _extracted(headers: Headers, plain: IO[bytes], target: Path, limits: Limits) -> Iterator[Entry]:
    names = Names(limits)
    total = 0
    for member in headers:
        name = _checked(member)
        if member.isdir():
            # It is there once a file lies in it: an empty one would not count for the hash.
            names.take_folder(name)
            continue
        names.take_file(name)
        total += member.size
        _check_size(name, member.size, total, limits)
        plain.seek(member.offset_data)
        yield _written(plain, member, target / name, name)


def _checked(member: tarfile.TarInfo) -> str:
    """The name of an entry that is a plain file or folder.

    Raises:
        ArchiveError: it is neither.
    """
    name = shown(member.name)
    if not (member.isdir() or member.type in (tarfile.REGTYPE, tarfile.AREGTYPE)):
        kind = _KINDS.get(member.type, "of an unknown kind")
        raise ArchiveError(f"the entry {name} is {kind}; only files and folders are taken")
    if member.mode & _SPECIAL_BITS:
        raise ArchiveError(f"the entry {name} has a set-user, set-group or sticky bit")
    return member.name.rstrip("/") if member.isdir() else member.name


def _written(plain: IO[bytes], member: tarfile.TarInfo, path: Path, name: str) -> Entry:
    """Write one file; what it holds is hashed on the way."""
    path.parent.mkdir(parents=True, exist_ok=True)
    executable = bool(member.mode & _EXECUTABLE)
    digest = hashlib.sha256()
    left = member.size
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(os.open(path, flags, 0o755 if executable else 0o644), "wb") as file:
        while left:
            chunk = plain.read(min(left, _CHUNK))
            if not chunk:
                raise ArchiveError(f"the archive ends in the middle of {shown(name)}")
            left -= len(chunk)
            digest.update(chunk)
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    return Entry(name, executable, member.size, digest.digest())


# Sizes.


def _check_size(name: str, size: int, total: int, limits: Limits) -> None:
    if not 0 <= size <= limits.file_bytes:
        raise ArchiveError(
            f"the file {shown(name)} has {_size(size)}, at most {_size(limits.file_bytes)}"
        )
    if total > limits.total_bytes:
        raise ArchiveError(
            f"with {shown(name)} the files have more than {_size(limits.total_bytes)}"
        )


def _size(count: int) -> str:
    return f"{count / MEBIBYTE:.1f} MiB" if count >= MEBIBYTE else f"{count} bytes"
