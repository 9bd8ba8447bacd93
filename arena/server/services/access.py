"""Who may write: whoever shows the organiser's token. Reading is open."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from typing import Any, Final

import grpc

from arena.server.admission import token_hash
from arena.server.services.errors import CallError

HEADER: Final = "authorization"
SCHEME: Final = "Bearer "


class Access:
    """Knows the organiser's token, by its hash.

    Args:
        organiser: the hash of the token.
    """

    def __init__(self, organiser: str) -> None:
        self._organiser = organiser

    def require_organiser(self, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        """Let only organisers go on.

        Raises:
            CallError: the call shows no token, or another one.
        """
        tokens = _tokens(context)
        if len(tokens) != 1:
            raise _refused(
                "this call needs the organiser's token: send metadata `authorization: Bearer TOKEN`"
            )
        if not hmac.compare_digest(token_hash(tokens[0]), self._organiser):
            raise _refused("that is not the organiser's token of this arena")


def _tokens(context: grpc.aio.ServicerContext[Any, Any]) -> list[str]:
    metadata: Sequence[tuple[str, str | bytes]] = tuple(context.invocation_metadata() or ())
    values = [value for key, value in metadata if key == HEADER and isinstance(value, str)]
    return [value.removeprefix(SCHEME) for value in values if value.startswith(SCHEME)]


def _refused(sentence: str) -> CallError:
    return CallError(grpc.StatusCode.UNAUTHENTICATED, sentence, reason="ORGANISER_TOKEN")
