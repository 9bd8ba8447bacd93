"""Addresses to listen on: which reach beyond this machine, and the socket of the pages."""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import socket
from collections.abc import Iterable
from typing import Final

from arena.server.listening import AddressError, ListenError, host_of

SERVE_ADVICE: Final = (
    "give --tls-cert and --tls-key, listen on 127.0.0.1, or give --insecure-public"
)
"""What ``arena serve`` can do about it."""


def refuse_public(addresses: Iterable[str], advice: str = SERVE_ADVICE) -> None:
    """Refuse to listen without TLS where others could listen in.

    Args:
        addresses: where to listen.
        advice: what the command at hand can do about it.

    Raises:
        ListenError: an address can be reached from beyond this machine, as far as can be told.
    """
    for address in addresses:
        if not is_local(address):
            raise ListenError(
                f"{address} can be reached from other machines, and tokens would cross the network "
                f"in the clear: {advice}"
            )


def is_local(address: str) -> bool:
    """Whether an address can be reached from this machine only."""
    if address.startswith("unix:"):
        return True
    host = host_of(address)
    if host is None or host.lower() == "localhost":
        return True  # what is no address at all is told where it is opened
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host.removeprefix("[").removesuffix("]")).is_loopback
    return False


def http_socket(address: str, option: str = "--http") -> socket.socket:
    """A socket that listens on HOST:PORT, for the pages or what else ``option`` stands for.

    Raises:
        ListenError: it is no such address, or cannot be listened on.
    """
    host, port = host_of(address), address.rpartition(":")[2]
    bare = "" if host is None else host.removeprefix("[").removesuffix("]")
    if host is None or (":" in bare) != (host != bare):
        raise AddressError(f"{address!r} is no address for {option}: write HOST:PORT or none")
    family = socket.AF_INET6 if ":" in bare else socket.AF_INET
    try:
        return socket.create_server((bare, int(port)), family=family)
    except OSError as error:
        if error.errno in (errno.EADDRINUSE, errno.EADDRNOTAVAIL):
            raise ListenError(
                f"{address} cannot be listened on: it is in use, or no address of this machine; "
                f"give {option} another one, or none"
            ) from error
        raise ListenError(f"{address} cannot be listened on: {error.strerror}") from error


def http_address(listening: socket.socket, *, tls: bool = False) -> str:
    """What a browser is told: `http://127.0.0.1:8080/`."""
    host, port = listening.getsockname()[:2]
    scheme = "https" if tls else "http"
    return f"{scheme}://[{host}]:{port}/" if ":" in host else f"{scheme}://{host}:{port}/"
