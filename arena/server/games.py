"""The games of a session: a match is announced with its first game, and over with its last."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

from arena.server.remote import MatchTerms
from arena.v1 import referee_pb2


class Games:
    """The open games of one session, by match."""

    def __init__(self) -> None:
        self._matches: dict[MatchTerms, tuple[int, int]] = {}

    @property
    def open(self) -> bool:
        """Whether any game is."""
        return bool(self._matches)

    def begin(
        self, match: MatchTerms, table_id: int, number: int, bot_seed: bytes
    ) -> Iterator[referee_pb2.Item]:
        """A game begins at seat ``number``; what the bot is told."""
        match_id, games = self._matches.get(match, (0, 0))
        if not match_id:
            match_id = new_id()
            yield referee_pb2.Item(match_start=match.message(match_id))
        self._matches[match] = match_id, games + 1
        start = referee_pb2.GameStart(
            match_id=match_id, table_id=table_id, seat=number, bot_seed=bot_seed
        )
        yield referee_pb2.Item(game_start=start)

    def end(
        self, match: MatchTerms, finished: referee_pb2.GameFinished
    ) -> Iterator[referee_pb2.Item]:
        """A game of a match has ended; what the bot is told."""
        yield referee_pb2.Item(game_finished=finished)
        match_id, games = self._matches[match]
        self._matches[match] = match_id, games - 1
        if games == 1:
            del self._matches[match]
            yield referee_pb2.Item(match_finished=referee_pb2.MatchFinished(match_id=match_id))


def new_id() -> int:
    """A name that says nothing: not how many came before, nor what happens in another lane."""
    return secrets.randbits(31) | 1
