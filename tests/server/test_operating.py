"""What an operator sees of a served tournament: lines without secrets, true figures, health."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from arena.rules.record import Mover
from arena.server.vitals import LIVENESS
from arena.store import Store
from arena.v1 import referee_pb2
from arena.v1 import tournament_service_pb2 as pb
from arena.wire.record_files import read_record
from tests.hosting.bots import DEADLINE_SECONDS
from tests.server import client as stream
from tests.server.serving import ARENA, SEED, Client, Server, client_of, environment
from tests.server.test_metrics import Figures, figures
from tests.server.test_serve import TOKENS, fetched, ran

CARD = re.compile(r"(?<![\w.:-])(?:9|10|[TJQKA])[CDHS]\b")
ANYWHERE = ("--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--metrics", "127.0.0.1:0")


@dataclass
class Watched:
    """A server that tells its events as JSON, and what it has said so far."""

    server: Server
    first: dict[str, Any]
    said: list[str]
    hearing: asyncio.Task[None]

    @property
    def metrics(self) -> str:
        """Where its metrics are."""
        return str(self.first["metrics"])

    async def figures(self) -> Figures:
        """What a scrape finds."""
        status, text = await fetched(self.metrics)
        assert status == 200
        return figures(text)

    async def health(self, page: str) -> tuple[int, dict[str, Any]]:
        """Status and answer of a page for supervisors, which both servers of pages have."""
        here = await fetched(self.metrics.replace("metrics", page))
        assert await fetched(f"{self.first['pages']}{page}") == here
        return here[0], json.loads(here[1])

    async def ended(self) -> int:
        """Its exit status, once it has ended and all is heard."""
        await self.hearing
        return await self.server.process.wait()

    def events(self) -> list[dict[str, Any]]:
        """All that was said; every line is one event."""
        return [json.loads(line) for line in self.said]


@contextlib.asynccontextmanager
async def watched(folder: Path) -> AsyncIterator[Watched]:
    """A server over a data folder that tells everything."""
    options = ("--log-format", "json", "--log-level", "debug")
    process = await asyncio.create_subprocess_exec(
        *(*ARENA, "serve", "--data", str(folder), *ANYWHERE, *options),
        stderr=asyncio.subprocess.PIPE,
        env=environment(),
    )
    said: list[str] = []

    async def hear() -> None:
        assert process.stderr is not None
        said.extend([line.decode() async for line in process.stderr])

    assert process.stderr is not None
    try:
        said.append((await process.stderr.readline()).decode())
        first = json.loads(said[0])
        server = Server(process, folder, f"bots    {first['bots']}\n")
        yield Watched(server, first, said, asyncio.create_task(hear()))
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@contextlib.asynccontextmanager
async def dialled_in(address: str) -> AsyncIterator[list[stream.Client]]:
    """Both bots, a stream for each chair."""
    clients = []
    for token in TOKENS.values():
        for chair in (referee_pb2.CHAIR_FIRST, referee_pb2.CHAIR_SECOND):
            one = stream.Client(address)
            clients.append(one)
            await one.hello(token, chair=chair, tables=8)
    yield clients
    for one in clients:
        await one.hang_up()


async def registered(client: Client) -> None:
    for name, token in TOKENS.items():
        await client.register(name, token)


_LEAKY = """
import os, sys
from arena.sdk import Bot, run

class Leaky(Bot):
    def act(self, view, legal):
        with open("tokens", "a") as tokens:
            print(os.environ["ARENA_TOKEN"], file=tokens)
        os.write(2, os.environ["ARENA_TOKEN"].encode())
        os._exit(1)

os.chdir(os.path.dirname(os.path.abspath(__file__)))
run(Leaky)
"""


async def leaky_tournament(folder: Path, data: Path) -> Path:
    """A tournament of a bot that ends when it is asked, its token its last words; the tokens."""
    (folder / "leaky.py").write_text(_LEAKY)
    file = folder / "leaky.toml"
    file.write_text(
        'name = "leaky"\nsets = 1\n'
        f'bots = ["random", {{name = "leaky", command = "{sys.executable} leaky.py"}}]\n'
    )
    code, said = await ran("tournament", "create", str(file), "--data", str(data))
    assert code == 0, said
    return folder / "tokens"


@pytest.mark.timeout(120)
async def test_a_tournament_is_told_without_secrets_and_its_figures_are_those_of_the_journal(
    tmp_path: Path,
) -> None:
    data = tmp_path / "d"
    async with watched(data) as arena, client_of(arena.server) as client:
        await registered(client)
        async with dialled_in(arena.server.address) as bots:
            playing = [asyncio.create_task(bot.play()) for bot in bots]
            cup = await client.create(*TOKENS, sets=2)
            assert (await client.follow(cup)).state == pb.TOURNAMENT_STATE_FINISHED
            early = await arena.figures()
            tokens = await leaky_tournament(tmp_path, data)
            assert (await client.follow("tournaments/2")).sets_done == 1
            found = await arena.figures()
            secrets = [bot.welcome.session_token for bot in bots]
            secrets += [arena.server.organiser[0][1].removeprefix("Bearer "), SEED]
            arena.server.process.send_signal(signal.SIGTERM)
            assert await arena.ended() == 0
            await asyncio.gather(*playing)
    secrets += [*TOKENS.values(), *tokens.read_text().split()]
    with Store.open(data / "arena.db") as store:
        check_decisions(store, early)
        check_figures(store, found)
        secrets += [store.seed(one.id).hex() for one in store.tournaments()]
    assert len(secrets) > 10
    assert min(map(len, secrets)) >= 32
    text = "".join(arena.said)
    assert [secret for secret in secrets if secret in text] == []
    assert "[hidden]" not in text, "nothing had to be hidden: it was not there"
    assert CARD.findall(text) == []
    check_events(arena.events())


def check_decisions(store: Store, found: Figures) -> None:
    """Every move of a bot in the first tournament was a decision and its answer."""
    first = store.tournaments()[0].id
    halves = [half for _, data in store.records(first) for half in read_record(data).halves]
    moves = [move for half in halves for hand in half.hands for move in hand.moves]
    asked = sum(move.mover is Mover.BOT for move in moves)
    assert asked > 100
    for name in ("decisions_total", "answers_total", "decision_latency_seconds_count"):
        assert found[f"arena_{name}",] == asked, name
    times = sum(sum(hand.times_us) for half in halves for hand in half.hands)
    assert found["arena_decision_latency_seconds_sum",] == pytest.approx(times / 1e6)
    rejected = [value for key, value in found.items() if key[0] == "arena_rejected_answers_total"]
    assert set(rejected) == {0}
    assert 1 <= found["arena_messages_total",] < asked * 2


def check_figures(store: Store, found: Figures) -> None:
    """The figures of a scrape are those of the journal."""
    endings: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    sets = 0
    for tournament in store.tournaments():
        for _, data in store.records(tournament.id):
            sets += 1
            for half in read_record(data).halves:
                endings[half.ending.kind.value] += 1
                for seat in half.seats:
                    faults.update(seat.faults._asdict())
    assert found["arena_sets_finished_total",] == sets == 3
    assert found["arena_sets_running",] == found["arena_sets_waiting",] == 0
    assert endings == {"completed": 4, "crash": 1, "stopped": 1}
    assert faults["crash"] == 1
    for name, counted in (("arena_games_total", endings), ("arena_faults_total", faults)):
        shown = {key[1]: value for key, value in found.items() if key[0] == name}
        assert {key: value for key, value in shown.items() if value} == +counted
    assert found["arena_ready",] == 1
    assert found["arena_sessions", "connected"] >= len(TOKENS) * 2
    assert found["arena_tournaments", "finished"] == 2


def check_events(events: list[dict[str, Any]]) -> None:
    """What happened is told, and nothing that went wrong."""
    assert {"time", "level", "event", "text", "logger"} <= set.intersection(*map(set, events))
    assert {event["level"] for event in events} == {"debug", "info"}
    names = Counter(event["event"] for event in events)
    assert names["set_begun"] == names["set_finished"] == 3
    assert names["tournament_begun"] == names["tournament_ended"] == 2
    for name in ("serving", "drain_begun", "drain_ended", "stopped", "game_forfeited"):
        assert names[name] == 1
    for name in ("bot_dialled_in", "process_started", "process_ended"):
        assert names[name] >= 3
    (forfeit,) = [event for event in events if event["event"] == "game_forfeited"]
    assert (forfeit["bot"], forfeit["kind"], forfeit["tournament"]) == ("leaky", "crash", 2)
    assert events[-1]["event"] == "stopped"


async def test_a_server_that_drains_is_alive_and_not_ready(tmp_path: Path) -> None:
    async with (
        watched(tmp_path / "d") as arena,
        client_of(arena.server) as client,
        dialling_in_vain(client) as cup,
    ):
        assert await arena.health("livez") == (200, {"alive": True})
        well = {"alive": True, "ready": True, "reasons": []}
        assert await arena.health("readyz") == (200, well)
        assert (await client.get(cup)).state == pb.TOURNAMENT_STATE_RUNNING
        stub: Any = health_pb2_grpc.HealthStub(client.channel)
        ready = stub.Watch(health_pb2.HealthCheckRequest())
        arena.server.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(DEADLINE_SECONDS):
            while (await ready.read()).status == health_pb2.HealthCheckResponse.SERVING:
                pass
        ill = {"alive": True, "ready": False, "reasons": ["draining"]}
        assert await arena.health("readyz") == await arena.health("healthz") == (503, ill)
        assert await arena.health("livez") == (200, {"alive": True})
        alive = await stub.Check(health_pb2.HealthCheckRequest(service=LIVENESS))
        assert alive.status == health_pb2.HealthCheckResponse.SERVING
        found = await arena.figures()
        assert found["arena_draining",] == found["arena_sets_running",] == 1
        assert found["arena_ready",] == 0
        assert found["arena_tables_running",] == 2
        ready.cancel()
        arena.server.process.send_signal(signal.SIGTERM)
        assert await arena.ended() == 128 + signal.SIGTERM


@contextlib.asynccontextmanager
async def dialling_in_vain(client: Client) -> AsyncIterator[str]:
    """Two bots that are asked and never answer; the tournament that waits for them."""
    await registered(client)
    async with dialled_in(client.server.address) as bots:
        cup = await client.create(*TOKENS, sets=1)
        for bot in bots[:1]:
            await bot.until("game_start")
        await asyncio.gather(*(anything(bot) for bot in bots))
        yield cup


async def anything(bot: stream.Client) -> None:
    """Wait until both its games have begun."""
    while sum(item.HasField("game_start") for item in bot.items) < 2:
        await bot.receive()


async def test_metrics_for_others_are_refused_and_no_address_is_told(tmp_path: Path) -> None:
    common = ("serve", "--data", str(tmp_path / "d"), "--listen", "127.0.0.1:0", "--http", "none")
    code, said = await ran(*common, "--metrics", "0.0.0.0:0")
    assert (code, said.count("\n")) == (1, 1)
    assert said.startswith("error: 0.0.0.0:0 can be reached from other machines")
    code, said = await ran(*common, "--metrics", "nowhere")
    assert (code, said.count("\n")) == (2, 1)
    assert "no address for --metrics" in said


def test_the_names_of_grpc_are_as_documented() -> None:
    assert grpc.StatusCode.UNAUTHENTICATED.name == "UNAUTHENTICATED"
    assert LIVENESS == "liveness"
