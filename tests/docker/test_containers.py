"""Bots in containers: what a job sees and may use, how it ends, and a whole match."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from arena.hosting import containment, places
from arena.hosting.build_log import BuildLog
from arena.hosting.building import BuildBounds, Builder, BuildFailed
from arena.hosting.container import OWNER_LABEL, Containers, Engine
from arena.hosting.containment import RunnerError, contain_by_container
from arena.hosting.guard import Guard
from arena.hosting.lodgers import FIRST_USER
from arena.hosting.manifest import Manifest, Wanted
from arena.hosting.process import BotProcess
from arena.hosting.runner import SOCKET, Job, Resources, RunnerKind
from arena.hosting.shelf import Shelf
from arena.hosting.sizes import MEBIBYTE
from arena.hosting.trial import StepResult, Trial
from arena.hosting.workshop import NotMade, Terms, Workshop
from tests.docker.bases import PYTHON, make_python_base
from tests.docker.podman import Podman
from tests.docker.test_arena_image import IMAGE
from tests.hosting.bots import FOREVER, until

pytestmark = [pytest.mark.toolchain("containers"), pytest.mark.timeout(1800)]

LITTLE = Resources(memory_bytes=64 * MEBIBYTE, processes=24, cpus=0.5)
SECONDS = 120.0
ARENA = Path(sys.executable).parent / "arena"


@dataclass
class Cell:
    """Starts jobs in containers, and ends them with the test."""

    runner: Containers
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
        async with asyncio.timeout(SECONDS):
            await process.ended()
        assert process.stderr.text() == ""
        return process.stdout.text()

    def containers(self) -> list[str]:
        """Those that are there, running or not."""
        return self.runner.engine.ask("ps", "--all", "--quiet").split()


@pytest.fixture
def engine(podman: Podman) -> Engine:
    """Podman with the tests' own store, and an image with Python in it."""
    make_python_base(podman)
    return Engine(shutil.which("podman") or "", podman.variables)


@pytest.fixture
async def cell(engine: Engine) -> AsyncIterator[Cell]:
    """Contains jobs, and in the end has left nothing."""
    cell = Cell(Containers(engine, PYTHON))
    async with cell.stack:
        yield cell
    assert cell.containers() == []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bot's folder."""
    bot = tmp_path / "bot"
    bot.mkdir()
    bot.chmod(0o755)
    (bot / "bot.txt").write_text("hearts")
    return bot


@pytest.fixture
def sockets() -> Iterator[Path]:
    """A folder for a socket, whose path is short."""
    with tempfile.TemporaryDirectory(prefix="s-", dir="/tmp") as name:
        Path(name).chmod(0o711)
        yield Path(name)


@pytest.fixture
def dead_owner() -> Iterator[str]:
    """The label of an arena that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
        yield f"{process.pid}-1"


async def test_it_has_no_rights_and_a_user_of_its_own(cell: Cell) -> None:
    said = await cell.said("cat /proc/self/status; id -u")
    lines = dict(line.split(":\t", 1) for line in said.splitlines() if ":\t" in line)
    assert lines["NoNewPrivs"] == "1"
    assert lines["Seccomp"] == "2"
    for which in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(lines[which], 16) == 0, which
    other = await cell.said("id -u")
    assert FIRST_USER <= int(said.splitlines()[-1]) != int(other)


async def test_it_sees_its_own_and_writes_in_memory_alone(
    cell: Cell, folder: Path, tmp_path: Path
) -> None:
    secret = tmp_path / "arena.db"
    secret.write_text("secret")
    said = await cell.said(
        f"cat bot.txt; echo; pwd; cat {secret}; ls /sys/kernel;"
        " for in_ in / /bot /etc /run /var/tmp /dev; do touch $in_/x && echo wrote $in_; done;"
        " echo 1 >$HOME/x && echo 1 >/tmp/x && echo done",
        folder=folder,
    )
    assert said.startswith("hearts\n/bot\n")
    assert said.count("No such file") == 2
    assert "wrote" not in said
    assert said.endswith("done")


async def test_the_first_process_hides_its_memory_and_variables(cell: Cell) -> None:
    line = "stat -c '%t:%T' /proc/1/mem /proc/1/task/1/mem; wc -c </proc/1/environ"
    assert (await cell.said(line)).split() == ["1:3", "1:3", "0"]


async def test_files_of_its_folder_in_its_command_are_found_there(cell: Cell, folder: Path) -> None:
    (folder / "run.py").write_text("import sys; print(*sys.argv)")
    argv = (sys.executable, str(folder / "run.py"), f"--file={folder}/bot.txt", "/other", "x=y")
    job = Job(argv, f"cell{os.getpid()}-files", folder=folder, resources=LITTLE)
    process = await BotProcess.start(cell.runner.launch(job), on_exit=lambda _: None)
    await process.ended()
    assert process.stdout.text() == "/bot/run.py --file=/bot/bot.txt /other x=y"


async def test_its_token_is_on_no_command_line(cell: Cell) -> None:
    process = await cell.start(
        f'echo "$ARENA_TOKEN $HOME"; {FOREVER}', variables={"ARENA_TOKEN": "t0ken", "HOME": "/h"}
    )
    await until(lambda: process.stdout.text() == "t0ken /h")
    line = command_line(process.pid)
    assert b"podman" in line
    assert b"t0ken" not in line


async def test_it_dials_its_socket_and_nothing_else(cell: Cell, sockets: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(sockets / SOCKET))
        (sockets / SOCKET).chmod(0o666)
        listening.listen()
        path = cell.runner.address(sockets).removeprefix("unix:")
        dial = f"import socket; socket.socket(1).connect('{path}')"
        assert await cell.said(f'python3 -c "{dial}"', sockets=sockets) == ""
        listening.settimeout(0)
        listening.accept()[0].close()
    lines = (await cell.said("cat /proc/net/dev")).splitlines()[2:]
    assert [line.split(":")[0].strip() for line in lines] == ["lo"]


async def test_memory_and_processes_are_bounded(cell: Cell) -> None:
    take = "print('up', flush=True); len(b'1' * (400 << 20)); print('had it')"
    process = await cell.start(f'python3 -c "{take}"')
    await process.ended()
    assert process.stdout.text() == "up"
    assert process.stderr.last_line() == "it used more than 64 MiB of memory"
    said = await cell.said("for n in $(seq 100); do sleep 20 & done; echo all")
    assert "fork" in said
    assert "all" not in said


async def test_one_that_builds_writes_its_folder_and_its_home(
    cell: Cell, folder: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    line = "echo made >made && echo kept >$HOME/kept"
    assert await cell.said(line, folder=folder, writable=True, home=home) == ""
    assert (folder / "made").read_text() == "made\n"
    assert (home / "kept").read_text() == "kept\n"
    assert (folder / "made").stat().st_uid == 0


async def test_a_health_check_of_its_image_does_not_run(engine: Engine, podman: Podman) -> None:
    image = "localhost/checked:1"
    given = f"FROM {PYTHON}\nHEALTHCHECK --interval=1s CMD touch /tmp/checked\n"
    podman("build", "--tag", image, "-", given=given)
    cell = Cell(Containers(engine, image))
    async with cell.stack:
        await cell.start(FOREVER)
        await until(lambda: len(cell.containers()) == 1)
        (name,) = cell.containers()
        checked = podman("inspect", "--format", "{{json .Config.Healthcheck}}", name).out
        assert "touch" not in checked


async def test_a_program_that_the_image_has_not_is_named(cell: Cell, tmp_path: Path) -> None:
    async def fails(*words: str) -> str:
        with Shelf(tmp_path).part() as part, contextlib.closing(Guard()) as guard:
            part.source.mkdir()
            manifest = Manifest(part.source, "b", "go", ("./b",), (words,), (), None, Wanted())
            builder = Builder(cell.runner, BuildBounds(), guard)
            with pytest.raises(BuildFailed) as caught:
                await builder.build(manifest, part, f"cell{os.getpid()}-missing", BuildLog())
        return str(caught.value)

    Shelf(tmp_path).open()
    missing = f"the image {PYTHON} has no program"
    assert await fails("go", "build", ".") == f"{missing} 'go', which 'go build .' needs"
    assert await fails("./b") == f"{missing} './b', which './b' needs"
    assert "it ended with status 127" in await fails("sh", "-c", "go build .")


class Untold:
    """Is told how the work goes on."""

    async def building(self) -> None: ...

    async def checking(self) -> None: ...

    def said(self, lines: Sequence[str]) -> None: ...

    def tried(self, result: StepResult) -> None: ...


async def test_a_bot_whose_program_the_image_has_not_is_told_so(cell: Cell, tmp_path: Path) -> None:
    async def fails(_: Trial, told: Callable[[StepResult], None]) -> None:
        told(StepResult(1, 1, "hello", "Says hello.", "failed", "it ended"))

    async def refusal(program: str) -> str:
        with shelf.part() as part:
            part.source.mkdir()
            (part.source / "bot.toml").write_text(
                f'name = "b"\nlanguage = "ruby"\nrun = ["{program}", "-v"]\n'
            )
            with pytest.raises(NotMade) as caught:
                await workshop.make(part, "5" * 64, f"cell{os.getpid()}-made", Untold(), room=2**30)
        return str(caught.value)

    shelf = Shelf(tmp_path)
    shelf.open()
    contained = containment.Containment(cell.runner, LITTLE, "test", "all")
    workshop = Workshop(shelf, contained, Terms(), fails)
    missing = f"the image {PYTHON} has no program 'ruby', which run needs"
    assert await refusal("ruby") == missing
    assert await refusal("python") == "the check failed at step hello: it ended"
    workshop.close()


async def test_its_exit_code_is_the_programs_and_what_it_started_ends(cell: Cell) -> None:
    process = await cell.start("setsid sleep 1234 & echo up; exit 3")
    async with asyncio.timeout(SECONDS):
        await process.ended()
    assert process.code == 3
    assert cell.containers() == []


async def test_it_ends_for_certain_where_its_client_is_killed(cell: Cell) -> None:
    process = await cell.start(f"trap '' TERM; echo up; {FOREVER}")
    await until(lambda: process.stdout.text() == "up")
    assert len(cell.containers()) == 1
    process.kill()
    await process.ended()
    assert cell.containers() == []


def test_what_a_dead_arena_left_is_ended_and_others_are_not(
    engine: Engine, dead_owner: str
) -> None:
    def start(owner: str) -> str:
        words = ("--label", f"{OWNER_LABEL}={owner}", "--network", "none", PYTHON, "sleep", "999")
        return engine.ask("run", "--detach", *words).strip()

    left, living = start(dead_owner), start(places.owner())
    try:
        assert engine.reap() == 1
        assert engine.ask("ps", "--quiet", "--no-trunc").split() == [living]
    finally:
        for one in (left, living):
            assert engine.remove(one)


def command_line(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


# Finding it.


def test_what_can_be_had_is_found_by_trying_it_and_said(engine: Engine) -> None:
    found = contain_by_container("test", LITTLE, (PYTHON,), engine)
    assert found.runner.kind is RunnerKind.CONTAINER
    assert found.bounds == (
        "64 MiB of memory (control group), 24 processes (control group), "
        "0.5 processors (control group)"
    )


def test_an_image_without_a_shell_will_do(engine: Engine, podman: Podman) -> None:
    podman("build", "--tag", "localhost/empty:1", "-", given="FROM scratch\nENV A=b\n")
    assert contain_by_container("test", LITTLE, ("localhost/empty:1",), engine).arena == "test"


def test_what_is_missing_is_named(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RunnerError, match="podman has no image 'nobody/has:1' here"):
        contain_by_container("test", LITTLE, (PYTHON, "nobody/has:1"), engine)
    monkeypatch.setattr(Engine, "unbounded", lambda _: ("memory", "processes"))
    with pytest.raises(RunnerError, match="podman cannot bound memory, processes here"):
        contain_by_container("test", LITTLE, (PYTHON,), engine)
    monkeypatch.setattr(containment, "find_engine", lambda: None)
    with pytest.raises(RunnerError, match="needs podman or docker"):
        contain_by_container("test", LITTLE, (PYTHON,))


def test_an_engine_that_starts_nothing_is_refused(engine: Engine) -> None:
    ruled_out = Resources(memory_bytes=1)
    with pytest.raises(RunnerError, match="container contains nothing here: "):
        contain_by_container("test", ruled_out, (PYTHON,), engine)


def test_a_match_in_containers(images: Podman) -> None:
    match = ("match", "counting", "random", "--sets", "1", "--json")
    where = ("--runner", "container", "--image", IMAGE)
    ended = images.run(ARENA, *match, *where)
    assert json.loads(ended.out)["complete"]
    assert "runner  container, each process with 512 MiB of memory" in ended.err
    assert images("ps", "--all", "--quiet").out == ""


def test_a_match_without_an_image_is_refused(podman: Podman) -> None:
    match = (ARENA, "match", "counting", "random")
    assert "--image NAME" in podman.run(*match, "--runner", "container", code=2).err
    assert "alone" in podman.run(*match, "--image", "x", code=2).err
