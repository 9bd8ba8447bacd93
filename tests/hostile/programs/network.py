"""Opens sockets of all kinds: to the machine, to the arena, to the other seat, to the world."""

from __future__ import annotations

import contextlib
import socket
import struct
import time
from functools import partial
from pathlib import Path

from tests.hostile.programs.attempts import DONE, REFUSED, attempt, facts, find, say

_SECONDS = 1.0
_VSOCK_HOST = 2
_WORLD = ("192.0.2.1", "169.254.169.254")
"""An address for documentation, and that where clouds tell secrets."""


def main() -> None:
    """The program."""
    known = facts()
    for host in (*known["hosts"], *_WORLD):
        attempt(f"connect to {host}", partial(_connect, host, known["tcp"]))
        attempt(f"send to {host}", partial(_send, host, known["udp"]))
    for name in known["unix"]:
        shown = f"@{name[1:]}" if name.startswith("\0") else name
        attempt(f"dial {shown}", partial(_dial, name))
    attempt("ask for an address by name", partial(socket.getaddrinfo, "localhost.example", 80))
    attempt("watch the network", partial(socket.socket, socket.AF_PACKET, socket.SOCK_RAW))
    attempt("send raw", partial(socket.socket, socket.AF_INET, socket.SOCK_RAW, 1))
    attempt("call the hypervisor", partial(socket.socket, socket.AF_VSOCK, socket.SOCK_STREAM))
    attempt("use the kernel's ciphers", partial(socket.socket, socket.AF_ALG))
    others = [name for _, name in socket.if_nameindex() if name != "lo"]
    say(DONE if others else REFUSED, "find interfaces", others or "lo alone")
    for table in ("tcp", "unix"):
        file = Path("/proc/net", table)
        find(f"read /proc/net/{table}", file.read_bytes, known["canary"])
    _listen(known["tcp"])


def _connect(host: str, port: int) -> object:
    with socket.create_connection((host, port), timeout=_SECONDS) as one:
        return one.getpeername()


def _send(host: str, port: int) -> object:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as one:
        one.connect((host, port))
        one.send(b"hello")
        time.sleep(0.02)
        return one.send(b"hello")  # told now that nobody is there


def _dial(name: str) -> object:
    with socket.socket(socket.AF_UNIX) as one:
        one.settimeout(_SECONDS)
        one.connect(name)
        return "connected"


def _listen(port: int) -> None:
    """Take the listener's own port: that leads to nobody."""
    with contextlib.suppress(OSError), socket.socket() as one:
        linger = struct.pack("ii", 1, 0)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        one.bind(("0.0.0.0", port))
        one.listen()


if __name__ == "__main__":
    main()
