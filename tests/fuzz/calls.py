"""Calls of any method with anything, made over a real connection and ended in any way."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, cast

import grpc
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import MethodDescriptor
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from hypothesis import strategies as st

from tests.fuzz.efforts import tried
from tests.fuzz.messages import KNOWN_TEXTS, payloads
from tests.server.services.house import ORGANISER, House

BOUND_SECONDS: Final = 30.0
"""Within this every call must have ended; a generous bound, for a busy machine."""
NEVER: Final = (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN)
OWN: Final = "Internal error from Core"
"""What the client's library says of its own writes into a stream that has ended."""

Metadata = tuple[tuple[str, str | bytes], ...]


class Manner(Enum):
    """How the caller ends a call."""

    WAIT = "says no more and waits"
    CANCEL = "cancels at once"
    CANCEL_LATER = "cancels after a moment"
    HASTE = "has a deadline that is over at once"


@dataclass(frozen=True)
class Call:
    """One call.

    Attributes:
        method: of any service.
        payloads: the messages, of which a method without a request stream takes the first.
        metadata: of the call.
        manner: how it is ended.
    """

    method: MethodDescriptor
    payloads: tuple[bytes, ...]
    metadata: Metadata
    manner: Manner

    def __repr__(self) -> str:
        sent = [payload[:200] for payload in self.payloads]
        return f"{self.method.full_name}({sent}, {self.metadata}, {self.manner.name})"


async def methods_of(house: House) -> list[MethodDescriptor]:
    """All methods of all services that the server says it has."""
    stub: Any = reflection_pb2_grpc.ServerReflectionStub(cast("Any", house.channel))
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    call = stub.ServerReflectionInfo(iter([request]))
    names = []
    async for response in call:
        names = [service.name for service in response.list_services_response.service]
    pool = descriptor_pool.Default()
    services = [pool.FindServiceByName(name) for name in sorted(names)]
    return [method for service in services for method in service.methods]


_values = st.sampled_from(KNOWN_TEXTS[:14]) | st.text(
    st.characters(min_codepoint=32, max_codepoint=126)
)
_pairs: st.SearchStrategy[tuple[str, str | bytes]] = st.one_of(
    st.tuples(st.just("authorization"), st.sampled_from(["", "Bearer", "Bearer x", "bearer x"])),
    st.tuples(st.just("authorization"), _values),
    st.tuples(st.from_regex(r"[a-z][a-z0-9_.]{0,10}", fullmatch=True).map("x-".__add__), _values),
    st.tuples(st.just("x-bin"), st.binary(max_size=30)),
    st.tuples(st.just("x-long"), st.just("y" * 9000)),
)
metadata: st.SearchStrategy[Metadata] = st.one_of(
    st.just(ORGANISER), st.just(ORGANISER), st.lists(_pairs, max_size=3).map(tuple)
)


@st.composite
def calls(draw: st.DrawFn, methods: list[MethodDescriptor]) -> Call:
    """A call of any of these methods."""
    method = draw(st.sampled_from(methods))
    most = 6 if method.client_streaming else 1
    sent = draw(st.lists(payloads(method.input_type), min_size=1, max_size=most))
    manner = draw(st.sampled_from([Manner.WAIT] * 3 + list(Manner)))
    return Call(method, tuple(sent), draw(metadata), manner)


async def made(channel: grpc.aio.Channel, call: Call) -> grpc.StatusCode:
    """Make it; the status with which it ended."""
    tried("calls")
    path = f"/{call.method.containing_service.full_name}/{call.method.name}"
    options: Any = {
        "metadata": call.metadata,
        "timeout": 0.0001 if call.manner is Manner.HASTE else None,
    }
    begun: Any
    async with asyncio.timeout(BOUND_SECONDS):
        if call.method.client_streaming:
            begun = channel.stream_stream(path)(**options)
            await _say(begun, call)
        else:
            streams = call.method.server_streaming
            make: Any = channel.unary_stream(path) if streams else channel.unary_unary(path)
            begun = make(call.payloads[0], **options)
        async with _ending(begun, call):
            await _hear(begun, call)
        status: grpc.StatusCode = await begun.code()
        details = await begun.details()
        name = "broken by the client" if details == OWN else status.name
        tried(f"calls that ended as {name}")
        assert status not in NEVER or details == OWN, f"{status.name} ({details}) for {call}"
        return status


async def _say(begun: Any, call: Call) -> None:
    with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
        for payload in call.payloads:
            await begun.write(payload)
        if call.manner is Manner.WAIT:
            await begun.done_writing()


@contextlib.asynccontextmanager
async def _ending(begun: Any, call: Call) -> AsyncIterator[None]:
    """Cancel the call while the block runs, if its manner is such."""
    loop = asyncio.get_running_loop()
    follows = call.method.name.startswith("Watch")  # and would go on for ever
    if call.manner is Manner.CANCEL:
        begun.cancel()
    elif call.manner is Manner.CANCEL_LATER or follows:
        loop.call_later(0.05, begun.cancel)
    yield


async def _hear(begun: Any, call: Call) -> None:
    with contextlib.suppress(grpc.aio.AioRpcError, asyncio.CancelledError):
        if call.method.server_streaming:
            while await begun.read() is not grpc.aio.EOF:
                pass
        else:
            await begun
