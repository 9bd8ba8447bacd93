"""A bare gRPC echo: bytes out, bytes back, no protobuf, no rules; the floor of the comparison.

Modes: ``free``: every stream plays ping-pong on its own; ``ring``: one token goes round all
streams, as the turn goes round a table.  As a client (``--client``) it echoes ``--up`` bytes.

Prints one JSON object: messages, seconds, server_us and clients_us (CPU a message).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time

import grpc
from wire_processes import cpu_us, peers

METHOD = "/bench.Echo/Play"


class Server:
    """Sends ``down`` bytes on each stream and waits for what comes back."""

    def __init__(self, streams: int, down: int, *, ring: bool) -> None:
        self.messages = 0
        self.full = asyncio.Event()
        self._payload = b"x" * down
        self._streams = streams
        self._ring = ring
        self._turns: list[asyncio.Event] = []

    async def play(self, _requests: object, context: grpc.aio.ServicerContext) -> None:
        """One stream."""
        await context.send_initial_metadata(())
        turn = asyncio.Event()
        index = len(self._turns)
        self._turns.append(turn)
        if len(self._turns) == self._streams:
            self.full.set()
            self._turns[0].set()
        await self.full.wait()
        while True:
            if self._ring:
                await turn.wait()
                turn.clear()
            await context.write(self._payload)
            if await context.read() is grpc.aio.EOF:
                return
            self.messages += 1
            if self._ring:
                self._turns[(index + 1) % self._streams].set()


async def serve(given: argparse.Namespace) -> dict[str, float]:
    """Run the server and its clients, and measure."""
    echo = Server(given.streams, given.down, ring=given.mode == "ring")
    server = grpc.aio.server()
    handler = grpc.stream_stream_rpc_method_handler(echo.play)
    handlers = grpc.method_handlers_generic_handler("bench.Echo", {"Play": handler})
    server.add_generic_rpc_handlers((handlers,))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    each = given.streams // given.processes
    arguments = ["--client", f"127.0.0.1:{port}", "--streams", str(each), "--up", str(given.up)]
    async with peers("wire_echo.py", [arguments] * given.processes) as clients:
        await echo.full.wait()
        await asyncio.sleep(given.warm)
        pids = [client.pid for client in clients]
        messages, clients_us = echo.messages, sum(map(cpu_us, pids))
        cpu, wall = time.process_time(), time.perf_counter()
        await asyncio.sleep(given.seconds)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        messages = echo.messages - messages
        clients_us = sum(map(cpu_us, pids)) - clients_us
    await server.stop(None)
    return {
        "messages": messages,
        "seconds": wall,
        "server_us": cpu * 1e6 / messages,
        "clients_us": clients_us / messages,
    }


async def answer(address: str, streams: int, up: int) -> None:
    """Echo on a number of streams, each with a connection of its own."""
    payload = b"y" * up

    async def stream(number: int) -> None:
        options = [("grpc.use_local_subchannel_pool", 1), ("bench.number", number)]
        async with grpc.aio.insecure_channel(address, options=options) as channel:
            call = channel.stream_stream(METHOD)()
            while await call.read() is not grpc.aio.EOF:
                await call.write(payload)

    await asyncio.gather(*(stream(number) for number in range(streams)))


def main() -> None:
    """Server or client, as the arguments say."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--client", default="")
    parser.add_argument("--mode", choices=("free", "ring"), default="free")
    parser.add_argument("--streams", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--down", type=int, default=230)
    parser.add_argument("--up", type=int, default=14)
    parser.add_argument("--warm", type=float, default=0.5)
    parser.add_argument("--seconds", type=float, default=2.0)
    given = parser.parse_args()
    if given.client:
        asyncio.run(answer(given.client, given.streams, given.up))
    else:
        print(json.dumps(asyncio.run(serve(given))))


if __name__ == "__main__":
    main()
