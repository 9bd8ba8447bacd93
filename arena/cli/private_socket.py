"""A Unix socket that only this user can reach, at a path short enough for one."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from typing import Final

from arena.cli.errors import FAILED, CliError

_FALLBACK: Final = "/tmp"  # TMPDIR may be too long
_NAME: Final = "s"


@contextlib.contextmanager
def private_socket() -> Iterator[str]:
    """The address of a socket in a folder of mode 0700 that is gone after the block.

    Raises:
        CliError: no temporary folder has a path that is short enough.
    """
    from arena.server.short_folders import short_folder

    with short_folder(_parent()) as folder:
        yield f"unix:{folder / _NAME}"


def _parent() -> str:
    """Where the path of a socket is short enough."""
    from arena.server.listening import MAX_SOCKET_PATH
    from arena.server.short_folders import NAME_LENGTH

    first = tempfile.gettempdir()
    for parent in (first, _FALLBACK):
        length = len(f"{parent}/{_NAME}".encode()) + NAME_LENGTH + 1
        if length <= MAX_SOCKET_PATH:
            return parent
    raise CliError(
        f"the temporary folder {first} is too long for a socket: the path would take {length} "
        f"bytes, {MAX_SOCKET_PATH} are allowed",
        hint="set TMPDIR to a short path",
        code=FAILED,
    )
