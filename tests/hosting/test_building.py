"""Building what was sent: what commands say and make, and all that they may not."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from arena.hosting import build_watch, containment
from arena.hosting.build_log import LEFT_OUT, MOST_KEPT, MOST_LINE, MOST_LINES, BuildLog
from arena.hosting.build_watch import held_bytes
from arena.hosting.building import BuildBounds, Builder, BuildFailed
from arena.hosting.guard import Guard
from arena.hosting.leavings import LeavingsError, LeftLimits, look_over, refuse_too_much
from arena.hosting.manifest import Manifest, Wanted
from arena.hosting.runner import ProcessRunner, Resources, RunnerKind
from arena.hosting.shelf import Part, Shelf
from arena.hosting.strays import ending_strays
from tests.hosting.bots import is_running, until_ended

SMALL = LeftLimits(total_bytes=2 * 1024 * 1024, entries=40, depth=5)
BOUNDS = BuildBounds(seconds=60.0, left=SMALL, free_bytes=1024 * 1024)
HASH = "5" * 64
OWN = [".failed", ".received"]


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    shelf = Shelf(tmp_path)
    shelf.open()
    return shelf


@pytest.fixture
def part(shelf: Shelf) -> Part:
    """A folder with one file in its source."""
    with shelf.part() as made:
        folder = Path(f"{made.folder}-kept")
        made.folder.rename(folder)
    part = Part(folder)
    part.source.mkdir()
    (part.source / "main.c").write_text("int main;")
    return part


@pytest.fixture
async def guard() -> AsyncIterator[Guard]:
    guard = Guard()
    yield guard
    guard.close()


def manifest(part: Part, *lines: str) -> Manifest:
    """What builds by some lines of sh."""
    build = tuple(("sh", "-c", line) for line in lines)
    return Manifest(part.source, "bot", "sh", ("./bot",), build, (), None, Wanted())


async def build(guard: Guard, part: Part, *lines: str, bounds: BuildBounds = BOUNDS) -> list[str]:
    """Build by some lines of sh; what was heard."""
    heard: list[str] = []
    builder = Builder(ProcessRunner(), bounds, guard)
    await builder.build(manifest(part, *lines), part, "test", BuildLog(heard.extend))
    return heard


# What is made.


async def test_commands_run_one_after_the_other_in_the_folder(part: Part, guard: Guard) -> None:
    lines = ("echo made of $(cat main.c) >bot; chmod 700 bot", "echo said; printf open; echo e >&2")
    heard = await build(guard, part, *lines)
    assert (part.built / "bot").read_text() == "made of int main;\n"
    assert oct((part.built / "bot").stat().st_mode) == "0o100755"
    assert not (part.source / "bot").exists()
    assert heard[:2] == [f"$ sh -c '{lines[0]}'", f"$ sh -c '{lines[1]}'"]
    assert {"said", "open"} <= set(heard) or {"said", "opene"} <= set(heard)


async def test_its_home_is_its_own_and_is_not_kept(shelf: Shelf, part: Part, guard: Guard) -> None:
    await build(guard, part, 'echo x >"$HOME/cache"; pwd >where')
    assert (part.home / "cache").exists()
    shelf.keep(part, HASH, "log", "{}")
    assert sorted(path.name for path in shelf.folder(HASH).iterdir()) == [
        *("build.log", "built", "check.json", "source"),
    ]


async def test_it_is_given_the_variables_that_the_organiser_has_chosen(
    part: Part, guard: Guard
) -> None:
    bounds = replace(BOUNDS, variables={"HTTPS_PROXY": "http://proxy:1"})
    heard = await build(guard, part, "echo by $HTTPS_PROXY", bounds=bounds)
    assert "by http://proxy:1" in heard


async def test_where_nothing_is_built_the_source_is_what_runs(part: Part, guard: Guard) -> None:
    assert await build(guard, part) == []
    assert (part.built / "main.c").read_text() == "int main;"


# What fails.


class Closed(ProcessRunner):
    """As if it contained something."""

    kind = RunnerKind.BUBBLEWRAP


async def test_where_builds_reach_no_network_a_failed_one_is_told(part: Part, guard: Guard) -> None:
    with pytest.raises(BuildFailed, match=r"status 3\. Builds reach no network on this arena: "):
        await Builder(Closed(), BOUNDS, guard).build(
            manifest(part, "exit 3"), part, "test", BuildLog()
        )


@pytest.mark.parametrize(
    ("runner", "network", "line"),
    [
        (ProcessRunner(), False, "exit 3"),
        (Closed(), True, "exit 3"),
        (Closed(), False, "kill -9 $$"),
    ],
    ids=["trusted", "allowed", "killed"],
)
async def test_where_it_was_not_the_network_nothing_is_said_of_it(
    part: Part, guard: Guard, runner: ProcessRunner, network: bool, line: str
) -> None:
    builder = Builder(runner, replace(BOUNDS, network=network), guard)
    with pytest.raises(BuildFailed, match=r"(status 3|of memory)$"):
        await builder.build(manifest(part, line), part, "test", BuildLog())


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("exit 3", "failed: it ended with status 3"),
        ("kill -9 $$", "perhaps because it needed more than 4096 MiB of memory"),
        ("sh -c 'kill -9 $$'; exit $?", "failed: it was killed"),
        ("kill -15 $$", "failed: it was ended by signal 15"),
        ("ln -s /etc/passwd x", "left 'x', a link that leads out of the folder"),
        ("mkdir d; ln -s .. d/up; ln -s d/up/../.. out", "left 'out', a link that leads out"),
        ("mkfifo pipe", "left 'pipe', which is neither a file nor a folder"),
        ("echo >x; chmod u+s x", "left 'x' with a set-user, set-group or sticky bit"),
        ("mkdir -p a/b/c/d/e/f", "folders more than 5 deep"),
        ("for n in $(seq 50); do echo >$n; done", "more than 40 files"),
        ("head -c 3000000 /dev/zero >big", "wrote more than 2 MiB"),
        ("truncate -s 1T holes", "wrote more than 2 MiB"),
    ],
)
async def test_what_fails_or_leaves_what_it_should_not_is_refused(
    part: Part, guard: Guard, line: str, why: str
) -> None:
    with pytest.raises(BuildFailed) as failed:
        await build(guard, part, line)
    assert why in str(failed.value)


async def test_a_command_after_one_that_fails_does_not_run(part: Part, guard: Guard) -> None:
    with pytest.raises(BuildFailed):
        await build(guard, part, "exit 1", "echo >made")
    assert not (part.built / "made").exists()


async def test_a_program_that_is_not_there_is_named(part: Part, guard: Guard) -> None:
    for words in (("nosuchprogram", "x"), ("./nosuch",)):
        told = replace(manifest(part), build=(words,))
        with pytest.raises(BuildFailed, match=r"no.*such"):
            await Builder(ProcessRunner(), BOUNDS, guard).build(told, part, "test", BuildLog())
        (part.built / "main.c").unlink()
        part.built.rmdir()


async def test_one_that_takes_too_long_is_ended_with_all_it_started(
    part: Part, guard: Guard
) -> None:
    with pytest.raises(BuildFailed, match=r"took more than 0\.5 s"):
        bounds = replace(BOUNDS, seconds=0.5)
        await build(guard, part, "echo $$ >pid; sleep 100 & sleep 100", bounds=bounds)
    await until_ended(int((part.built / "pid").read_text()))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can adopt orphans")
async def test_what_has_left_its_group_is_ended_with_it(part: Part, guard: Guard) -> None:
    leaves = "setsid sh -c 'echo $$ >left; exec sleep 100' </dev/null >/dev/null 2>&1 &"
    with ending_strays():
        await build(guard, part, f"{leaves} while ! test -s left; do :; done")
        assert not is_running(int((part.built / "left").read_text()))


async def test_one_that_prints_without_end_is_ended(part: Part, guard: Guard) -> None:
    with pytest.raises(BuildFailed, match="printed more than 1 MiB"):
        await build(guard, part, "yes", bounds=replace(BOUNDS, output_bytes=1024 * 1024))


async def test_one_that_writes_without_end_is_ended_while_it_runs(part: Part, guard: Guard) -> None:
    with pytest.raises(BuildFailed, match="wrote more than 2 MiB"):
        await build(guard, part, "head -c 3000000 /dev/zero >$HOME/big; sleep 100")


async def test_one_that_fills_the_disk_is_ended(part: Part, guard: Guard) -> None:
    with pytest.raises(BuildFailed, match="disk has less than 1099511627776 MiB left"):
        await build(guard, part, "sleep 100", bounds=replace(BOUNDS, free_bytes=1 << 60))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who holds which file")
def test_files_that_were_deleted_count_as_long_as_they_are_held(tmp_path: Path) -> None:
    device = tmp_path.stat().st_dev
    with (tmp_path / "gone").open("wb") as gone, (tmp_path / "there").open("wb") as there:
        for file in (gone, there):
            file.write(bytes(1_000_000))
            file.flush()
        (tmp_path / "gone").unlink()
        with os.fdopen(os.dup(gone.fileno()), "wb"):
            held = held_bytes([os.getpid()], device)
        assert 1_000_000 <= held < 1_500_000, "once, however often it is open"
        assert held_bytes([os.getpid()], device + 1) == 0
    assert held_bytes([os.getpid()], device) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who holds which file")
def test_more_open_files_than_can_be_looked_at_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_watch, "MOST_DESCRIPTORS", 2)
    with pytest.raises(LeavingsError, match="more than 2 files open"):
        held_bytes([os.getpid()], 0)


def test_a_folder_that_hides_what_is_in_it_is_refused(
    part: Part, monkeypatch: pytest.MonkeyPatch
) -> None:
    scan = os.scandir

    def may_not_read(place: Path) -> os._ScandirIterator[str]:
        if place.name == "shut":
            raise PermissionError(13, "no right to read it")
        return scan(str(place))

    (part.source / "shut").mkdir()
    monkeypatch.setattr(os, "scandir", may_not_read)
    with pytest.raises(LeavingsError, match="'shut', a folder that cannot be looked into"):
        refuse_too_much(part.source, SMALL)


def test_a_path_that_the_system_does_not_take_is_refused(part: Part) -> None:
    place = os.open(part.source, os.O_RDONLY)
    for name in ("a" * 255 for _ in range(20)):
        os.mkdir(name, dir_fd=place)
        place, above = os.open(name, os.O_RDONLY, dir_fd=place), place
        os.close(above)
    os.close(place)
    for look in (refuse_too_much, look_over):
        with pytest.raises(LeavingsError, match="a path of more than 2048 bytes"):
            look(part.source, replace(SMALL, depth=64))


def test_a_file_that_is_gone_hides_none_of_the_others(
    part: Part, monkeypatch: pytest.MonkeyPatch
) -> None:
    (part.source / "big").write_bytes(bytes(3_000_000))
    (part.source / "aaa").touch()
    scan = os.scandir

    @contextlib.contextmanager
    def loses(place: Path) -> Iterator[Iterator[os.DirEntry[str]]]:
        with scan(str(place)) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
        (part.source / "aaa").unlink()
        yield iter(found)

    monkeypatch.setattr(os, "scandir", loses)
    with pytest.raises(LeavingsError, match="wrote more than 2 MiB"):
        refuse_too_much(part.source, SMALL)


def test_links_within_and_unreadable_folders_are_looked_over(part: Part) -> None:
    (part.source / "shut").mkdir(mode=0o000)
    (part.source / "link").symlink_to("main.c")
    look_over(part.source, SMALL)
    assert oct((part.source / "shut").stat().st_mode) == "0o40755"
    with pytest.raises(LeavingsError):
        look_over(part.source, replace(SMALL, entries=2))


# Contained.


@pytest.mark.bubblewrap
async def test_a_contained_build_sees_its_folder_and_nothing_of_the_arenas(
    part: Part, guard: Guard, tmp_path: Path
) -> None:
    (tmp_path / "arena.db").write_text("secret")
    contained = containment.contain_by_bubblewrap("test-build", Resources())
    lines = (
        "pwd >where; echo x >$HOME/cache; umask 077; mkdir deep; echo made >deep/bot",
        f"ls {tmp_path} {part.folder} 2>/dev/null; wc -l </proc/net/tcp",
    )
    heard: list[str] = []
    builder = Builder(contained.runner, BOUNDS, guard)
    await builder.build(manifest(part, *lines), part, "test-build-1", BuildLog(heard.extend))
    assert (part.built / "where").read_text() == "/bot\n"
    assert not any(name in heard for name in ("arena.db", "source", "archive"))
    assert heard[-1] == "1", "of connections, the heading alone"
    made = part.built / "deep" / "bot"
    assert (made.stat().st_uid, oct(made.stat().st_mode)) == (os.geteuid(), "0o100644")
    assert oct((part.built / "deep").stat().st_mode) == "0o40755"
    assert (part.home / "cache").exists()


@pytest.mark.bubblewrap
async def test_a_contained_build_cannot_fill_the_disk_with_files_that_it_deleted(
    part: Part, guard: Guard
) -> None:
    contained = containment.contain_by_bubblewrap("test-build", Resources())
    if "control group" not in contained.bounds:
        pytest.skip("no control group tells which processes a job has")
    builder = Builder(contained.runner, BOUNDS, guard)
    line = "exec 3>x; rm x; head -c 3000000 /dev/zero >&3; sleep 100"
    with pytest.raises(BuildFailed, match="holds more than 2 MiB in files that it deleted"):
        await builder.build(manifest(part, line), part, "test-build-3", BuildLog())


@pytest.mark.bubblewrap
async def test_a_contained_build_that_goes_on_in_the_background_is_ended(
    part: Part, guard: Guard
) -> None:
    contained = containment.contain_by_bubblewrap("test-build", Resources())
    builder = Builder(contained.runner, BOUNDS, guard)
    line = "(setsid sh -c 'sleep 1; echo late >/bot/late; sleep 100' &) ; echo >done"
    await builder.build(manifest(part, line), part, "test-build-2", BuildLog())
    assert (part.built / "done").exists()
    written = [path.name for path in part.built.iterdir()]
    assert "late" not in written
    assert not running_with("sleep 1; echo late >/bot/late")


def running_with(text: str) -> list[int]:
    """The processes whose command line has a text."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if text.encode() in (entry / "cmdline").read_bytes().replace(b"\0", b" "):
                found.append(int(entry.name))
    return [pid for pid in found if is_running(pid)]


# The log.


def test_a_log_keeps_its_end() -> None:
    log = BuildLog()
    line = b"x" * 1000 + b"\n"
    for _ in range(2 * MOST_KEPT // 1000):
        log.add(line)
    log.say("the end")
    text = log.text()
    assert text.startswith("[the beginning is not kept]\n")
    assert text.endswith("x\nthe end\n")
    assert MOST_KEPT - 2000 < len(text) < MOST_KEPT + 100


def test_what_is_for_a_terminal_alone_is_left_out() -> None:
    log = BuildLog()
    log.add(b"\x1b[0m\x1b[1;31merror\x1b[0m: \x1b[38;5;9mno\x1b[K such file\x1b(B\n")
    log.add(b"\x1b]8;;http://x\x1b\\link\x1b]8;;\x07 [0m\n")
    assert log.text() == "error: no such file\nlink [0m\n"


def test_lines_are_told_as_they_come_and_long_ones_in_pieces() -> None:
    heard: list[str] = []
    log = BuildLog(heard.extend)
    log.add(b"on")
    log.tell()
    assert heard == []
    log.add(b"e\r\n\ntwo\xff\n" + b"y" * (MOST_LINE + 5))
    log.tell()
    assert heard == ["one", "", "two\ufffd", "y" * MOST_LINE]
    log.close()
    assert heard[4:] == ["y" * 5]
    assert log.text() == f"one\n\ntwo\ufffd\n{'y' * (MOST_LINE + 5)}\n"


def test_of_a_flood_the_newest_lines_are_told_and_seldom() -> None:
    batches: list[Sequence[str]] = []
    log = BuildLog(batches.append)
    for _ in range(100):
        log.add(b"\n" * 65536)
    log.add(b"the end\n")
    assert batches == [], "nothing is looked at while it comes"
    log.tell()
    log.tell()
    assert [len(lines) for lines in batches] == [MOST_LINES + 1]
    assert (batches[0][0], batches[0][-2:]) == (LEFT_OUT, ["", "the end"])
    log.add(b"x" * 200 * MOST_LINE + b"\nnext\n")
    log.tell()
    assert batches[1] == [LEFT_OUT, "next"]
    assert log.printed == 100 * 65536 + 8 + 200 * MOST_LINE + 6
    assert len(log.text()) <= MOST_KEPT + 100


def test_what_is_no_text_is_kept_within_the_same_bound() -> None:
    log = BuildLog()
    log.add(b"\xff" * (MOST_KEPT // 2) + b"\n\xff\n")
    assert log.text() == "[the beginning is not kept]\n\ufffd\n"


# The shelf.


def test_the_same_content_is_kept_once(shelf: Shelf) -> None:
    for text in ("first", "second"):
        with shelf.part() as part:
            part.source.mkdir()
            part.built.mkdir()
            (part.built / "bot").write_text(text)
            shelf.keep(part, HASH, f"log of the {text}", "{}")
    assert (shelf.built(HASH) / "bot").read_text() == "first"
    assert shelf.log(1, HASH) == "log of the first"
    assert shelf.relative(HASH) == f"bots/{HASH}"
    assert sorted(path.name for path in shelf.folder("").iterdir()) == [*OWN, HASH]


def test_what_comes_to_nothing_leaves_its_log_alone(shelf: Shelf) -> None:
    with pytest.raises(BuildFailed), shelf.part() as part:
        part.source.mkdir()
        raise BuildFailed("no")
    shelf.keep_failed(7, "said")
    assert not shelf.has(HASH)
    assert (shelf.log(7, HASH), shelf.log(8, HASH)) == ("said", "")
    assert sorted(path.name for path in shelf.folder("").iterdir()) == OWN


def test_what_a_killed_arena_left_is_gone_at_the_next_start(shelf: Shelf, tmp_path: Path) -> None:
    part = tmp_path / "bots" / ".part-dead"
    part.mkdir()
    place = part
    for _ in range(300):
        place /= "deep"
        place.mkdir()
    place.chmod(0o000)
    Shelf(tmp_path).open()
    assert not part.exists()
    assert oct((tmp_path / "bots").stat().st_mode) == "0o40700"
    assert sorted(path.name for path in (tmp_path / "bots").iterdir()) == OWN
