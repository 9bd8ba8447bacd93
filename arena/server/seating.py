"""Four sessions at one table."""

from __future__ import annotations

from collections.abc import Sequence

from arena.server.remote import MatchTerms, RemoteSeat
from arena.server.sessions import Session
from arena.wire.views import PublicEncoder


def seat_all(
    sessions: Sequence[Session], terms: Sequence[MatchTerms], bot_seeds: Sequence[bytes]
) -> list[RemoteSeat]:
    """Begin a game with four sessions at seats 0..3, which share the public part of their views."""
    public = PublicEncoder()
    return [
        session.open_seat(terms[number], number, bot_seeds[number], public)
        for number, session in enumerate(sessions)
    ]
