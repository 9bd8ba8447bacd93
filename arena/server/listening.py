"""Listening for gRPC: addresses, and what is wrong with those that will not do."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from typing import Final

import grpc

MAX_SOCKET_PATH: Final = 107

_SHARED: Final = 0o666
"""The mode of a socket for others; gRPC makes them for its own user."""

TLS: Final = "tls:"
"""What an address begins with where a client must speak TLS."""

_HOST_PORT: Final = re.compile(r"(?P<host>[^\s:/\[\]]+|\[[^\s/\[\]]+\]):(?P<port>[0-9]{1,5})")


class ListenError(Exception):
    """An address that cannot be listened on; the sentence says why and what to do."""


class AddressError(ListenError):
    """What was given is no address at all."""


def listen(
    server: grpc.aio.Server,
    address: str,
    tls: grpc.ServerCredentials | None,
    *,
    shared: bool = False,
) -> str:
    """Have a server listen on an address too; what a client dials.

    Args:
        server: of gRPC.
        address: HOST:PORT, [IPV6]:PORT or unix:PATH.
        tls: what TCP addresses speak, None for no TLS. Unix sockets do without.
        shared: whether users other than this one may dial a Unix socket, if they can reach its
            folder.

    Raises:
        ListenError: it cannot be listened on.
    """
    if address.startswith("unix:"):
        return _listen_unix(server, address, shared=shared)
    return _listen_tcp(server, address, tls)


def _listen_unix(server: grpc.aio.Server, address: str, *, shared: bool) -> str:
    named = address.removeprefix("unix:").removeprefix("//")
    if not named:
        raise AddressError(f"the address {address!r} names no socket: write unix:PATH")
    path = Path(named)
    length = len(str(path).encode())
    if length > MAX_SOCKET_PATH:
        raise ListenError(
            f"the socket path {path} is {length} bytes long and may be at most {MAX_SOCKET_PATH}"
        )
    if path.is_symlink() or (path.exists() and not path.is_socket()):
        raise ListenError(f"{path} is there already and is no socket; choose another path")
    if path.is_socket():
        if _answers(path):
            raise ListenError(f"another server listens on {path}; choose another path")
        path.unlink()  # left by a server that was killed
    try:
        server.add_insecure_port(f"unix:{path}")
    except RuntimeError as error:
        raise ListenError(f"the socket {path} cannot be made: is its folder there?") from error
    if shared:
        path.chmod(_SHARED)
    return f"unix:{path}"


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(str(path))
        except OSError:
            return False
        return True


def host_of(address: str) -> str | None:
    """The host of HOST:PORT or [IPV6]:PORT, None for anything else."""
    match = _HOST_PORT.fullmatch(address)
    return match["host"] if match is not None and int(match["port"]) < 65536 else None


def _listen_tcp(server: grpc.aio.Server, address: str, tls: grpc.ServerCredentials | None) -> str:
    host = host_of(address)
    if host is None:
        raise AddressError(f"{address!r} is no address: write HOST:PORT, [IPV6]:PORT or unix:PATH")
    try:
        if tls is None:
            return f"{host}:{server.add_insecure_port(address)}"
        return f"{TLS}{host}:{server.add_secure_port(address, tls)}"
    except RuntimeError as error:
        raise ListenError(
            f"{address} cannot be listened on: it is in use, or no address of this machine"
        ) from error
