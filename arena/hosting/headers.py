"""The headers of a tar archive, read one after the other with bounded work for each.

`tarfile` reads what one block says; what leads from block to block is here, because it reads
extended headers in a time that grows with the square of their size, and calls itself for each.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from typing import IO, Final

from arena.hosting.entries import ArchiveError, shown

BLOCK: Final = tarfile.BLOCKSIZE
MOST_EXTENDED: Final = 4096
"""Bytes of an extended header: names and times come to a few hundred."""
MOST_IN_A_ROW: Final = 2
"""Extended headers before one entry: of all and of it, or of its name and of what it leads to."""

MOST_RECORDS: Final = 32
"""In one of pax: a name, times, an owner, and what some systems note besides."""

_PAX: Final = (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.XGLTYPE)
_EXTENDED: Final = (*_PAX, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)
_FILES: Final = (tarfile.REGTYPE, tarfile.AREGTYPE)
_DIGITS: Final = len(str(MOST_EXTENDED))
_HOLES: Final = b"GNU.sparse."


class Headers:
    """The entries of an archive, in its order.

    Args:
        plain: the archive, not compressed, seekable; read from its beginning.

    Attributes:
        end: where the last header that was read ends, and with it what belongs to its entry.
    """

    def __init__(self, plain: IO[bytes]) -> None:
        self._plain = plain
        self.end = 0

    def __iter__(self) -> Iterator[tarfile.TarInfo]:
        """Each entry; at `offset_data` stands what it holds.

        Raises:
            ArchiveError: it is no archive, or has a header that is not taken.
        """
        name: str | None = None
        in_a_row = 0
        while (header := self._next()) is not None:
            if header.type not in _EXTENDED:
                header.name = header.name if name is None else name
                yield header
                name, in_a_row = None, 0
                continue
            in_a_row += 1
            if in_a_row > MOST_IN_A_ROW:
                raise ArchiveError(
                    f"the archive has more than {MOST_IN_A_ROW} extended headers before one entry"
                )
            given = _name_in(header, self._content(header))
            name = name if given is None else given

    def _next(self) -> tarfile.TarInfo | None:
        """The header that comes next; None at the end, or where none can be read any more."""
        self._plain.seek(self.end)
        block = self._plain.read(BLOCK)
        if block == bytes(BLOCK):
            return None
        try:
            header = tarfile.TarInfo.frombuf(block, "utf-8", "strict")
        except (tarfile.TarError, UnicodeError) as error:
            # Behind an entry it may be the end; who reads on sees what stands there.
            if self.end == 0:
                raise ArchiveError(f"this is no tar archive that can be read: {error}") from error
            return None
        if header.size < 0:
            raise ArchiveError(f"the entry {shown(header.name)} has {header.size} bytes")
        header.offset_data = self.end + BLOCK
        holds = header.size if header.type in (*_FILES, *_EXTENDED) else 0
        self.end = header.offset_data + (holds + BLOCK - 1) // BLOCK * BLOCK
        return header

    def _content(self, header: tarfile.TarInfo) -> bytes:
        """What an extended header holds."""
        if header.size > MOST_EXTENDED:
            raise ArchiveError(
                f"the archive has an extended header of {header.size} bytes, "
                f"at most {MOST_EXTENDED} are taken"
            )
        content = self._plain.read(header.size)
        if len(content) < header.size:
            raise ArchiveError("this is no tar archive that can be read: it ends in a header")
        return content


def _name_in(header: tarfile.TarInfo, content: bytes) -> str | None:
    """The name that an extended header gives to the entry behind it; None where it gives none."""
    if header.type == tarfile.GNUTYPE_LONGLINK:
        return None
    if header.type == tarfile.GNUTYPE_LONGNAME:
        return _text(content.partition(b"\0")[0])
    found = dict(_records(content))
    if b"size" in found or any(key.startswith(_HOLES) for key in found):
        raise ArchiveError("an extended header says how big a file is, which is not taken")
    if b"path" not in found:
        return None
    if header.type == tarfile.XGLTYPE:
        raise ArchiveError("an extended header gives one name to all entries")
    return _text(found[b"path"]).rstrip("/")  # as tarfile does: of a folder there is one behind it


def _records(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Keys and values of a header of pax: each record begins with its own length."""
    place = count = 0
    while place < len(content):
        count += 1
        if count > MOST_RECORDS:
            raise ArchiveError(
                f"the archive has an extended header of more than {MOST_RECORDS} records"
            )
        length, space, _ = content[place : place + _DIGITS + 1].partition(b" ")
        if not (space and length.isdigit()):
            raise _unreadable()
        end = place + int(length)
        record = content[place + len(length) + 1 : end]
        key, sign, value = record.partition(b"=")
        if end > len(content) or not (key and sign and value.endswith(b"\n")):
            raise _unreadable()
        yield key, value[:-1]
        place = end


def _text(name: bytes) -> str:
    try:
        return name.decode()
    except UnicodeDecodeError:
        raise _unreadable() from None


def _unreadable() -> ArchiveError:
    return ArchiveError("the archive has an extended header that cannot be read")
