"""What was said in a step, kept for the one case that it has to be shown."""

from __future__ import annotations

from typing import Any, Final

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

MOST_ENTRIES: Final = 12
"""Entries of a list that are shown whole; of a longer one, its beginning."""
MOST_CHARACTERS: Final = 160
_SECRETS: Final = frozenset({"token", "session_token"})


class Transcript:
    """The last message each way.

    Attributes:
        sent: the last one to the bot; None before the first.
        came: the last one from it.
    """

    def __init__(self) -> None:
        self.sent: Message | None = None
        self.came: Message | None = None

    def clear(self) -> None:
        """A new step begins."""
        self.sent = self.came = None


def message_data(message: Message | None) -> Any:
    """A message as JSON, long lists cut and secrets hidden; None for no message."""
    if message is None:
        return None
    return _short(MessageToDict(message, preserving_proto_field_name=True))


def _short(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: f"({len(inner)} characters)" if key in _SECRETS else _short(inner)
            for key, inner in value.items()
        }
    if isinstance(value, list):
        shown = [_short(entry) for entry in value[:MOST_ENTRIES]]
        more = len(value) - MOST_ENTRIES
        return [*shown, f"and {more} more"] if more > 0 else shown
    if isinstance(value, str) and len(value) > MOST_CHARACTERS:
        return f"{value[:MOST_CHARACTERS]}... ({len(value)} characters)"
    return value
