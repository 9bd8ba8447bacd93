"""A bench bot: random legal play through the SDK, several sessions in one process.

Usage: wire_bot.py ADDRESS TOKEN...   (one session a token)
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

from arena.rules import Action
from arena.sdk import Bot
from arena.sdk.client import Client
from arena.sdk.options import read_options
from arena.sdk.view import View


class RandomBot(Bot):
    """Uniformly random."""

    def act(self, view: View, legal: Sequence[Action]) -> Action:
        """One of them."""
        return legal[int(self.rng.random() * len(legal))]


async def main(address: str, tokens: list[str]) -> None:
    """Play one session a token until the arena says goodbye."""
    clients = []
    for token in tokens:
        options = read_options(
            ["--address", address, "--token", token],
            {},
            name="bench",
            version="1",
            tables=1024,
        )
        clients.append(Client(RandomBot, options, say=lambda _: None))
    await asyncio.gather(*(client.play() for client in clients))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2:]))
