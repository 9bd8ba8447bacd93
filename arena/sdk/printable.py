"""What the arena says, as a line that is safe to print.

A bot plays in arenas that its author does not run; what they send must not move the cursor of a
terminal, hide a line of a log, or fill it.
"""

from __future__ import annotations

import unicodedata
from typing import Final

MAX_CHARACTERS: Final = 500
"""What is told of a line; the contract's sentences are shorter."""


def printable(text: str) -> str:
    """The text in one line: control characters as ``\\x1b``, cut after `MAX_CHARACTERS`."""
    line = "".join(map(_escaped, text[:MAX_CHARACTERS]))
    return f"{line}..." if len(text) > MAX_CHARACTERS else line


def _escaped(character: str) -> str:
    is_control = unicodedata.category(character) == "Cc"
    return f"\\x{ord(character):02x}" if is_control else character
