"""The seam between a connection and what is played over it.

A connection knows streams, signals and patience; a conversation knows items, questions and answers
and no network.  A Python bot's conversation is `session`; the bridge to programs has another.
"""

from __future__ import annotations

from collections.abc import Callable, Sized
from typing import Protocol

from arena.v1 import referee_pb2


class Conversation(Protocol):
    """What a connection needs of whoever talks to the arena over it."""

    @property
    def acknowledged(self) -> int:
        """The sequence number of the last item taken in."""

    @property
    def answers(self) -> Sized:
        """What is ready to be sent."""

    @property
    def wants_hands(self) -> bool:
        """Whether to ask for ``hand_finished``."""

    def begin(self) -> None:
        """A new session: nothing of an earlier one is left."""

    def resume(self) -> None:
        """The same session on a new stream: what was not sent will be asked again."""

    def tell(self, response: referee_pb2.PlayResponse) -> None:
        """What concerns no table: Welcome (after ``begin`` or ``resume``), Draining, Goodbye."""

    def take(self, item: referee_pb2.Item) -> None:
        """Take in one item."""

    def request(self) -> referee_pb2.PlayRequest | None:
        """What is to be sent now, None for nothing."""


class OpenConversation(Protocol):
    """Makes the conversation of a connection."""

    def __call__(
        self, *, ready: Callable[[], None], fail: Callable[[BaseException], None]
    ) -> Conversation:
        """Args:
        ready: to be called when something can be sent.
        fail: to be called with what ends the session.
        """
