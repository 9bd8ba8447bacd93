"""Why a stream of a bot ends before its time."""

from __future__ import annotations

import grpc


class StreamRefused(Exception):
    """The stream ends with this status; the sentence is for the bot's author."""

    def __init__(self, status: grpc.StatusCode, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
