"""How many calls and streams run, and how often one caller may call."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from typing import Final

from arena.referee.clock import Clock
from arena.server.admission import Tokens
from arena.server.limits import LOCAL, Buckets, Limits, peer_of
from arena.server.services.access import Context, shown_token
from arena.server.services.errors import too_much

_STREAM_RETRY_MS: Final = 10_000


class Turnstile:
    """Counts the calls of each caller: of a known token, else of an address.

    Args:
        tokens: those that are known.
        clock: the server's.
        limits: how many.
    """

    def __init__(self, tokens: Tokens, clock: Clock, limits: Limits) -> None:
        self._tokens = tokens
        self._limits = limits
        self._running = 0
        self._streams: Counter[str] = Counter()
        self._buckets = Buckets(clock, limits.asking)

    @contextlib.contextmanager
    def passing(self, context: Context) -> Iterator[None]:
        """Have a call run, while the block does.

        Raises:
            CallError: too many do, or the caller has called too often.
        """
        most = self._limits.calls
        if self._running >= most:
            raise too_much(f"{most} calls run, as many as the arena takes", retry_ms=1000)
        self._ask(self._caller(context))
        self._running += 1
        try:
            yield
        finally:
            self._running -= 1

    @contextlib.contextmanager
    def streaming(self, context: Context) -> Iterator[None]:
        """Have a stream run, while the block does.

        Raises:
            CallError: too many do, of the caller or of all, or it has called too often.
        """
        caller, limits = self._caller(context), self._limits
        if self._streams[caller] >= limits.streams_of_caller:
            most = f"{limits.streams_of_caller} of your streams are open"
            raise too_much(f"{most}, as many as one caller may have", retry_ms=_STREAM_RETRY_MS)
        if self._streams.total() >= limits.streams:
            most = f"{limits.streams} streams are open"
            raise too_much(f"{most}, as many as the arena takes", retry_ms=_STREAM_RETRY_MS)
        self._ask(caller)
        self._streams[caller] += 1
        try:
            yield
        finally:
            self._streams[caller] -= 1
            if not self._streams[caller]:
                del self._streams[caller]

    def _ask(self, caller: str) -> None:
        wait = 0 if caller == LOCAL else self._buckets.take(caller)
        if wait:
            raise too_much("too many calls", retry_ms=-(-wait // 1000))

    def _caller(self, context: Context) -> str:
        token = shown_token(context)
        bearer = None if token is None else self._tokens.bearer(token)
        if bearer is None:
            return peer_of(context.peer())
        return f"{bearer.title} {bearer.name}"
