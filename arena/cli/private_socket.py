"""A Unix socket that only this user can reach, at a path short enough for one."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
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
    folder = Path(_private_folder())
    try:
        yield f"unix:{folder / _NAME}"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _private_folder() -> str:
    from arena.server.app import MAX_SOCKET_PATH

    first = tempfile.gettempdir()
    for parent in (first, _FALLBACK):
        length = len(f"{parent}/arena-12345678/{_NAME}".encode())
        if length <= MAX_SOCKET_PATH:
            return tempfile.mkdtemp(prefix="arena-", dir=parent)
    raise CliError(
        f"the temporary folder {first} is too long for a socket: the path would take {length} "
        f"bytes, {MAX_SOCKET_PATH} are allowed",
        hint="set TMPDIR to a short path",
        code=FAILED,
    )
