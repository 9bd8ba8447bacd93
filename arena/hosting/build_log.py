"""What a build says: passed on line by line as it comes, the end of it kept."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from typing import Final

from arena.hosting.sizes import MEBIBYTE

MOST_KEPT: Final = MEBIBYTE
"""Bytes of the log; what came before is forgotten."""

MOST_LINE: Final = 4096
"""Bytes of a line; a longer one is told as several."""


_COLOURS: Final = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours, and moves of the cursor
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"  # titles and links
    r"|\x1b[ -/]*[0-Z\\^-~]"
)
"""What build tools write for a terminal, and no reader wants."""


class BuildLog:
    """The log of one build.

    Args:
        heard: told of each line.
    """

    def __init__(self, heard: Callable[[str], None] = lambda _: None) -> None:
        self._heard = heard
        self._lines: deque[str] = deque()
        self._size = 0
        self._begun = b""
        self._forgotten = False

    def add(self, chunk: bytes) -> None:
        """Take what a command has written."""
        *lines, self._begun = (self._begun + chunk).split(b"\n")
        for line in lines:
            self._take(line)
        while len(self._begun) > MOST_LINE:
            self._take(self._begun[:MOST_LINE])
            self._begun = self._begun[MOST_LINE:]

    def say(self, line: str) -> None:
        """Take a line of the arena's own."""
        self.close()
        self._keep(line)

    def note(self, line: str) -> None:
        """Keep a line of which nobody is told."""
        self._lines.append(line)
        self._size += len(line.encode()) + 1
        while self._size > MOST_KEPT:
            self._size -= len(self._lines.popleft().encode()) + 1
            self._forgotten = True

    def close(self) -> None:
        """A command has ended: what it began to say is a line too."""
        if self._begun:
            begun, self._begun = self._begun, b""
            self._take(begun)

    def text(self) -> str:
        """All that is kept."""
        head = "[the beginning is not kept]\n" if self._forgotten else ""
        return head + "".join(f"{line}\n" for line in self._lines)

    def _take(self, line: bytes) -> None:
        line = line.removesuffix(b"\r")
        for start in range(0, len(line) or 1, MOST_LINE):
            text = line[start : start + MOST_LINE].decode("utf-8", "replace")
            self._keep(_COLOURS.sub("", text))

    def _keep(self, line: str) -> None:
        self.note(line)
        self._heard(line)
