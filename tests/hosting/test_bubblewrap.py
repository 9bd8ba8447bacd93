"""What a job in bubblewrap sees, may do and may use: real processes, no server."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import subprocess
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from arena.hosting.bubblewrap import Bubblewrap
from arena.hosting.cgroups import find_controllers
from arena.hosting.lodgers import FIRST_USER
from arena.hosting.process import BotProcess
from arena.hosting.runner import SOCKET, Job
from arena.hosting.sizes import MEBIBYTE
from arena.hosting.toolchains import find_toolchains
from tests.hosting.bots import DEADLINE_SECONDS, FOREVER, is_running, until
from tests.hosting.contained import LITTLE, NO_GROUPS, list_groups

pytestmark = pytest.mark.bubblewrap


@dataclass
class Cell:
    """Starts jobs, and ends them with the test."""

    runner: Bubblewrap
    stack: contextlib.AsyncExitStack = field(default_factory=contextlib.AsyncExitStack)
    starts: int = 0

    async def start(self, line: str, **fields: Any) -> BotProcess:
        """A line of sh in it."""
        self.starts += 1
        label = f"cell{os.getpid()}-{self.starts}"
        job = Job(("/bin/sh", "-c", line), label, **{"resources": LITTLE, **fields})
        process = await BotProcess.start(self.runner.launch(job), on_exit=lambda _: None)
        self.stack.push_async_callback(process.stop)
        return process

    async def said(self, line: str, **fields: Any) -> str:
        """What a line of sh says, errors too, once it has ended."""
        process = await self.start(f"exec 2>&1; {line}", **fields)
        async with asyncio.timeout(DEADLINE_SECONDS):
            await process.ended()
        assert process.stderr.text() == ""
        return process.stdout.text()


@pytest.fixture(params=["groups", "limits"])
async def cell(request: pytest.FixtureRequest) -> AsyncIterator[Cell]:
    """With control groups where they can be had, and without."""
    controllers = find_controllers() if request.param == "groups" else NO_GROUPS
    if request.param == "groups" and not controllers.parents:
        pytest.skip("no control group can be made here")
    cell = Cell(Bubblewrap(controllers, find_toolchains()))
    async with cell.stack:
        yield cell


@pytest.fixture
async def lone() -> AsyncIterator[Cell]:
    """Without control groups, where these make no difference."""
    cell = Cell(Bubblewrap(NO_GROUPS, find_toolchains()))
    async with cell.stack:
        yield cell


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bot's folder, which everybody may read."""
    bot = tmp_path / "bot"
    bot.mkdir()
    bot.chmod(0o755)
    (bot / "bot.txt").write_text("hearts")
    return bot


async def test_it_has_no_rights_and_no_way_to_any(lone: Cell) -> None:
    status = await lone.said("cat /proc/self/status; id -u")
    lines = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert lines["NoNewPrivs"] == "1"
    assert lines["Seccomp"] == "2"
    for which in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(lines[which], 16) == 0, which
    assert status.splitlines()[-1] != "0"


async def test_each_job_of_the_superuser_has_a_user_of_its_own(lone: Cell) -> None:
    if os.geteuid() != 0:
        pytest.skip("there are users of their own for the superuser's jobs alone")
    users = {int(await lone.said("id -u")) for _ in range(3)}
    assert len(users) == 3
    assert min(users) >= FIRST_USER


async def test_it_sees_programs_and_its_own_and_nothing_else(
    lone: Cell, folder: Path, tmp_path: Path
) -> None:
    secret = tmp_path / "arena.db"
    secret.write_text("secret")
    secret.chmod(0o644)
    said = await lone.said(
        f"cat bot.txt; echo; pwd; ls /; ls -A $HOME /run; cat {secret} /etc/shadow",
        folder=folder,
    )
    assert said.startswith("hearts\n/bot\n")
    assert "secret" not in said
    assert said.count("No such file") == 2
    names = set(said.split())
    assert {"bot", "dev", "etc", "proc", "tmp", "usr"} <= names
    assert not {"boot", "mnt", "opt", "srv", "sys", "var"} & names


async def test_the_table_of_users_has_itself_alone(lone: Cell) -> None:
    assert await lone.said("wc -l </etc/passwd; id -un; ls /etc") == (
        "1\nbot\n" + await lone.said("ls /etc")
    )


async def test_it_sees_no_other_process_and_no_word_of_how_it_was_made(
    lone: Cell, folder: Path
) -> None:
    said = await lone.said(
        f"echo $$; cat /proc/[0-9]*/cmdline | tr '\\0' ' '; kill -9 {os.getpid()}", folder=folder
    )
    assert said.splitlines()[0] in {"2", "3"}
    assert str(folder) not in said
    assert "No such process" in said


async def test_it_has_only_the_variables_that_it_needs(
    lone: Cell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_PASSWORD", "secret")
    said = await lone.said("env", variables={"ARENA_TOKEN": "t0ken"})
    names = {line.partition("=")[0] for line in said.splitlines()}
    assert {"ARENA_TOKEN", "HOME", "LANG", "PATH"} <= names
    assert names <= {"ARENA_TOKEN", "HOME", "LANG", "PATH", "PWD", "SHLVL", "RUSTUP_HOME", "_"}


async def test_nobody_else_reads_its_token_from_its_command_line(lone: Cell) -> None:
    process = await lone.start(f"echo up; {FOREVER}", variables={"ARENA_TOKEN": "t0ken"})
    await until(lambda: process.stdout.text() == "up")
    assert "bwrap" in command_line(process.pid)
    assert "t0ken" not in command_line(process.pid)


async def test_it_inherits_no_open_files(lone: Cell, tmp_path: Path) -> None:
    with (tmp_path / "journal").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        # Standard input, output, error, and the folder that ls reads.
        assert (await lone.said("ls /proc/self/fd")).split() == ["0", "1", "2", "3"]


async def test_it_writes_in_memory_alone(lone: Cell, folder: Path) -> None:
    said = await lone.said(
        "for place in / /bot /etc /usr /run /run/arena /dev /proc/sys/kernel; do"
        " touch $place/x && echo wrote $place; done;"
        " echo 1 >$HOME/x && echo 1 >/tmp/x && echo done",
        folder=folder,
    )
    assert "wrote" not in said
    assert said.endswith("done")
    assert names_in(folder) == ["bot.txt"]
    assert "x" not in (await lone.said("ls -A /tmp $HOME")).split()


async def test_what_it_writes_is_bounded(lone: Cell) -> None:
    said = await lone.said(
        "for place in /tmp $HOME /dev/shm; do"
        " for n in 1 2 3; do head -c 40000000 /dev/zero >$place/$n || echo full; rm -f $place/1;"
        " done; rm -f $place/*; done"
    )
    assert said.count("full") >= 3
    big = await lone.said("head -c 70000000 /dev/zero >/tmp/x; wc -c </tmp/x")
    assert int(big.splitlines()[-1]) <= 64 * MEBIBYTE


async def test_one_that_builds_writes_its_folder_and_its_home(
    lone: Cell, folder: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    line = "echo made >made && mkdir inner && ln -s /etc/shadow link && echo kept >$TMPDIR/kept"
    assert await lone.said(line, folder=folder, writable=True, home=home) == ""
    assert (folder / "made").read_text() == "made\n"
    assert (home / "kept").read_text() == "kept\n"
    written = (folder, *(folder / name for name in names_in(folder)), home / "kept")
    assert {path.lstat().st_uid for path in written} == {os.geteuid()}


async def test_it_has_no_network(lone: Cell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        dial = (
            "import socket, sys\n"
            f"try: socket.create_connection(('127.0.0.1', {port}), 5)\n"
            "except OSError as error: print(error.strerror)"
        )
        said = await lone.said(f'python -c "{dial}"')
        assert said == "Connection refused"
        listening.settimeout(0)
        with pytest.raises(BlockingIOError):
            listening.accept()
    # Not even the names of sockets that have no file.
    with socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0arena-test-{os.getpid()}")
        abstract.listen()
        dial = f"import socket; socket.socket(1).connect('\\0arena-test-{os.getpid()}')"
        assert "refused" in await lone.said(f'python -c "{dial}"')


async def test_it_dials_the_one_socket_that_it_is_given(lone: Cell, tmp_path: Path) -> None:
    sockets = Path("/tmp") / f"arena-test-{os.getpid()}"
    sockets.mkdir(mode=0o711)
    try:
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(sockets / SOCKET))
            (sockets / SOCKET).chmod(0o666)
            listening.listen()
            address = lone.runner.address(sockets)
            dial = f"import socket; socket.socket(1).connect('{address.removeprefix('unix:')}')"
            assert await lone.said(f'python -c "{dial}"', sockets=sockets) == ""
            listening.settimeout(0)
            listening.accept()[0].close()
    finally:
        (sockets / SOCKET).unlink()
        sockets.rmdir()


async def test_files_of_its_folder_in_its_command_are_found_there(lone: Cell, folder: Path) -> None:
    script = folder / "run.sh"
    script.write_text("printf '%s ' $0 $*")
    argv = ("/bin/sh", str(script), f"--file={folder}/bot.txt", str(folder), "/other/file", "x=y")
    job = Job(argv, "test", folder=folder, resources=LITTLE)
    process = await BotProcess.start(lone.runner.launch(job), on_exit=lambda _: None)
    await process.ended()
    assert process.stdout.text() == "/bot/run.sh --file=/bot/bot.txt /bot /other/file x=y"


async def test_too_much_memory_ends_it_or_is_refused(cell: Cell) -> None:
    take = "print('up', flush=True); len(b'1' * (400 << 20)); print('had it')"
    process = await cell.start(f'python -c "{take}"')
    async with asyncio.timeout(DEADLINE_SECONDS):
        await process.ended()
    assert process.stdout.text() == "up"
    if "memory" in cell.runner.controllers.parents:
        # Its exit status alone would not say why; the record's sentence stays without it.
        assert process.stderr.last_line() == "it used more than 64 MiB of memory"
        assert "memory" not in process.ending()
    else:
        assert process.stderr.last_line() == "MemoryError"


async def test_who_stayed_within_its_memory_is_told_nothing_of_it(cell: Cell) -> None:
    process = await cell.start("echo oops >&2; kill -KILL $$")
    await process.ended()
    assert process.stderr.text() == "oops"


async def test_too_many_processes_are_refused(cell: Cell) -> None:
    lines = "for n in $(seq 100); do sleep 20 & done; echo all"
    said = await cell.said(lines)
    assert "fork" in said
    assert "all" not in said


async def test_all_that_it_started_ends_with_it(cell: Cell) -> None:
    process = await cell.start("setsid sleep 1234 & (sleep 1235 &) ; echo up; exec sleep 1236")
    await until(lambda: process.stdout.text() == "up")
    await until(lambda: len(descendants(process.pid)) >= 4)  # bwrap, the line, two sleeps
    inner = descendants(process.pid)
    await process.stop()
    await until(lambda: not any(map(is_running, inner)))
    assert groups_of(cell) == []


async def test_all_ends_when_its_program_does(cell: Cell) -> None:
    process = await cell.start("setsid sleep 1234 & echo up; sleep 0.2; exit 3")
    await until(lambda: process.stdout.text() == "up")
    inner = descendants(process.pid)
    async with asyncio.timeout(DEADLINE_SECONDS):
        await process.ended()
    assert process.code == 3
    assert inner
    await until(lambda: not any(map(is_running, inner)))
    assert groups_of(cell) == []


def below(top: Path, path: Path) -> list[Path]:
    """The folders between, which only the tests' own user may enter."""
    return [parent for parent in path.parents if top in parent.parents]


def test_the_superuser_is_not_needed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The job as an arena of an ordinary user starts it; another user's where we are root."""
    monkeypatch.setattr(os, "geteuid", lambda: 65534)
    runner = Bubblewrap(NO_GROUPS, replace(find_toolchains(), paths=()))
    line = "cat bot.txt; echo; id -u; grep -E 'CapEff|Seccomp:' /proc/self/status; unshare -U true"
    launch = runner.launch(Job(("/bin/sh", "-c", line), "t", folder=folder, resources=LITTLE))
    monkeypatch.undo()
    for place in (folder, *below(Path(tempfile.gettempdir()), folder)):
        place.chmod(0o755)
    other: dict[str, Any] = (
        {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    )
    done = subprocess.run(
        launch.argv,
        env=dict(launch.environment),
        pass_fds=launch.descriptors,
        capture_output=True,
        text=True,
        timeout=DEADLINE_SECONDS,
        check=False,
        **other,
    )
    for descriptor in launch.descriptors:
        os.close(descriptor)
    assert done.stdout.split() == ["hearts", "1000", "CapEff:", "0" * 16, "Seccomp:", "2"]
    assert done.stderr.startswith("unshare: ")


def descendants(pid: int) -> list[int]:
    """The processes below one, in any group."""
    found = []
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        found += [int(child), *descendants(int(child))]
    return found


def groups_of(cell: Cell) -> list[Path]:
    """The control groups of the jobs of a test that are still there."""
    if not cell.runner.controllers.parents:
        return []
    return list_groups(f"cell{os.getpid()}-")


def command_line(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text()


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())
