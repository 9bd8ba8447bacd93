"""Headers of archives: what is read of them, and how much work a hostile one makes."""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.hosting.archive import content_hash, unpack
from arena.hosting.entries import ArchiveError
from arena.hosting.headers import (
    BLOCK,
    MOST_EXTENDED,
    MOST_IN_A_ROW,
    MOST_RECORDS,
    Headers,
    _records,
)

END = bytes(2 * BLOCK)


class Counting(io.BytesIO):
    """Counts what is read of it."""

    reads = 0
    got = 0

    def read(self, size: int | None = -1, /) -> bytes:
        content = super().read(size)
        self.reads += 1
        self.got += len(content)
        return content


def block(name: str, size: int = 0, kind: bytes = tarfile.REGTYPE) -> bytes:
    info = tarfile.TarInfo(name)
    info.size, info.type = size, kind
    return info.tobuf(tarfile.GNU_FORMAT)


def padded(content: bytes) -> bytes:
    return content + bytes(-len(content) % BLOCK)


def extended(content: bytes, kind: bytes = tarfile.XHDTYPE) -> bytes:
    return block("x", len(content), kind) + padded(content)


def record(key: str, value: str) -> bytes:
    rest = f" {key}={value}\n".encode()
    length = len(rest) + 1
    while len(str(length)) + len(rest) != length:
        length += 1
    return str(length).encode() + rest


def names_in(plain: bytes) -> list[str]:
    return [member.name for member in Headers(io.BytesIO(plain))]


NAMES = ("a" * 99, "d/" * 20 + "b" * 90, "naïve/ß", "c" * 100 + "/" + "d" * 60)


@pytest.mark.parametrize("kind", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_names_of_any_length_are_read(kind: int) -> None:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=kind) as archive:
        for name in NAMES:
            info = tarfile.TarInfo(name)
            info.size, info.mtime = 700, 1.5
            archive.addfile(info, io.BytesIO(b"x" * 700))
    assert names_in(plain.getvalue()) == list(NAMES)


def test_a_name_in_two_parts_is_read() -> None:
    info = tarfile.TarInfo("d" * 100 + "/" + "e" * 90)
    assert names_in(info.tobuf(tarfile.USTAR_FORMAT) + END) == [info.name]


def test_a_header_for_all_entries_is_passed_over() -> None:
    """Such a one is at the beginning of what `git archive` makes."""
    told = extended(record("comment", "1234"), tarfile.XGLTYPE)
    assert names_in(told + block("a") + END) == ["a"]


def test_what_leads_elsewhere_counts_for_nothing() -> None:
    link = extended(b"target\0", tarfile.GNUTYPE_LONGLINK)
    assert names_in(link + extended(b"name\0", tarfile.GNUTYPE_LONGNAME) + block("a")) == ["name"]


REFUSED = {
    "a chain": (extended(record("a", "b")) * 600, f"more than {MOST_IN_A_ROW} extended headers"),
    "a chain for all": (
        extended(record("a", "b"), tarfile.XGLTYPE) * 600,
        f"more than {MOST_IN_A_ROW} extended headers",
    ),
    "a chain of names": (
        extended(b"name\0", tarfile.GNUTYPE_LONGNAME) * 600,
        f"more than {MOST_IN_A_ROW} extended headers",
    ),
    "a long one": (extended(b"2 " * 30_000 + b"="), "an extended header of 60001 bytes, at most"),
    "no records": (extended(b"2 " * 1500 + b"="), "an extended header that cannot be read"),
    "short records": (extended(b"5 a=\n" * 800), "of more than 32 records"),
    "digits alone": (extended(b"1" * 4000), "an extended header that cannot be read"),
    "a length of none": (extended(b"0 a=b\n"), "an extended header that cannot be read"),
    "a length beyond": (extended(b"99 a=b\n"), "an extended header that cannot be read"),
    "no key": (extended(b"5 =b\n"), "an extended header that cannot be read"),
    "no text": (extended(record("path", "a")[:-2] + b"\xff\n"), "that cannot be read"),
    "cut off": (block("x", 4000, tarfile.XHDTYPE), "it ends in a header"),
    "another size": (extended(record("size", "9" * 20)), "says how big a file is"),
    "holes": (extended(record("GNU.sparse.major", "1")), "says how big a file is"),
    "one name for all": (
        extended(record("path", "a"), tarfile.XGLTYPE),
        "gives one name to all entries",
    ),
    "less than nothing": (block("x", -512, tarfile.XHDTYPE), "'x' has -512 bytes"),
}


@pytest.mark.parametrize(("plain", "words"), REFUSED.values(), ids=REFUSED)
def test_a_hostile_header_is_refused_with_little_work(plain: bytes, words: str) -> None:
    file = Counting(plain + block("a") + END)
    with pytest.raises(ArchiveError, match=words):
        list(Headers(file))
    assert file.reads <= 2 * (MOST_IN_A_ROW + 1)
    assert file.got <= (MOST_IN_A_ROW + 1) * (BLOCK + MOST_EXTENDED)


def test_each_byte_of_a_header_belongs_to_one_record() -> None:
    content = b"".join(record(f"k{n}", "v" * n) for n in range(MOST_RECORDS))
    found = list(_records(content))
    assert sum(len(record(key.decode(), value.decode())) for key, value in found) == len(content)


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1)))
@example(["\x80/"])
def test_names_are_what_tarfile_reads(names: list[str]) -> None:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name in names:
            archive.addfile(tarfile.TarInfo(name))
    plain.seek(0)
    with tarfile.open(fileobj=plain) as archive:
        assert names_in(plain.getvalue()) == archive.getnames()


def test_thousands_of_empty_streams_are_no_archive(tmp_path: Path) -> None:
    sound = gzip.compress(block("a") + END)
    for packed in (gzip.compress(b"") * 2 + sound, sound + gzip.compress(b"")):
        with pytest.raises(ArchiveError, match="something stands behind its gzip stream"):
            unpack(io.BytesIO(packed), tmp_path)
    assert content_hash(unpack(io.BytesIO(sound + bytes(100)), tmp_path / "sound"))
