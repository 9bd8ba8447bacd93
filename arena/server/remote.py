"""A seat whose player is a session."""

from __future__ import annotations

from collections.abc import Awaitable

from arena.referee.seat import Question, Refusal, Reply
from arena.rules.record import GameRecord, HandRecord
from arena.server.sessions import MatchTerms, OpenTable, Pending, Session
from arena.v1 import referee_pb2
from arena.wire.records import ending_message, hand_message
from arena.wire.views import PublicEncoder


class RemoteSeat:
    """One seat of one game, played by a session."""

    __slots__ = ("_pending", "_session", "_table")

    def __init__(self, session: Session, table: OpenTable) -> None:
        self._session = session
        self._table = table
        self._pending: Pending | None = None

    def act(self, question: Question) -> Awaitable[Reply]:
        """Ask the session."""
        self._pending = self._session.ask(self._table, question)
        return self._pending.future

    def retry(self, refusal: Refusal) -> Awaitable[Reply]:
        """Renew the question after a refused answer."""
        assert self._pending is not None, "nothing was asked"
        self._session.ask_again(self._pending, refusal)
        return self._pending.future

    def hand_finished(self, hand: HandRecord) -> None:
        """Tell the bot, where its Hello asked for it."""
        if self._session.hand_results and self._session.gone is None:
            item = referee_pb2.HandFinished(table_id=self._table.table_id, hand=hand_message(hand))
            self._session.send(referee_pb2.Item(hand_finished=item))

    def game_finished(self, game: GameRecord) -> None:
        """Tell the bot; the table is gone."""
        finished = referee_pb2.GameFinished(
            table_id=self._table.table_id,
            winner=game.winner,
            scores=game.scores,
            ending=ending_message(game.ending),
        )
        self._session.close_table(self._table, finished)


def seat_sessions(
    sessions: list[Session], terms: list[MatchTerms], bot_seeds: list[bytes]
) -> list[RemoteSeat]:
    """Open one table in four sessions, seats 0..3."""
    public = PublicEncoder()
    seats = []
    for seat, session in enumerate(sessions):
        table = session.open_table(terms[seat], seat, bot_seeds[seat])
        table.public = public
        seats.append(RemoteSeat(session, table))
    return seats
