"""Memory of a server with 1,000 idle sessions, each on a connection of its own.

Prints one JSON object: sessions, kilobytes (private memory that the sessions added).
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import resource
from pathlib import Path

import grpc
from wire_processes import peers

from arena.ids import VersionId
from arena.server.admission import Admission, Chair, Lane, Place, new_token, token_hash
from arena.server.app import running_arena
from arena.v1 import referee_pb2, referee_pb2_grpc


def private_kilobytes() -> int:
    """Memory of this process that it shares with no other."""
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))


async def measure(sessions: int) -> dict[str, int]:
    """Let ``sessions`` dial in, and weigh them."""
    async with running_arena("127.0.0.1:0", tables=1) as arena:
        tokens = []
        places = []
        for number in range(sessions):
            place = Place(VersionId(number), Chair.FIRST, Lane.A)
            token = new_token()
            admission = Admission(
                place.version, f"idle{number}", "1", chair=place.chair, lane=place.lane
            )
            arena.lobby.tokens.add(token_hash(token), admission)
            tokens.append(token)
            places.append(place)
        gc.collect()
        before = private_kilobytes()
        async with peers("wire_idle.py", [["--client", arena.addresses[0], *tokens]]):
            for place in places:
                found = await arena.lobby.wait_for(place, 60.0)
                assert found is not None, "an idle session did not come"
            gc.collect()
            after = private_kilobytes()
    return {"sessions": sessions, "kilobytes": after - before}


async def dial(address: str, tokens: list[str]) -> None:
    """Hold one session a token, each with a connection of its own."""

    async def hold(number: int, token: str) -> None:
        options = [("grpc.use_local_subchannel_pool", 1), ("bench.number", number)]
        async with grpc.aio.insecure_channel(address, options=options) as channel:
            call = referee_pb2_grpc.RefereeServiceStub(channel).Play()
            hello = referee_pb2.Hello(token=token, protocol_version=1)
            await call.write(referee_pb2.PlayRequest(hello=hello))
            while await call.read() is not grpc.aio.EOF:
                pass

    await asyncio.gather(*(hold(number, token) for number, token in enumerate(tokens)))


def main() -> None:
    """Server or client, as the arguments say."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 8192), hard), hard))
    parser = argparse.ArgumentParser()
    parser.add_argument("--client", default="")
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("tokens", nargs="*")
    given = parser.parse_args()
    if given.client:
        asyncio.run(dial(given.client, given.tokens))
    else:
        print(json.dumps(asyncio.run(measure(given.sessions))))


if __name__ == "__main__":
    main()
