"""Pages for those who show a token, where the arena is private."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Awaitable, Callable
from typing import Final

from starlette.datastructures import Headers as HeaderValues
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

OPEN: Final = frozenset({"/healthz", "/livez", "/readyz"})
"""What a supervisor reads; it tells nothing of bots and results."""

_ASK: Final = {"WWW-Authenticate": 'Basic realm="arena", charset="UTF-8"'}
_SENTENCE: Final = (
    "This arena is private: the password is the token of an onlooker, the name does not matter.\n"
)


class Door:
    """An application behind HTTP's own question for a password, which is a token.

    Args:
        app: what is behind it.
        admits: whether a token may read.
    """

    def __init__(self, app: ASGIApp, admits: Callable[[str], Awaitable[bool]]) -> None:
        self._app = app
        self._admits = admits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let through whoever shows a token that may read."""
        if scope["type"] != "http" or scope["path"] in OPEN or await self._knows(scope):
            await self._app(scope, receive, send)
            return
        await PlainTextResponse(_SENTENCE, 401, headers=_ASK)(scope, receive, send)

    async def _knows(self, scope: Scope) -> bool:
        token = _token(HeaderValues(scope=scope).get("authorization", ""))
        return token is not None and await self._admits(token)


def _token(header: str) -> str | None:
    """The password of `Basic`, or what stands behind `Bearer`; None for anything else."""
    scheme, _, rest = header.partition(" ")
    match scheme.lower():
        case "bearer":
            return rest
        case "basic":
            try:
                return base64.b64decode(rest, validate=True).decode().partition(":")[2]
            except (binascii.Error, UnicodeDecodeError):
                return None
        case _:
            return None
