"""How many unary calls and watches run, and how often one caller may call."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from arena.referee.clock import Clock
from arena.server.admission import Tokens
from arena.server.limits import LOCAL, Buckets, Limits, peer_of
from arena.server.services.access import Context, shown_token
from arena.server.services.errors import too_much


class Turnstile:
    """Counts the calls of each caller: of a known token, else of an address.

    Args:
        tokens: those that are known.
        clock: the server's.
        limits: how many.
    """

    def __init__(self, tokens: Tokens, clock: Clock, limits: Limits) -> None:
        self._tokens = tokens
        self._most = limits.calls
        self._running = 0
        self._buckets = Buckets(clock, limits.asking)

    @contextlib.contextmanager
    def passing(self, context: Context) -> Iterator[None]:
        """Have a call run, while the block does.

        Raises:
            CallError: too many do, or the caller has called too often.
        """
        if self._running >= self._most:
            raise too_much(f"{self._most} calls run, as many as the arena takes", retry_ms=1000)
        caller = self._caller(context)
        wait = 0 if caller == LOCAL else self._buckets.take(caller)
        if wait:
            raise too_much("too many calls", retry_ms=-(-wait // 1000))
        self._running += 1
        try:
            yield
        finally:
            self._running -= 1

    def _caller(self, context: Context) -> str:
        token = shown_token(context)
        bearer = None if token is None else self._tokens.bearer(token)
        if bearer is None:
            return peer_of(context.peer())
        return f"{bearer.title} {bearer.name}"
