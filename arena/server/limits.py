"""What one caller may take of a server, so that nobody can take all of it.

Nothing here stands in the way of play: an answer on a stream is never counted.
"""

from __future__ import annotations

import ipaddress
import math
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from arena.referee.clock import Clock, Micros

LOCAL: Final = "unix"
"""The peer of every Unix socket: only this machine's own user can open it, or whom the organiser
gave the folder of one that `--listen` names."""

_SECOND: Final = 1_000_000
_MOST_KEYS: Final = 10_000
_NETWORK_GROUPS: Final = 4
"""Groups of an IPv6 address that name a network: one caller has all of its addresses."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How often: so many a second, and so many at once after a quiet time."""

    per_second: float
    burst: int


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server.

    Attributes:
        sessions: of bots that dial in, in all.
        hosted: room for streams of the bots that the arena starts: it knows itself how many.
        waiting: streams that have not said Hello yet, in all.
        waiting_of_peer: the same from one address; a Unix socket counts for none.
        calls: unary calls and watches that run at once.
        streams: submissions that are sent or followed, in all.
        streams_of_caller: the same of one token.
        connections: to each address.
        hellos: that one token may say, resumes included.
        strangers: Hellos with unknown tokens from one address.
        asking: calls, but for Play, of one token, or of one address without one.
    """

    sessions: int = 4096
    hosted: int = 4096
    waiting: int = 1024
    waiting_of_peer: int = 256
    calls: int = 512
    streams: int = 128
    streams_of_caller: int = 8
    connections: int = 8192
    hellos: Rate = Rate(20, 200)
    strangers: Rate = Rate(5, 50)
    asking: Rate = Rate(100, 400)

    @property
    def at_once(self) -> int:
        """RPCs of all kinds that may be open; what is above is refused before it is looked at."""
        return self.sessions + self.hosted + self.waiting + self.calls + self.streams


class Allowance:
    """A token bucket, kept as one instant: when it will be full again."""

    __slots__ = ("_depth", "_each", "_full_at")

    def __init__(self, rate: Rate) -> None:
        self._each = _SECOND / rate.per_second
        self._depth = self._each * rate.burst
        self._full_at = 0.0

    def take(self, now: Micros) -> Micros:
        """Take one; 0 where that went well, else how long to wait before there is one again."""
        full_at = max(float(now), self._full_at) + self._each
        missing = full_at - now - self._depth
        if missing > 0:
            return math.ceil(missing)
        self._full_at = full_at
        return 0


class Buckets:
    """An allowance for each key, on the server's clock.

    The keys that were not asked for the longest are forgotten, so there are never more than so
    many.
    """

    def __init__(self, clock: Clock, rate: Rate) -> None:
        self._clock = clock
        self._rate = rate
        self._of: OrderedDict[str, Allowance] = OrderedDict()

    def take(self, key: str) -> Micros:
        """Take one; 0 where that went well, else how long to wait before there is one again."""
        allowance = self._of.get(key) or Allowance(self._rate)
        wait = allowance.take(self._clock.now())
        if not wait:
            self._of[key] = allowance
            self._of.move_to_end(key)
            if len(self._of) > _MOST_KEYS:
                self._of.popitem(last=False)
        return wait


def peer_of(text: str) -> str:
    """Who is at the other end, from what gRPC calls the peer: an address without its port.

    Of an IPv6 address only the network counts.
    """
    kind, _, rest = text.partition(":")
    if kind not in ("ipv4", "ipv6"):
        return LOCAL
    host = unquote(rest).rpartition(":")[0].removeprefix("[").removesuffix("]")
    return host if kind == "ipv4" else _network(host)


def _network(host: str) -> str:
    try:
        address = ipaddress.IPv6Address(host.partition("%")[0])
    except ValueError:
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return ":".join(address.exploded.split(":")[:_NETWORK_GROUPS])
