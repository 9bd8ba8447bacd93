"""`arena serve` as a process, and bots that dial in as processes."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import grpc

from arena.v1 import (
    bot_service_pb2,
    bot_service_pb2_grpc,
    leaderboard_service_pb2,
    leaderboard_service_pb2_grpc,
    record_service_pb2,
    record_service_pb2_grpc,
    tournament_service_pb2,
    tournament_service_pb2_grpc,
)

ROOT = Path(__file__).resolve().parents[2]
ARENA = (sys.executable, "-c", "from arena.cli.main import main; main()")
SEED = "c3" * 32

_BOT = """
from arena.sdk import Bot, run

class Steady(Bot):
    def act(self, view, legal):
        return legal[PLACE]

run(Steady)
"""


def environment(**more: str) -> dict[str, str]:
    """What a process of a test sees of this one's environment."""
    return {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8", **more}


@dataclass
class Server:
    """A running `arena serve`.

    Attributes:
        process: the process.
        folder: its data folder.
        said: what it said until it was ready, and after its end all.
    """

    process: asyncio.subprocess.Process
    folder: Path
    said: str

    @property
    def address(self) -> str:
        """Where bots dial in."""
        return self._found(r"bots    (\S+)")

    @property
    def pages(self) -> str:
        """The address of the first page."""
        return self._found(r"pages   (\S+)")

    @property
    def organiser(self) -> tuple[tuple[str, str], ...]:
        """The metadata of an organiser."""
        token = (self.folder / "organiser.token").read_text().strip()
        return (("authorization", f"Bearer {token}"),)

    def _found(self, pattern: str) -> str:
        found = re.search(pattern, self.said)
        assert found is not None, self.said
        return found[1]

    def channel(self) -> grpc.aio.Channel:
        """A channel to it."""
        return grpc.aio.insecure_channel(self.address, options=(("grpc.enable_http_proxy", 0),))

    async def ended(self) -> int:
        """Its exit status, once it has ended."""
        assert self.process.stderr is not None
        self.said += (await self.process.stderr.read()).decode()
        return await self.process.wait()

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send it a signal and wait for its end."""
        self.process.send_signal(number)
        return await self.ended()


@contextlib.asynccontextmanager
async def serving(folder: Path, *options: str) -> AsyncIterator[Server]:
    """A server over a data folder, on ports that are free; killed at the end if it still runs."""
    arguments = ["--data", str(folder), "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"]
    process = await asyncio.create_subprocess_exec(
        *ARENA,
        *("serve", *arguments, *options),
        stderr=asyncio.subprocess.PIPE,
        env=environment(),
    )
    assert process.stderr is not None
    try:
        said = ""
        while "token " not in said and (line := await process.stderr.readline()):
            said += line.decode()
        yield Server(process, folder, said)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@contextlib.asynccontextmanager
async def dialling_in(
    folder: Path, address: str, *tokens: str
) -> AsyncIterator[list[asyncio.subprocess.Process]]:
    """Two processes for each bot, one a chair; ended when the block ends.

    Each bot plays steadily: the first the first legal action, the second the last, and so on.
    """
    async with contextlib.AsyncExitStack() as stack:
        processes = []
        for number, token in enumerate(tokens):
            script = folder / f"steady{number}.py"
            script.write_text(_BOT.replace("PLACE", "0" if number % 2 == 0 else "-1"))
            for chair in ("first", "second"):
                variables = environment(ARENA_ADDR=address, ARENA_TOKEN=token, ARENA_CHAIR=chair)
                bot = _bot_process(script, variables)
                processes.append(await stack.enter_async_context(bot))
        yield processes


@contextlib.asynccontextmanager
async def _bot_process(
    script: Path, variables: dict[str, str]
) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(script), stderr=asyncio.subprocess.PIPE, env=variables
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@dataclass(frozen=True, slots=True)
class Client:
    """The unary services of a server."""

    server: Server
    channel: grpc.aio.Channel

    async def register(self, name: str, token: str) -> str:
        """Register a bot that dials in; the name of its version."""
        request = bot_service_pb2.RegisterBotRequest(
            request_id=f"register {name}", display_name=name, token=token
        )
        stub: bot_service_pb2_grpc.BotServiceAsyncStub
        stub = bot_service_pb2_grpc.BotServiceStub(self.channel)
        response = await stub.RegisterBot(request, metadata=self.server.organiser)
        return response.version

    @property
    def tournaments(self) -> tournament_service_pb2_grpc.TournamentServiceAsyncStub:
        """The service of tournaments."""
        return tournament_service_pb2_grpc.TournamentServiceStub(self.channel)

    async def create(self, *bots: str, sets: int, name: str = "cup") -> str:
        """Create a tournament of registered or sample bots; its resource name."""
        request = tournament_service_pb2.CreateTournamentRequest(
            request_id=f"create {name}",
            display_name=name,
            entrants=[tournament_service_pb2.TournamentEntrant(bot=bot) for bot in bots],
            settings=tournament_service_pb2.TournamentSettings(sets=sets),
            seed=SEED,
        )
        made = await self.tournaments.CreateTournament(request, metadata=self.server.organiser)
        return made.tournament.name

    async def follow(
        self, name: str, until: int | None = None
    ) -> tournament_service_pb2.WatchTournamentResponse:
        """How a tournament stands once so many sets are done, or once it is over."""
        request = tournament_service_pb2.WatchTournamentRequest(name=name)
        last = tournament_service_pb2.WatchTournamentResponse()
        async for progress in self.tournaments.WatchTournament(request):
            last = progress
            if until is not None and progress.sets_done >= until:
                break
        return last

    async def get(self, name: str) -> tournament_service_pb2.Tournament:
        """A tournament."""
        request = tournament_service_pb2.GetTournamentRequest(name=name)
        return (await self.tournaments.GetTournament(request)).tournament

    async def board(self, name: str) -> leaderboard_service_pb2.GetLeaderboardResponse:
        """A leaderboard."""
        stub: leaderboard_service_pb2_grpc.LeaderboardServiceAsyncStub
        stub = leaderboard_service_pb2_grpc.LeaderboardServiceStub(self.channel)
        request = leaderboard_service_pb2.GetLeaderboardRequest(name=f"{name}/leaderboard")
        return await stub.GetLeaderboard(request)

    async def records(self, name: str) -> list[record_service_pb2.RecordSummary]:
        """All finished sets of a tournament in short."""
        stub: record_service_pb2_grpc.RecordServiceAsyncStub
        stub = record_service_pb2_grpc.RecordServiceStub(self.channel)
        request = record_service_pb2.ListRecordsRequest(parent=name, page_size=1000)
        return list((await stub.ListRecords(request)).records)


@contextlib.asynccontextmanager
async def client_of(server: Server) -> AsyncIterator[Client]:
    """A client of a server."""
    async with server.channel() as channel:
        yield Client(server, channel)
