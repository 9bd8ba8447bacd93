"""Why a stream of a bot ends before its time."""

from __future__ import annotations

from typing import Final

import grpc

from arena.server.services.errors import CallError, too_much

_DETAILS: Final = "grpc-status-details-bin"


class StreamRefused(Exception):
    """The stream ends with this status; the sentence is for the bot's author.

    Attributes:
        trailing: metadata that goes with the status: when to come again, where that helps.
    """

    def __init__(self, status: grpc.StatusCode, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.trailing: tuple[tuple[str, bytes], ...] = ()


def put_off(sentence: str, *, retry_ms: int) -> StreamRefused:
    """A limit is reached; the sentence does not say when to come again."""
    details: CallError = too_much(sentence, retry_ms=retry_ms)
    refused = StreamRefused(details.code, str(details))
    refused.trailing = ((_DETAILS, details.status().SerializeToString()),)
    return refused
