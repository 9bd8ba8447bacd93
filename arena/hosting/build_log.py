"""What a build says: the newest of it told now and then, the end of it kept.

A build may print millions of lines in a second, and tables play in the same loop. So what comes is
taken as it is, without a look at its lines; these are looked for a few times a second, in as much
of the newest as somebody can read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from arena.hosting.sizes import MEBIBYTE

MOST_KEPT: Final = MEBIBYTE
"""Bytes of the log; what came before is forgotten."""

MOST_LINE: Final = 4096
"""Bytes of a line that is told; a longer one is told as several."""

MOST_TOLD: Final = 32 * 1024
MOST_LINES: Final = 250
"""Bytes and lines that are told at once; older ones are in the log alone."""

LEFT_OUT: Final = "[lines are left out here]"


_COLOURS: Final = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours, and moves of the cursor
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"  # titles and links
    r"|\x1b[ -/]*[0-Z\\^-~]"
)
"""What build tools write for a terminal, and no reader wants."""


class BuildLog:
    """The log of one build.

    Args:
        heard: told of lines, a few at once.

    Attributes:
        printed: bytes that commands have printed, kept or not.
    """

    def __init__(self, heard: Callable[[Sequence[str]], None] = lambda _: None) -> None:
        self._heard = heard
        self._kept = bytearray()
        self._forgotten = False
        self._fresh = bytearray()
        self._left_out = False
        self.printed = 0

    def add(self, chunk: bytes) -> None:
        """Take what a command has written."""
        self.printed += len(chunk)
        self._keep(chunk)
        self._fresh += chunk
        if len(self._fresh) > MOST_TOLD:
            del self._fresh[:-MOST_TOLD]
            self._left_out = True

    def tell(self) -> None:
        """Tell the newest lines of what was added since."""
        ended, sign, begun = bytes(self._fresh).rpartition(b"\n")
        whole = max(len(begun) - 1, 0) // MOST_LINE * MOST_LINE
        self._fresh = bytearray(begun[whole:])
        lines = [*(self._newest(ended) if sign else ()), *_pieces(begun[:whole])]
        if lines:
            self._heard(lines)

    def say(self, line: str) -> None:
        """Take a line of the arena's own, and tell it."""
        self.close()
        self.note(line)
        self._heard((line,))

    def note(self, line: str) -> None:
        """Keep a line of which nobody is told."""
        self._keep(f"{line}\n".encode())

    def close(self) -> None:
        """A command has ended: what it began to say is a line too, and all is told."""
        if self._fresh and not self._fresh.endswith(b"\n"):
            self._keep(b"\n")
            self._fresh += b"\n"
        self.tell()

    def text(self) -> str:
        """All that is kept; of a megabyte, so that it is not for the loop."""
        text = _COLOURS.sub("", self._kept.decode("utf-8", "replace").replace("\r\n", "\n"))
        # What is no UTF-8 has grown.
        kept = text.encode()[-MOST_KEPT:].decode("utf-8", "ignore")
        if self._forgotten or len(kept) < len(text):
            return f"[the beginning is not kept]\n{kept.partition(chr(10))[2]}"
        return kept

    def _keep(self, chunk: bytes) -> None:
        self._kept += chunk
        if len(self._kept) > MOST_KEPT:
            del self._kept[:-MOST_KEPT]
            self._forgotten = True

    def _newest(self, ended: bytes) -> Iterator[str]:
        """The newest of whole lines."""
        lines = ended.rsplit(b"\n", MOST_LINES)
        if self._left_out or len(lines) > MOST_LINES:
            yield LEFT_OUT
            lines = lines[1:]  # of which a part may be missing
        self._left_out = False
        for line in lines:
            yield from _pieces(line.removesuffix(b"\r")) if line else ("",)


def _pieces(line: bytes) -> Iterator[str]:
    for start in range(0, len(line), MOST_LINE):
        yield _COLOURS.sub("", line[start : start + MOST_LINE].decode("utf-8", "replace"))
