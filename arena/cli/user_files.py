"""Files that people write and name on a command line: read whole, or refused in one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from arena.cli.errors import CliError, os_sentence

MAX_BYTES: Final = 1024 * 1024

_MARKS: Final = (
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


def read_user_file(path: Path, *, at_most: int = MAX_BYTES) -> bytes:
    """The bytes of a file that the user named.

    Raises:
        CliError: there is none, it cannot be read, or it is too long to be meant.
    """
    try:
        with path.open("rb") as file:
            content = file.read(at_most + 1)
    except OSError as error:
        raise CliError(os_sentence(error)) from error
    if len(content) > at_most:
        raise CliError(f"{path}: the file is longer than {at_most} bytes")
    return content


def read_user_text(path: Path) -> str:
    """The text of a file in UTF-8, with or without a byte order mark, with any line ends.

    Raises:
        CliError: as `read_user_file`, or it is not UTF-8.
    """
    content = read_user_file(path)
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            raise CliError(f"{path}: the file is in {encoding}; save it as UTF-8")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        byte = content[error.start]
        raise CliError(
            f"{path}: the file is not UTF-8 (byte {error.start + 1} is {byte:#04x}); "
            "save it as UTF-8"
        ) from error
