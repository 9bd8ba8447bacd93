"""Where text meets a terminal, a pipe or a file: the only module that writes to standard streams.

Whatever the stream is, text arrives whole and safe: characters that a name could use to take over
a terminal, and those that its encoding lacks, are shown escaped; colour and bars only appear on a
terminal that wants them.  Machine-readable output is UTF-8 and is written as bytes.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, TextIO

from arena.cli.errors import FAILED, CliError, os_sentence

_PLAIN: Final = {"±": "+-", "−": "-", "–": "-", "·": "-", "…": "..", "×": "x", "→": "->"}
"""What stands for our own signs where the encoding lacks them."""

_SGR: Final = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "bright red": "91",
    "bright blue": "94",
}


@dataclass(frozen=True, slots=True)
class Screen:
    """What a stream can show.

    Attributes:
        encoding: of its characters.
        terminal: whether a person is likely to look at it as it is written.
        color: whether it takes colours.
        width: columns, None where there is no limit.
    """

    encoding: str = "utf-8"
    terminal: bool = False
    color: bool = False
    width: int | None = None

    def safe(self, text: str) -> str:
        """The text as this stream can show it, without anything that moves a cursor."""
        return "".join(map(self._safe_character, text))

    def _safe_character(self, character: str) -> str:
        if " " <= character <= "~":
            return character
        if not character.isprintable():
            return _escaped(character)
        try:
            character.encode(self.encoding)
        except UnicodeEncodeError:
            return _PLAIN.get(character) or _escaped(character)
        return character

    def styled(self, text: str, *styles: str) -> str:
        """The text in a style; by colour alone nothing is ever said."""
        if not self.color or not styles or not text:
            return text
        return f"\x1b[{';'.join(_SGR[style] for style in styles)}m{text}\x1b[0m"


def _escaped(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def screen_of(stream: TextIO | None) -> Screen:
    """What a stream can show: asked anew each time, since tests and terminals change."""
    if stream is None:
        return Screen()
    terminal = _is_terminal(stream)
    return Screen(
        encoding=stream.encoding or "ascii",
        terminal=terminal,
        color=terminal and not os.environ.get("NO_COLOR"),
        width=shutil.get_terminal_size().columns if terminal else None,
    )


def _is_terminal(stream: TextIO) -> bool:
    # FORCE_COLOR and CI are not asked: they would put bars and escapes into log files.
    return stream.isatty() and os.environ.get("TERM", "dumb") not in ("dumb", "unknown", "")


def stdout_screen() -> Screen:
    """What standard output can show."""
    return screen_of(sys.stdout)


def stderr_screen() -> Screen:
    """What standard error can show."""
    return screen_of(sys.stderr)


class ReaderGone(Exception):
    """Whoever read standard output had enough of it, or the terminal was closed: no failure, but
    nothing more to do."""


def write(text: str) -> None:
    """Write lines of the answer; they must be safe already.

    Raises:
        ReaderGone: nobody reads any more.
        CliError: standard output is closed or cannot be written to.
    """
    stream = require_stdout()
    with _told_as_answer():
        stream.write(text if text.endswith("\n") else text + "\n")


def write_over(text: str) -> None:
    """Write on a terminal what the next line takes the place of; see `write`."""
    stream = require_stdout()
    screen = screen_of(stream)
    with _told_as_answer():
        stream.write("\r\x1b[2K" + screen.safe(text)[: screen.width])
        stream.flush()


def write_json(document: Any) -> None:
    """Write the answer as one JSON document.

    ASCII only, which is UTF-8 in every locale and cannot take over a terminal.
    """
    text = json.dumps(document, indent=2, allow_nan=False, ensure_ascii=True)
    write_bytes(text.encode("ascii", "backslashreplace") + b"\n")


def write_bytes(content: bytes) -> None:
    """Write the answer as bytes; see `write`."""
    stream = require_stdout()
    with _told_as_answer():
        stream.flush()
        stream.buffer.write(content)


def flush() -> None:
    """Have everything written out; see `write`."""
    if sys.stdout is not None:
        with _told_as_answer():
            sys.stdout.flush()


@contextlib.contextmanager
def _told_as_answer() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise ReaderGone from error
    except OSError as error:
        if error.errno == errno.EIO and _was_terminal():
            raise ReaderGone from error
        reason = f"standard output cannot be written to: {os_sentence(error)}"
        raise CliError(reason, code=FAILED) from error


def _was_terminal() -> bool:
    """Whether standard output is a terminal; one that hung up answers to nothing any more."""
    try:
        return stat.S_ISCHR(os.fstat(sys.stdout.fileno()).st_mode)
    except (OSError, ValueError):
        return False


@contextlib.contextmanager
def reader_may_be_gone() -> Iterator[None]:
    """Write an answer where the exit code says what counts, whether anybody reads it or not."""
    try:
        yield
        flush()
    except ReaderGone:
        silence(require_stdout())


def require_stdout() -> TextIO:
    """Standard output.

    Raises:
        CliError: it is closed: an answer that gets lost must not look like success.
    """
    if sys.stdout is None:
        raise CliError("standard output is closed, so the answer would be lost", code=FAILED)
    return sys.stdout


def tell(text: str) -> None:
    """Tell something on standard error. Nobody can be told if that fails, so nothing is."""
    stream = sys.stderr
    if stream is None:
        return
    try:
        stream.write(screen_of(stream).safe(text) + "\n")
        stream.flush()
    except (OSError, ValueError):
        silence(stream)


def flush_or_silence() -> None:
    """Have what is written out; what cannot be must not be tried again at the very end."""
    try:
        flush()
    except (ReaderGone, CliError):
        if sys.stdout is not None:
            silence(sys.stdout)


def silence(stream: TextIO) -> None:
    """Let a broken stream end in nothing, so that the interpreter's last flush is quiet too."""
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, stream.fileno())
    except (OSError, ValueError):
        pass
    finally:
        os.close(null)
