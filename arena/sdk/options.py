"""Where a bot plays and as what: environment variables, and flags that override them.

=================  ==================  ========================================================
Variable           Flag                Meaning
=================  ==================  ========================================================
``ARENA_ADDR``     ``--address``       ``HOST:PORT``, ``tls:HOST:PORT`` or ``unix:PATH``; needed
``ARENA_TLS_CA``   ``--tls-ca``        whom to trust, a PEM file; else gRPC's own list
``ARENA_TLS_CERT`` ``--tls-cert``      the bot's own certificate, where the arena asks for one
``ARENA_TLS_KEY``  ``--tls-key``       its private key
``ARENA_TOKEN``    ``--token``         the bot's token; needed
``ARENA_CHAIR``    ``--chair``         ``first`` or ``second``; else as the token fixes it
``ARENA_LANE``     ``--lane``          ``a`` or ``b``; else as the token fixes it, or both
``ARENA_NAME``     ``--name``          the bot's name
``ARENA_VERSION``  ``--version-label`` the bot's version
(none)             ``--tables``        how many games at once, 1 to 1024
=================  ==================  ========================================================
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NoReturn, TypeVar

from arena.sdk.identity import NOTHING, Identity, read_identity
from arena.v1 import referee_pb2

T = TypeVar("T")

MAX_TABLES: Final = 1024
_USAGE: Final = 2

_CHAIRS: Final = {
    "": referee_pb2.CHAIR_UNSPECIFIED,
    "first": referee_pb2.CHAIR_FIRST,
    "second": referee_pb2.CHAIR_SECOND,
}
_LANES: Final = {
    "": referee_pb2.LANE_UNSPECIFIED,
    "a": referee_pb2.LANE_A,
    "b": referee_pb2.LANE_B,
}
_TLS: Final = "tls:"
_LOOPBACK: Final = re.compile(r"(localhost|127(\.\d+){3}|\[::1\])\Z")
_HOST_PORT: Final = re.compile(r"(?P<host>[^\s:\[\]/]+|\[[0-9a-fA-F:.]+\]):(?P<port>\d{1,5})")


@dataclass(frozen=True, slots=True)
class Address:
    """Where the arena listens.

    Attributes:
        target: as gRPC wants it.
        local: this machine: no proxy, no keepalive.
        tls: whether it speaks TLS.
    """

    target: str
    local: bool
    tls: bool = False

    def __str__(self) -> str:
        """As it was written."""
        return f"{_TLS}{self.target}" if self.tls else self.target


@dataclass(frozen=True, slots=True)
class Options:
    """What ``run`` was asked for; see the module's table."""

    address: Address
    token: str
    chair: referee_pb2.Chair.ValueType
    lane: referee_pb2.Lane.ValueType
    name: str
    version: str
    tables: int
    identity: Identity = NOTHING


def parse_address(text: str) -> Address:
    """The address that ``text`` names.

    Raises:
        ValueError: it names none; the text is one sentence.
    """
    if text.startswith("unix:"):
        if not text.removeprefix("unix:").removeprefix("//"):
            raise ValueError(f"the address {text!r} names no socket; write unix:PATH")
        return Address(text, local=True)
    target = text.removeprefix(_TLS)
    match = _HOST_PORT.fullmatch(target)
    if match is None or not 1 <= int(match["port"]) <= 65535:
        raise ValueError(f"{text!r} is no address; write HOST:PORT, tls:HOST:PORT or unix:PATH")
    local = bool(_LOOPBACK.match(match["host"]))
    return Address(target, local=local, tls=text.startswith(_TLS))


def identity_at(address: Address, ca: str, certificate: str, key: str) -> Identity:
    """What to trust and show at an address; the rest are paths, empty where there is none.

    Raises:
        ValueError: a file cannot be used, or would not be; the text is one sentence.
    """
    if address.tls:
        return read_identity(ca, certificate, key)
    if (ca or certificate) and not address.local:
        raise ValueError(
            f"there are files for TLS, but {address} is dialled without it: write tls:{address}"
        )
    return NOTHING


class OptionsError(ValueError):
    """Options that make no sense; the text is one sentence."""


class _Parser(argparse.ArgumentParser):
    """Raises where argparse would print the usage and exit."""

    def error(self, message: str) -> NoReturn:
        raise OptionsError(message)


def read_options(
    arguments: Sequence[str],
    environment: Mapping[str, str] = os.environ,
    *,
    name: str,
    version: str,
    tables: int,
) -> Options:
    """The options of a command line; exits with code 2 and a sentence where they make no sense.

    Args: as those of `options_of`.
    """
    try:
        return options_of(arguments, environment, name=name, version=version, tables=tables)
    except OptionsError as error:
        parser = _Parser()
        parser.exit(_USAGE, f"{parser.prog}: {error}\n")


def options_of(
    arguments: Sequence[str],
    environment: Mapping[str, str] = os.environ,
    *,
    name: str,
    version: str,
    tables: int,
) -> Options:
    """The options of a command line.

    Args:
        arguments: without the program's name.
        environment: where the variables are looked up.
        name: the bot's name where neither says one.
        version: its version label, likewise.
        tables: how many tables to announce, likewise.

    Raises:
        OptionsError: they make no sense.
    """
    parser = _parser(environment, name=name, version=version, tables=tables)
    given = parser.parse_args(arguments)
    if not given.address:
        parser.error(
            "where is the arena? set ARENA_ADDR or give --address "
            "HOST:PORT, tls:HOST:PORT or unix:PATH"
        )
    if not given.token:
        parser.error("the arena wants a token; set ARENA_TOKEN or give --token")
    try:
        address = parse_address(given.address)
        identity = identity_at(address, given.tls_ca, given.tls_cert, given.tls_key)
    except ValueError as error:
        parser.error(str(error))
    if not 1 <= given.tables <= MAX_TABLES:
        parser.error(f"--tables must be from 1 to {MAX_TABLES}, not {given.tables}")
    if not 1 <= len(given.name) <= 64 or len(given.version_label) > 64:
        parser.error("a bot's name has 1 to 64 characters, its version label at most 64")
    return Options(
        address=address,
        token=given.token,
        chair=_one_of(parser, "chair", _CHAIRS, given.chair),
        lane=_one_of(parser, "lane", _LANES, given.lane),
        name=given.name,
        version=given.version_label,
        tables=given.tables,
        identity=identity,
    )


def _parser(
    environment: Mapping[str, str], *, name: str, version: str, tables: int
) -> argparse.ArgumentParser:
    parser = _Parser(description=f"Plays Bid Euchre as {name}.", allow_abbrev=False)
    look_up = environment.get
    parser.add_argument("--address", default=look_up("ARENA_ADDR", ""))
    parser.add_argument("--tls-ca", default=look_up("ARENA_TLS_CA", ""))
    parser.add_argument("--tls-cert", default=look_up("ARENA_TLS_CERT", ""))
    parser.add_argument("--tls-key", default=look_up("ARENA_TLS_KEY", ""))
    parser.add_argument("--token", default=look_up("ARENA_TOKEN", ""), help="better: ARENA_TOKEN")
    parser.add_argument("--chair", default=look_up("ARENA_CHAIR", ""))
    parser.add_argument("--lane", default=look_up("ARENA_LANE", ""))
    parser.add_argument("--name", default=look_up("ARENA_NAME") or name)
    parser.add_argument("--version-label", default=look_up("ARENA_VERSION") or version)
    parser.add_argument("--tables", type=int, default=tables)
    return parser


def _one_of(parser: argparse.ArgumentParser, what: str, choices: Mapping[str, T], text: str) -> T:
    value = choices.get(text.lower())
    if value is None:
        names = " or ".join(repr(choice) for choice in choices if choice)
        parser.error(f"the {what} must be {names}, not {text!r}")
    return value
