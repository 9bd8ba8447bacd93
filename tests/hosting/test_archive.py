"""Archives of bots: packed and unpacked again, and all that is refused."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import stat
import tarfile
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.hosting.archive import content_hash, pack, unpack
from arena.hosting.entries import ArchiveError, Limits
from arena.hosting.folder import files_of

SMALL = Limits(
    packed_bytes=100_000, total_bytes=5000, file_bytes=3000, entries=20, depth=4, name_bytes=60
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bot's folder."""
    folder = tmp_path / "bot"
    (folder / "src" / "deep").mkdir(parents=True)
    (folder / "bot.toml").write_text("name = 'a'")
    (folder / "src" / "deep" / "main.c").write_bytes(b"\0\xff" * 700)
    (folder / "empty").touch()
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o754)
    (folder / "naïve.txt").touch()
    return folder


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """An empty folder."""
    target = tmp_path / "target"
    target.mkdir()
    return target


def opened(packed: bytes, target: Path, limits: Limits = SMALL) -> None:
    unpack(io.BytesIO(packed), target, limits)


def member(name: str, content: bytes = b"", **fields: object) -> tuple[tarfile.TarInfo, bytes]:
    """An entry, with some fields of its header."""
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for field, value in fields.items():
        setattr(info, field, value)
    return info, content


def tar_of(
    members: Iterable[tuple[tarfile.TarInfo, bytes]], kind: int = tarfile.PAX_FORMAT
) -> bytes:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=kind) as archive:
        for info, content in members:
            archive.addfile(info, io.BytesIO(content))
    return plain.getvalue()


def archive_of(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    return gzip.compress(tar_of(members))


# There and back.


def test_a_folder_comes_back_as_it_was(folder: Path, target: Path) -> None:
    entries = unpack(io.BytesIO(pack(folder, files_of(folder))), target)
    assert files_of(target) == files_of(folder) == tuple(Path(entry.name) for entry in entries)
    for path in files_of(folder):
        assert (target / path).read_bytes() == (folder / path).read_bytes()
        runs = bool((target / path).stat().st_mode & stat.S_IXUSR)
        assert runs == (path.name == "run.sh")


def test_equal_folders_give_equal_bytes(folder: Path) -> None:
    before = pack(folder, files_of(folder))
    os.utime(folder / "bot.toml", (1, 1))
    assert pack(folder, reversed(files_of(folder))) == before


def test_the_hash_is_of_the_content_and_not_of_the_archive(folder: Path, tmp_path: Path) -> None:
    def hashed(packed: bytes) -> str:
        target = tmp_path / os.urandom(4).hex()
        target.mkdir()
        return content_hash(unpack(io.BytesIO(packed), target))

    before = hashed(pack(folder, files_of(folder)))
    plain = gzip.decompress(pack(folder, files_of(folder)))
    assert hashed(gzip.compress(plain, 1)) == before
    seen = {before}
    (folder / "empty").chmod(0o755)
    seen.add(hashed(pack(folder, files_of(folder))))
    (folder / "empty").write_text("x")
    seen.add(hashed(pack(folder, files_of(folder))))
    (folder / "empty").rename(folder / "other")
    seen.add(hashed(pack(folder, files_of(folder))))
    assert len(seen) == 4


def test_folders_are_there_for_their_files_alone(target: Path) -> None:
    """What the hash leaves out is not there: equal hashes, equal folders."""
    folders = [member(name, type=tarfile.DIRTYPE) for name in ("src", "src/no", "no")]
    opened(archive_of(*folders, member("src/a/x", b"1")), target)
    found = sorted(path.relative_to(target).as_posix() for path in target.rglob("*"))
    assert found == ["src", "src/a", "src/a/x"]


@pytest.mark.parametrize("kind", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_what_other_tools_make_is_taken(target: Path, kind: int) -> None:
    members = [
        member("src", type=tarfile.DIRTYPE, mode=0o755),
        member("src/a", b"1"),
        member("src/b"),
    ]
    opened(gzip.compress(tar_of(members, kind)), target)
    assert sorted(path.name for path in (target / "src").iterdir()) == ["a", "b"]


# What is refused.

PLAIN = member("ok", b"1")
HOSTILE: dict[str, tuple[tuple[tarfile.TarInfo, bytes], str]] = {
    "an absolute name": (member("/etc/x"), "'/etc/x' has an absolute name"),
    "a way out": (member("../x"), "'../x' leads out of the folder"),
    "a way out from within": (member("a/../../x"), "leads out of the folder"),
    "a name of a dot": (member("./x"), "a name with an empty part"),
    "two slashes": (member("a//x"), "a name with an empty part"),
    "no name": (member(""), "a name with an empty part"),
    "a backslash": (member("a\\x"), "characters that are not taken"),
    "a drive": (member("c:x"), "characters that are not taken"),
    "a line feed": (member("a\nx"), "characters that are not taken"),
    "an escape": (member("a\x1b[31mx"), "characters that are not taken"),
    "text that turns round": (member("a\u202ex"), "characters that are not taken"),
    "a space at an end": (member("a /x"), "begins or ends in a space"),
    "a dot at the end": (member("a."), "ends in a dot"),
    "the repository": (member("a/.GIT/hooks/x"), "belongs to a version control system"),
    "a long name": (member("x" * 61), "more than 60 bytes"),
    "a deep one": (member("a/b/c/d/e"), "more than 4 folders deep"),
    "a symbolic link": (
        member("x", type=tarfile.SYMTYPE, linkname="/etc/passwd"),
        "a symbolic link",
    ),
    "a hard link": (member("x", type=tarfile.LNKTYPE, linkname="ok"), "a hard link"),
    "a character device": (member("x", type=tarfile.CHRTYPE), "a device"),
    "a block device": (member("x", type=tarfile.BLKTYPE), "a device"),
    "a pipe": (member("x", type=tarfile.FIFOTYPE), "a named pipe"),
    "something new": (member("x", type=b"Z"), "of an unknown kind"),
    "set user": (member("x", mode=0o4755), "set-user, set-group or sticky bit"),
    "set group": (member("x", mode=0o2755), "set-user, set-group or sticky bit"),
    "sticky": (member("x", type=tarfile.DIRTYPE, mode=0o1777), "set-user, set-group or sticky bit"),
    "the same again": (member("ok"), "'ok' is there twice"),
    "another case": (member("OK"), "'OK' is there twice, or differs by case alone"),
    "a folder where a file is": (member("ok", type=tarfile.DIRTYPE), "is a file and a folder"),
    "a file in a file": (member("ok/x"), "'ok' is a file and a folder"),
    "a big file": (member("x", b"x" * 3001), "'x' has 3001 bytes, at most 3000 bytes"),
}


@pytest.mark.parametrize(("bad", "words"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_entry_is_refused_by_name(
    target: Path, bad: tuple[tarfile.TarInfo, bytes], words: str
) -> None:
    with pytest.raises(ArchiveError) as refused:
        opened(archive_of(PLAIN, bad), target)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
    assert str(refused.value).isascii()
    assert [path.name for path in target.parent.iterdir()] == ["target"]
    assert not any(path.is_symlink() for path in target.rglob("*"))


def test_a_file_where_a_folder_is_is_refused(target: Path) -> None:
    with pytest.raises(ArchiveError, match="'a' is a file and a folder"):
        opened(archive_of(member("a/x"), member("a")), target)


def test_files_together_may_be_too_much(target: Path) -> None:
    with pytest.raises(ArchiveError, match="with 'b' the files have more than 5000 bytes"):
        opened(archive_of(member("a", os.urandom(3000)), member("b", os.urandom(3000))), target)


def test_entries_may_be_too_many(target: Path) -> None:
    with pytest.raises(ArchiveError, match="more than 20 entries"):
        opened(archive_of(*(member(f"d{n}", type=tarfile.DIRTYPE) for n in range(21))), target)


def test_a_bomb_is_not_unpacked(target: Path) -> None:
    limits = Limits(file_bytes=1 << 40, total_bytes=1 << 40)
    bomb = gzip.compress(bytes(8 << 20))
    with pytest.raises(ArchiveError, match=r"grows beyond \d+\.\d MiB"):
        opened(bomb, target, limits)


def test_a_bomb_in_the_header_of_a_name_is_not_unpacked(target: Path) -> None:
    with pytest.raises(ArchiveError):
        opened(archive_of(member("x" * 4_000_000)), target)


def test_an_archive_may_be_too_big_as_it_is(target: Path) -> None:
    with pytest.raises(ArchiveError, match="the archive has 100001 bytes, at most 100000"):
        opened(bytes(100_001), target)


def broken_in_the_middle(packed: bytes) -> bytes:
    plain = bytearray(gzip.decompress(packed))
    plain[1024:1030] = b"\1" * 6  # the second header
    return gzip.compress(bytes(plain))


DAMAGED: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "no gzip": (lambda packed: b"PK\3\4" + packed, "no gzip file"),
    "cut off": (lambda packed: packed[:-20], "no gzip file"),
    "a byte is wrong": (lambda packed: packed[:-6] + b"\1" + packed[-5:], "no gzip file"),
    "no tar": (lambda packed: gzip.compress(b"hello" * 300), "no tar archive"),
    "nothing": (lambda packed: gzip.compress(b""), "no tar archive"),
    "a bad header behind": (broken_in_the_middle, "something stands behind its last entry"),
    "ends in a file": (
        lambda packed: gzip.compress(gzip.decompress(packed)[:700]),
        "the archive ends in the middle of 'a'",
    ),
    "something behind it": (
        lambda packed: gzip.compress(gzip.decompress(packed) + b"x"),
        "something stands behind its last entry",
    ),
}


@pytest.mark.parametrize(("damage", "words"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_archive_is_refused(
    target: Path, damage: Callable[[bytes], bytes], words: str
) -> None:
    sound = archive_of(member("a", b"1" * 400), member("b", b"2" * 400))
    with pytest.raises(ArchiveError, match=words):
        opened(damage(sound), target)


@given(st.binary(max_size=2000), st.booleans())
def test_any_bytes_are_refused_in_a_sentence(
    tmp_path_factory: pytest.TempPathFactory,
    content: bytes,
    packed: bool,
) -> None:
    target = tmp_path_factory.mktemp("any")
    with pytest.raises(ArchiveError):
        opened(gzip.compress(content) if packed else content, target)


@given(st.data())
def test_a_header_with_any_byte_changed_writes_nothing_outside(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    plain = bytearray(tar_of([member("a", b"1"), member("b", b"2" * 600)]))
    for _ in range(data.draw(st.integers(1, 3))):
        plain[data.draw(st.integers(0, 1535))] = data.draw(st.integers(0, 255))
    target = tmp_path_factory.mktemp("any") / "target"
    target.mkdir()
    with contextlib.suppress(ArchiveError):
        opened(gzip.compress(bytes(plain)), target)
    assert [path.name for path in target.parent.iterdir()] == ["target"]


# What is not packed.


def test_what_would_be_refused_is_not_packed(folder: Path) -> None:
    (folder / "big").write_bytes(bytes(3001))
    with pytest.raises(ArchiveError, match="'big' has 3001 bytes"):
        pack(folder, files_of(folder), SMALL)
    (folder / "big").unlink()
    (folder / "a:b").touch()
    with pytest.raises(ArchiveError, match="'a:b' has a name with characters"):
        pack(folder, files_of(folder), SMALL)


def test_what_is_too_big_packed_is_not_sent(folder: Path) -> None:
    with pytest.raises(ArchiveError, match=r"the bot is too big: \d+ bytes packed, at most 50"):
        pack(folder, files_of(folder), Limits(packed_bytes=50))
