"""Who may call what: organisers everything, authors what is theirs, onlookers what reads, and bots
Play and their own faults.

Reading is open to everybody, unless the server is private.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NoReturn, TypeAlias

import grpc

from arena.ids import VersionId
from arena.server.admission import Bearer, Tokens
from arena.server.services.errors import CallError
from arena.store import Role

HEADER: Final = "authorization"
SCHEME: Final = "Bearer "

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"


class Access:
    """Knows who calls, by the token in the metadata.

    Args:
        tokens: those that are good at this moment.
        private: whether reading needs a token too.
    """

    def __init__(self, tokens: Tokens, *, private: bool = False) -> None:
        self._tokens = tokens
        self._private = private

    def require_organiser(self, context: Context) -> str:
        """Let only organisers go on; the name of the token, for the audit log.

        Raises:
            CallError: the call shows no token, an unknown one, or one of another role.
        """
        bearer = self._bearer(context, Role.ORGANISER)
        if bearer.role is not Role.ORGANISER:
            _deny(bearer, Role.ORGANISER)
        return bearer.name

    def require_onlooker(self, context: Context) -> None:
        """Let only organisers and onlookers go on, where the server is private.

        Raises:
            CallError: the call shows no token, an unknown one, or a bot's.
        """
        if self._private:
            bearer = self._bearer(context, Role.ONLOOKER)
            if not bearer.may_read:
                _deny(bearer, Role.ONLOOKER)

    def require_author(self, context: Context) -> Bearer:
        """Let only organisers and authors go on; who it is.

        Raises:
            CallError: the call shows no token, an unknown one, or one of another role.
        """
        bearer = self._bearer(context, Role.AUTHOR)
        if not bearer.may_submit:
            _deny(bearer, Role.AUTHOR)
        return bearer

    def asker(self, context: Context) -> VersionId | Bearer:
        """Let only organisers, authors, and bots that dial in go on; who it is.

        Raises:
            CallError: the call shows no token, an unknown one, or one of somebody else.
        """
        token = shown_token(context)
        admission = None if token is None else self._tokens.find(token)
        if admission is not None and not admission.hosted:
            return admission.version
        return self.require_author(context)

    def looks_after(self, context: Context, owner: str) -> bool:
        """Whether the caller may see what is an owner's alone."""
        token = shown_token(context)
        bearer = None if token is None else self._tokens.bearer(token)
        return bearer is not None and bearer.looks_after(owner)

    def _bearer(self, context: Context, wanted: Role) -> Bearer:
        token = shown_token(context)
        if token is None:
            raise _unknown(
                f"this call needs an {wanted.value}'s token: "
                "send metadata `authorization: Bearer TOKEN`"
            )
        bearer = self._tokens.bearer(token)
        if bearer is None:
            raise _unknown(f"that is no {wanted.value}'s token of this arena, or no longer")
        return bearer


def shown_token(context: Context) -> str | None:
    """The one token in the metadata of a call, None for none or several."""
    metadata: Sequence[tuple[str, str | bytes]] = tuple(context.invocation_metadata() or ())
    values = [value for key, value in metadata if key == HEADER and isinstance(value, str)]
    tokens = [value.removeprefix(SCHEME) for value in values if value.startswith(SCHEME)]
    return tokens[0] if len(tokens) == 1 else None


def _unknown(sentence: str) -> CallError:
    return CallError(grpc.StatusCode.UNAUTHENTICATED, sentence, reason="ORGANISER_TOKEN")


def _deny(bearer: Bearer, wanted: Role) -> NoReturn:
    raise CallError(
        grpc.StatusCode.PERMISSION_DENIED,
        f"this call is for an {wanted.value}, and that is the token of {bearer.phrase}",
        reason="ROLE",
    )
