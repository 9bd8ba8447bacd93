"""Page tokens: where a list goes on, opaque, and good for no other list.

A token is signed with a key of this process, over the list that it belongs to. So one that is made
up, or of another list, or older than the server, is refused and never read as page one.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import secrets
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from arena.server.services.errors import CallError, invalid

DEFAULT_SIZE: Final = 100
MAX_SIZE: Final = 1000
MAX_TOKEN: Final = 1024
_MARK_BYTES: Final = 16

T = TypeVar("T")


class Pages:
    """Gives out page tokens and takes them back.

    A scope begins with what no other list's begins with, before anything that a caller wrote: so
    no request can be made to look like that of another list.
    """

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def token(self, scope: str, position: str) -> str:
        """The token of a position in the list called ``scope``."""
        text = position.encode()
        return base64.urlsafe_b64encode(self._mark(scope, text) + text).decode().rstrip("=")

    def position(self, scope: str, token: str) -> str:
        """The position of a token; empty for an empty token, the start.

        Raises:
            CallError: it was not given out for this list by this server.
        """
        if not token:
            return ""
        data = _decoded(token)
        mark, text = data[:_MARK_BYTES], data[_MARK_BYTES:]
        if not hmac.compare_digest(mark, self._mark(scope, text)):
            raise _refused()
        return text.decode()

    def _mark(self, scope: str, text: bytes) -> bytes:
        return hmac.digest(self._key, scope.encode() + b"\0" + text, "sha256")[:_MARK_BYTES]


def page_size(asked: int) -> int:
    """How many a page holds at most, given what was asked for."""
    return min(asked, MAX_SIZE) if asked else DEFAULT_SIZE


def page_after(
    items: Sequence[T], position: str, size: int, key: Callable[[T], int]
) -> tuple[Sequence[T], str]:
    """A page of items in rising order of ``key``, and the position to go on at.

    The position is the key of the last item shown: what is added or goes away meanwhile moves
    nothing else from one page to another.
    """
    rest = [item for item in items if not position or key(item) > int(position)]
    page = rest[:size]
    return page, str(key(page[-1])) if len(rest) > size else ""


def _decoded(token: str) -> bytes:
    if len(token) > MAX_TOKEN or not token.isascii():
        raise _refused()
    try:
        return base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise _refused() from error


def _refused() -> CallError:
    return invalid(
        "page_token", "it was not given out for this list, or has expired: start without one"
    )
