"""A bot's folder is submitted over gRPC as the command does it: who, what, and what was heard."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from arena.hosting.archive import pack
from arena.hosting.folder import files_of
from arena.hosting.trial import StepResult, Trial
from arena.server.admission import token_hash
from arena.store import Role
from arena.v1 import bot_service_pb2 as pb
from arena.v1 import bot_service_pb2_grpc
from tests.server.services.callers import Metadata, showing
from tests.server.services.house import House, passes

ANN, BOB = showing("ann's token"), showing("bob's token")

MANIFEST = """\
name = "tutor"
language = "sh"
build = [["sh", "-c", "echo compiling; cp main.sh bot; chmod +x bot"]]
run = ["./bot"]
"""


@dataclass(frozen=True, slots=True)
class Sent:
    """A call of SubmitBot."""

    archive: bytes
    name: str = "tutor"
    request: str = "r1"
    chunk: int = 32 * 1024
    size: int | None = None
    sha256: str | None = None

    def pieces(self) -> Iterator[pb.SubmitBotRequest]:
        yield pb.SubmitBotRequest(
            header=pb.SubmitBotHeader(
                request_id=self.request,
                display_name=self.name,
                size=len(self.archive) if self.size is None else self.size,
                sha256=self.sha256 or hashlib.sha256(self.archive).hexdigest(),
            )
        )
        for start in range(0, len(self.archive), self.chunk):
            yield pb.SubmitBotRequest(chunk=self.archive[start : start + self.chunk])


@dataclass(frozen=True, slots=True)
class Wrong(Sent):
    """A call with other pieces than there should be."""

    archive: bytes = b""
    others: tuple[pb.SubmitBotRequest, ...] = ()

    def pieces(self) -> Iterator[pb.SubmitBotRequest]:
        yield from self.others


@dataclass(slots=True)
class Gate:
    """A check that waits to be let go on."""

    reached: asyncio.Event = field(default_factory=asyncio.Event)
    go: asyncio.Event = field(default_factory=asyncio.Event)
    tried: list[Path] = field(default_factory=list)

    async def __call__(self, trial: Trial, told: Callable[[StepResult], None]) -> None:
        self.tried.append(trial.folder)
        self.reached.set()
        await self.go.wait()
        await passes(trial, told)


async def people(house: House) -> None:
    """The authors ann and bob, and the onlooker olga."""
    for name in ("ann", "bob"):
        house.store.make_token(name, Role.AUTHOR, token_hash(f"{name}'s token"))
    house.store.make_token("olga", Role.ONLOOKER, token_hash("olga's token"))
    await house.registry.take_in()


def packed(folder: Path) -> Sent:
    return Sent(pack(folder, files_of(folder)))


async def submit(house: House, sent: Sent, metadata: Metadata = ANN) -> list[pb.SubmitBotResponse]:
    """Submit as the command does; all that was heard.

    The asynchronous client of grpc would tell of an error of its own where it is refused while it
    still writes.
    """
    address = house.arena.addresses[0]

    def call() -> list[pb.SubmitBotResponse]:
        with grpc.insecure_channel(address) as channel:
            stub = bot_service_pb2_grpc.BotServiceStub(channel)
            try:
                return list(stub.SubmitBot(sent.pieces(), metadata=metadata, timeout=60))
            except grpc.RpcError as error:
                nothing = grpc.aio.Metadata()
                raise grpc.aio.AioRpcError(
                    error.code(), nothing, nothing, error.details()
                ) from error

    # Not in the threads of the loop, which the arena works in.
    with ThreadPoolExecutor(1) as threads:
        return await asyncio.get_running_loop().run_in_executor(threads, call)


def kinds(responses: Sequence[pb.SubmitBotResponse]) -> list[str]:
    """What was heard, several messages of lines as one."""
    found = (str(response.WhichOneof("progress")) for response in responses)
    return [kind for kind, _ in itertools.groupby(found)]


def said(responses: Sequence[pb.SubmitBotResponse]) -> list[str]:
    return [line for response in responses for line in response.lines.lines]
