"""`arena serve`: real processes over real TCP, restarted in the middle, drained, refused."""

import asyncio
import contextlib
import os
import select
import signal
import socket
import stat
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.server.organiser import TOKEN_FILE
from arena.standings.figures import rating_text
from arena.store import Store
from arena.v1 import tournament_service_pb2 as pb
from tests.server.serving import (
    ARENA,
    Client,
    Server,
    client_of,
    dialling_in,
    environment,
    serving,
)

TOKENS = {"ann": "a1" * 32, "bob": "b2" * 32}
SETS = 24
LONG = 400


async def fetched(url: str) -> tuple[int, str]:
    """The status and text of a page."""

    def fetch() -> tuple[int, str]:
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    return await asyncio.to_thread(fetch)


# Restarts.


async def begun(folder: Path, bots: Path, stop: signal.Signals) -> str:
    """A tournament of two bots that dial in, stopped in the middle; its name."""
    async with (
        serving(folder, "--tables", "4", "--drain-seconds", "20") as server,
        client_of(server) as client,
    ):
        name = await created(client)
        async with dialling_in(bots, server.address, *TOKENS.values()):
            assert (await client.follow(name, until=2)).sets_done < SETS
            assert await server.stop(stop) == (0 if stop is signal.SIGTERM else -stop)
    return name


async def created(client: Client) -> str:
    for name, token in TOKENS.items():
        await client.register(name, token)
    return await client.create(*TOKENS, sets=SETS)


async def finished(client: Client, bots: Path, name: str) -> str:
    """Everything that came out of a tournament, once it has been played to its end."""
    async with dialling_in(bots, client.server.address, *TOKENS.values()):
        last = await client.follow(name)
    assert (last.state, last.sets_done) == (pb.TOURNAMENT_STATE_FINISHED, SETS)
    board, records = await client.board(name), await client.records(name)
    assert len({record.name for record in records}) == len(records) == SETS
    assert [row.faults.ListFields() for row in board.rows] == [[], []]
    assert list((await client.board("variants/classic")).rows) == list(board.rows)
    status, page = await fetched(client.server.pages)
    assert status == 200
    assert all(f">{rating_text(row.rating)}<" in page for row in board.rows)
    return f"{records}\n{board}"


@pytest.mark.timeout(180)
async def test_a_restart_in_the_middle_changes_nothing_in_the_end(tmp_path: Path) -> None:
    async with serving(tmp_path / "whole") as server, client_of(server) as client:
        results = [await finished(client, tmp_path, await created(client))]
    for stop in (signal.SIGTERM, signal.SIGKILL):
        folder = tmp_path / stop.name
        name = await begun(folder, tmp_path, stop)
        async with serving(folder, "--tables", "4") as server, client_of(server) as client:
            assert 2 <= (await client.get(name)).sets_done < SETS
            results.append(await finished(client, tmp_path, name))
    assert results[0] == results[1] == results[2]


@pytest.mark.timeout(120)
async def test_bots_that_stay_where_they_are_play_on_with_the_next_server(tmp_path: Path) -> None:
    address = f"unix:{tmp_path / 's'}"
    again = ("--tables", "4", "--listen", address)
    async with contextlib.AsyncExitStack() as stack:
        server = await stack.enter_async_context(serving(tmp_path / "d", *again))
        client = await stack.enter_async_context(client_of(server))
        name = await created(client)
        bots = await stack.enter_async_context(dialling_in(tmp_path, address, *TOKENS.values()))
        assert (await client.follow(name, until=2)).sets_done < SETS
        assert await server.stop(signal.SIGKILL) == -signal.SIGKILL
        server = await stack.enter_async_context(serving(tmp_path / "d", *again))
        client = await stack.enter_async_context(client_of(server))
        last = await client.follow(name)
        assert (last.state, last.sets_done) == (pb.TOURNAMENT_STATE_FINISHED, SETS)
        rows = (await client.board(name)).rows
        assert [row.faults.ListFields() for row in rows] == [[], []]
        assert [bot.returncode for bot in bots] == [None] * 4


# The end.


async def test_sigterm_lets_running_sets_finish_and_tells_the_bots(tmp_path: Path) -> None:
    async with serving(tmp_path / "d", "--tables", "2") as server, client_of(server) as client:
        for name, token in TOKENS.items():
            await client.register(name, token)
        name = await client.create(*TOKENS, sets=LONG)
        async with dialling_in(tmp_path, server.address, *TOKENS.values()) as bots:
            await client.follow(name, until=1)
            assert await server.stop() == 0
            for bot in bots:
                assert bot.stderr is not None
                said = (await bot.stderr.read()).decode()
                dialled_in, end = said.splitlines()
                assert dialled_in.startswith(f"dialled in at {server.address}: ")
                assert end == "the arena says: the server will stop"
                assert await bot.wait() == 0
    assert "stopping: running sets may take 30 s" in server.said
    with Store.open(tmp_path / "d" / "arena.db") as store:
        (tournament,) = store.tournaments()
        assert tournament.state.value == "suspended"
        results = store.results(tournament=tournament.id)
    assert 1 <= len(results) < LONG
    assert not any(r.faults_first.total + r.faults_second.total for r in results)


async def test_sets_that_take_longer_than_the_bound_are_thrown_away(tmp_path: Path) -> None:
    async with (
        serving(tmp_path / "d", "--drain-seconds", "0") as server,
        client_of(server) as client,
    ):
        name = await client.create("first_legal", "random", sets=LONG)
        await client.follow(name, until=1)
        assert await server.stop() == 0
    with Store.open(tmp_path / "d" / "arena.db") as store:
        (tournament,) = store.tournaments()
        assert tournament.state.value == "suspended"


async def test_a_second_signal_ends_all_at_once(tmp_path: Path) -> None:
    async with serving(tmp_path / "d", "--tables", "2") as server, client_of(server) as client:
        await client.register("ann", TOKENS["ann"])
        await client.create("ann", "random", sets=LONG, name="waits in vain for ann")
        name = await client.create("first_legal", "random", sets=LONG)
        await client.follow(name, until=1)
        assert len(list(dialled_to(server))) == 8
        for pid in dialled_to(server):  # so that its running sets never finish
            os.kill(pid, signal.SIGSTOP)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.stderr is not None
        async with asyncio.timeout(20):
            while b"stopping" not in (line := await server.process.stderr.readline()):
                assert line.startswith(b"info: "), line
        assert await server.stop() == 128 + signal.SIGTERM
    for pid in list(dialled_to(server)):
        await asyncio.to_thread(wait_for_end, pid)
    assert list(dialled_to(server)) == []


def dialled_to(server: Server) -> Iterator[int]:
    """The processes that were told to dial the server's own socket."""
    needle = str(server.folder / "arena.sock").encode()
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            alive = folder.name.isdigit() and (folder / "cmdline").read_bytes()
            if alive and needle in (folder / "environ").read_bytes():
                yield int(folder.name)


def wait_for_end(pid: int) -> None:
    """Wait until a process that is not ours has ended."""
    with contextlib.suppress(ProcessLookupError):
        descriptor = os.pidfd_open(pid)
        try:
            assert select.select([descriptor], [], [], 10)[0], f"{pid} goes on"
        finally:
            os.close(descriptor)


# The schedule.


async def test_absent_bots_hold_up_no_other_tournament(tmp_path: Path) -> None:
    async with serving(tmp_path / "d") as server, client_of(server) as client:
        await client.register("ann", TOKENS["ann"])
        waiting = await client.create("ann", "random", sets=1, name="waits")
        name = await client.create("first_legal", "random", sets=2)
        assert (await client.follow(name)).state == pb.TOURNAMENT_STATE_FINISHED
        absent = await client.get(waiting)
        assert (absent.sets_done, absent.note) == (0, "waits for ann to dial in")
        cancel = pb.CancelTournamentRequest(name=waiting)
        await client.tournaments.CancelTournament(cancel, metadata=server.organiser)
        assert (await client.follow(waiting)).state == pb.TOURNAMENT_STATE_CANCELLED


async def test_a_tournament_is_cancelled_in_the_middle(tmp_path: Path) -> None:
    async with serving(tmp_path / "d") as server, client_of(server) as client:
        name = await client.create("first_legal", "random", sets=LONG)
        done = (await client.follow(name, until=1)).sets_done
        cancel = pb.CancelTournamentRequest(name=name)
        await client.tournaments.CancelTournament(cancel, metadata=server.organiser)
        over = await client.get(name)
        assert over.state == pb.TOURNAMENT_STATE_CANCELLED
        assert done <= over.sets_done == len(await client.records(name)) < LONG
        assert over.seed
        again = await client.create("first_legal", "random", sets=1, name="the next")
        assert (await client.follow(again)).state == pb.TOURNAMENT_STATE_FINISHED


async def test_what_a_command_writes_into_the_folder_is_played_too(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text('name = "cup"\nbots = ["random", "first_legal"]\nsets = 1\n')
    async with serving(tmp_path / "d") as server, client_of(server) as client:
        code, said = await ran("tournament", "create", str(file), "--data", str(server.folder))
        assert code == 0, said
        assert (await client.follow("tournaments/1")).state == pb.TOURNAMENT_STATE_FINISHED


# The start.


async def ran(*arguments: str) -> tuple[int, str]:
    """The exit status of a command and what it said of errors."""
    process = await asyncio.create_subprocess_exec(
        *ARENA,
        *arguments,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env=environment(),
    )
    _, said = await process.communicate()
    assert process.returncode is not None
    return process.returncode, said.decode()


async def refused(folder: Path, *options: str, code: int = 1) -> str:
    """The one sentence with which a server refuses to start."""
    arguments = ("serve", "--data", str(folder), "--http", "none", "--listen", "127.0.0.1:0")
    status, said = await ran(*arguments, *options)
    assert status == code
    assert said.startswith("error: ")
    assert said.count("\n") == 1
    return said.removeprefix("error: ").strip()


async def test_a_new_data_folder_is_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    async with serving(folder) as server:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        for name in (TOKEN_FILE, "arena.db"):
            assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
        first = server.organiser
        status, text = await fetched(f"{server.pages}healthz")
        assert (status, text) == (200, '{"alive":true,"ready":true,"reasons":[]}')
        assert await server.stop() == 0
    async with serving(folder, "--http", "none") as server:
        assert server.organiser == first
        assert "pages" not in server.said
        said = await refused(folder)
        assert "is in use by process" in said
        assert str(server.process.pid) in said


@pytest.mark.parametrize("option", ["--listen", "--http"])
async def test_an_address_in_use_is_refused(tmp_path: Path, option: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        said = await refused(tmp_path / "d", option, address)
    assert said.startswith(f"{address} cannot be listened on: ")


@pytest.mark.parametrize("option", ["--listen", "--http"])
@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0", "10.1.2.3:1", "example.com:80"])
async def test_an_address_that_others_reach_is_refused(
    tmp_path: Path, option: str, address: str
) -> None:
    said = await refused(tmp_path / "d", option, address)
    assert said.startswith(f"{address} can be reached from other machines")
    assert "--insecure-public" in said


async def test_such_an_address_is_taken_when_it_is_meant(tmp_path: Path) -> None:
    options = ("--listen", "0.0.0.0:0", "--insecure-public")
    async with serving(tmp_path / "d", *options) as server:
        assert "bots    0.0.0.0:" in server.said


@pytest.mark.parametrize("option", ["--listen", "--http"])
@pytest.mark.parametrize("address", ["localhost", "127.0.0.1:x", "127.0.0.1:99999", "::1:80"])
async def test_an_address_that_is_none_is_refused(
    tmp_path: Path, option: str, address: str
) -> None:
    said = await refused(tmp_path / "d", option, address, "--insecure-public", code=2)
    assert said.startswith(f"{address!r} is no address")


@pytest.mark.parametrize(
    ("text", "mode", "words"),
    [
        pytest.param("ab" * 32, 0o644, "can be read by others: chmod 600", id="others read it"),
        pytest.param("", 0o600, "holds no token: remove it", id="it is empty"),
        pytest.param("ä" * 40, 0o600, "holds no token: remove it", id="it is no ASCII"),
    ],
)
async def test_a_token_file_that_is_none_is_refused(
    tmp_path: Path, text: str, mode: int, words: str
) -> None:
    path = tmp_path / TOKEN_FILE
    path.write_text(text)
    path.chmod(mode)
    said = await refused(tmp_path)
    assert str(path) in said
    assert words in said


async def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = await refused(tmp_path / "file" / "data")
    assert said.startswith(f"the data folder {tmp_path / 'file' / 'data'} cannot be made")
