"""Building what was sent: what commands say and make, and all that they may not."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.hosting import containment
from arena.hosting.build_log import BuildLog
from arena.hosting.building import BuildBounds, Builder, BuildFailed
from arena.hosting.guard import Guard
from arena.hosting.leavings import LeftLimits
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
    with pytest.raises(BuildFailed, match=r"status 3\. If it wanted the network: "):
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
