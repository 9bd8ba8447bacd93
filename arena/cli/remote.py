"""Talking to a running arena: ``--server``, the organiser's token, and failures in words."""

from __future__ import annotations

import contextlib
import os
import shlex
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import typer

from arena.cli.data_folder import data_folder
from arena.cli.errors import FAILED, USAGE, CliError, os_sentence
from arena.hosting.folder import is_file

VARIABLE: Final = "ARENA_ORGANISER_TOKEN"
AUTHOR_VARIABLE: Final = "ARENA_AUTHOR_TOKEN"
READING_VARIABLE: Final = "ARENA_ONLOOKER_TOKEN"
BOT_VARIABLE: Final = "ARENA_TOKEN"
TOKEN_FILE: Final = "organiser.token"
SECONDS: Final = 30.0
"""For one call."""
ATTEMPTS: Final = 3
"""Times that a call is made whose reply may have got lost."""
BACKOFF_MS: Final = 5000
"""The longest pause before an arena that is gone is looked for again."""
PAGE: Final = 1000
_TOKEN: Final = "one line of ASCII without control characters"
AUTHORS: Final = (
    f"set {AUTHOR_VARIABLE} to what the arena's organiser gave you; the organiser sets {VARIABLE}, "
    "or names the data folder with --data"
)
"""What to do about the token of a call that authors make."""
_ANY: Final = (
    f"set {VARIABLE} (authors set {AUTHOR_VARIABLE}; to read, {READING_VARIABLE} will do), or name "
    "the data folder with --data"
)

if TYPE_CHECKING:
    import grpc

ServerOption = Annotated[
    str | None,
    typer.Option(
        "--server",
        metavar="ADDR",
        help="Of a running arena: HOST:PORT, tls:HOST:PORT or unix:PATH.",
    ),
]

T = TypeVar("T")


class Unreadable(CliError):
    """A file with a token that cannot be read."""


class Lost(CliError):
    """No reply came: nobody knows whether the call was met."""


@dataclass(frozen=True, slots=True)
class Remote:
    """A running arena.

    Attributes:
        address: as it was given.
        channel: to it.
        data: where the organiser's token is looked for.
        trusted: whether nobody listens in, and it is who it should be.
    """

    address: str
    channel: grpc.Channel
    data: Path | None
    trusted: bool

    @property
    def words(self) -> str:
        """What a command told to be run next needs to find the same arena."""
        return f" --server {shlex.quote(self.address)}"

    def read(self, method: Callable[..., T], request: object) -> T:
        """Call a method that only reads.

        Raises:
            CliError: it failed; the sentence says why.
        """
        return self._call(method, request, self.reading())

    def reading(self) -> tuple[tuple[str, str], ...]:
        """The metadata of a call that reads: with a token if there is one, for private arenas.

        Raises:
            CliError: what should be a token cannot be one.
        """
        token = _variable(AUTHOR_VARIABLE) or _variable(READING_VARIABLE)
        if not token and self.trusted:  # no other is told the organiser's without need
            with contextlib.suppress(Unreadable):  # most arenas want none
                token = self._organiser() or ""
        return (("authorization", f"Bearer {token}"),) if token else ()

    def write(self, method: Callable[..., T], request: object) -> T:
        """Call a method that changes something, as the organiser.

        Raises:
            CliError: it failed; the sentence says why.
        """
        return self._call(method, request, (("authorization", f"Bearer {self._token()}"),))

    def ask_as_author(self, method: Callable[..., T], request: object) -> T:
        """Call a method that is for organisers and for authors.

        Raises:
            CliError: it failed; the sentence says why.
        """
        return self._call(method, request, self.author(), hint=AUTHORS)

    def ask_as_bot(self, method: Callable[..., T], request: object) -> T:
        """Call a method that a bot may ask of itself, with its token, which there is.

        Raises:
            CliError: it failed; the sentence says why.
        """
        metadata = (("authorization", f"Bearer {_variable(BOT_VARIABLE)}"),)
        return self._call(method, request, metadata, hint=f"{BOT_VARIABLE} holds another")

    @property
    def has_author(self) -> bool:
        """Whether there is a token of an author."""
        return bool(_variable(AUTHOR_VARIABLE))

    @property
    def has_bot(self) -> bool:
        """Whether there is a token of a bot."""
        return bool(_variable(BOT_VARIABLE))

    def author(self) -> tuple[tuple[str, str], ...]:
        """The metadata of a call of an author: with the author's token, or the organiser's.

        Raises:
            CliError: there is neither.
        """
        token = _variable(AUTHOR_VARIABLE)
        if not token:
            with contextlib.suppress(Unreadable):  # it is somebody else's
                token = self._organiser() or ""
        if not token:
            raise CliError("this needs an author's token", hint=AUTHORS)
        return (("authorization", f"Bearer {token}"),)

    def _call(
        self, method: Callable[..., T], request: object, metadata: object, *, hint: str = _ANY
    ) -> T:
        import grpc

        for left in reversed(range(ATTEMPTS)):
            try:
                return method(request, metadata=metadata, timeout=SECONDS)
            except grpc.RpcError as error:
                if not left or error.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise failure(error, self.address, hint=hint) from error
        raise AssertionError("a call ends in one way or the other")

    def _token(self) -> str:
        token = self._organiser()
        if token is None:
            raise CliError(
                "this needs the organiser's token",
                hint=f"set {VARIABLE}, or name the arena's data folder with --data",
            )
        return token

    def _organiser(self) -> str | None:
        if token := _variable(VARIABLE):
            return token
        path = self._token_file()
        try:
            text = path.read_text("ascii", errors="replace").strip()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Unreadable(os_sentence(error), code=FAILED) from error
        if not _may_be_token(text):
            raise CliError(f"{path} holds no token, which is {_TOKEN}", code=FAILED)
        return text

    def _token_file(self) -> Path:
        """Where the organiser's token is: in the folder that was named, or beside the socket."""
        beside = Path(self.address.removeprefix("unix:").removeprefix("//")).parent / TOKEN_FILE
        if self.data is None and self.address.startswith("unix:") and is_file(beside):
            return beside
        return data_folder(self.data) / TOKEN_FILE


def _variable(name: str) -> str:
    """The token in a variable of the environment, empty for none.

    Raises:
        CliError: what is there cannot be one.
    """
    text = os.environ.get(name, "").strip()
    if not _may_be_token(text):
        raise CliError(f"{name} holds no token, which is {_TOKEN}")
    return text


def _may_be_token(text: str) -> bool:
    """Whether gRPC would send it; whether it is one is for the arena to say."""
    return text.isascii() and text.isprintable()


@contextlib.contextmanager
def connected(address: str, data: Path | None = None) -> Iterator[Remote]:
    """A running arena to talk to while the block runs.

    Raises:
        CliError: that is no address.
    """
    import grpc

    from arena.sdk.client import channel_credentials
    from arena.sdk.options import identity_at, parse_address

    files = [os.environ.get(f"ARENA_TLS_{what}", "") for what in ("CA", "CERT", "KEY")]
    try:
        parsed = parse_address(address)
        identity = identity_at(parsed, *files)
    except ValueError as error:
        raise CliError(str(error)) from error
    options = [("grpc.max_reconnect_backoff_ms", BACKOFF_MS)]
    if parsed.local:
        options.append(("grpc.enable_http_proxy", 0))
    with (
        grpc.secure_channel(parsed.target, channel_credentials(identity), options=options)
        if parsed.tls
        else grpc.insecure_channel(parsed.target, options=options)
    ) as channel:
        yield Remote(address, channel, data, trusted=parsed.local or parsed.tls)


def request_id() -> str:
    """A fresh name for a request that may be repeated."""
    return str(uuid.uuid4())


def failure(error: Any, address: str, *, hint: str = _ANY) -> CliError:
    """What a person is told of a failed call.

    Args:
        error: of gRPC.
        address: the arena's.
        hint: what to do about the token that it wants.
    """
    import grpc

    code, details = error.code(), error.details() or "it failed"
    if code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED):
        return Lost(f"no arena answers at {address}", hint=_doubt(address), code=FAILED)
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return CliError(f"what answers at {address} is no arena of this version", code=FAILED)
    if code is grpc.StatusCode.UNAUTHENTICATED:
        return CliError(details, hint=hint)
    asked_wrongly = code in (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND)
    return CliError(details, code=USAGE if asked_wrongly else FAILED)


def _doubt(address: str) -> str:
    if address.startswith("tls:"):
        return "is it running, and do ARENA_TLS_CA, ARENA_TLS_CERT and ARENA_TLS_KEY fit?"
    if address.startswith("unix:"):
        return "is it running?  see: arena serve"
    return f"is it running?  see: arena serve; where it speaks TLS, it is tls:{address}"
