"""A program as a bot: started, bridged to the arena, ended with the session."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from arena.bridge.child import Child
from arena.bridge.relay import Manner, Relay
from arena.hosting.strays import sweeping
from arena.sdk.client import Connection
from arena.sdk.options import Options
from arena.sdk.program import FAILED, carry, say

# What the bridge needs and a program does not.
_SECRET: Final = frozenset(
    {"ARENA_ADDR", "ARENA_TOKEN", "ARENA_TLS_CA", "ARENA_TLS_CERT", "ARENA_TLS_KEY"}
)


async def play(argv: Sequence[str], name: str, options: Options, manner: Manner) -> int:
    """Play one session with a program; the exit code, as that of any bot.

    Args:
        argv: the program and its arguments.
        name: what sentences call it.
        options: of the session.
        manner: how the program wants to be told.
    """
    child = Child(argv, name=name)

    def open_relay(*, ready: Callable[[], None], fail: Callable[[BaseException], None]) -> Relay:
        return Relay(child, manner, say=say, ready=ready, fail=fail, leave=lambda: leave())

    connection = Connection(open_relay, options, say=say)
    leave = connection.leave
    try:
        await child.start(environment_of(os.environ))
    except OSError as error:
        say(f"{name} cannot be started: {error.strerror}")
        return FAILED
    try:
        async with sweeping():
            return await carry(connection)
    finally:
        await child.end()


def environment_of(variables: Mapping[str, str]) -> dict[str, str]:
    """The environment of the program: that of the bridge without its secrets."""
    return {name: value for name, value in variables.items() if name not in _SECRET}
