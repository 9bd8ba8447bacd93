"""A seat whose player is a session, and what its match is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.referee.policy import Policy
from arena.referee.seat import ArenaFault, Question, Refusal, Reply, Take
from arena.rules.record import Ending, EndingKind, GameRecord, HandRecord
from arena.rules.tables import tables_of
from arena.rules.variant import Variant
from arena.v1 import referee_pb2
from arena.wire.actions import ActionReader
from arena.wire.framing import number_tag, varint
from arena.wire.records import ending_message, hand_message
from arena.wire.variants import variant_message
from arena.wire.views import PublicEncoder

if TYPE_CHECKING:
    from arena.server.sessions import Session

_TABLE_ID_TAG: Final = number_tag(referee_pb2.Decision, "table_id")


class MatchTerms:
    """What holds for all games of a match, and how its actions are read.

    Args:
        variant: the rules.
        policy: clocks and faults.
        opponent: the name to tell, empty where it is hidden.
    """

    __slots__ = ("_message", "reader")

    def __init__(self, variant: Variant, policy: Policy, opponent: str = "") -> None:
        self.reader = ActionReader(tables_of(variant))
        self._message = referee_pb2.MatchStart(
            variant=variant_message(variant),
            time_control=referee_pb2.TimeControl(
                bank_ms=policy.time.bank_ms,
                increment_ms=policy.time.increment_ms,
                decision_ms=policy.time.decision_ms,
            ),
            max_faults=policy.max_faults,
            opponent=opponent,
        )

    def message(self, match_id: int) -> referee_pb2.MatchStart:
        """The announcement under the session's name for the match."""
        message = referee_pb2.MatchStart(match_id=match_id)
        message.MergeFrom(self._message)
        return message


class RemoteSeat:
    """One seat of one game, played by a session; and the question that waits for its answer.

    Attributes:
        session: who plays it.
        number: the seat, 0 to 3.
        match: what the game belongs to.
        table_id: its name in the session.
        table_bytes: the same as a field of Decision.
        question: what is asked.
        take: takes the reply; None while nothing is asked.
        decision_id: the question's name in the session; 0 until it is sent.
        handed: when the bot got it, or when it fell due while no stream was there; 0 before.
        meter: the session's meter then.
        lag: the server's lag then.
        overdue: found past its time by the last sweep.
    """

    __slots__ = (
        "decision_id",
        "handed",
        "lag",
        "match",
        "meter",
        "number",
        "overdue",
        "public",
        "question",
        "session",
        "table_bytes",
        "table_id",
        "take",
    )

    question: Question

    def __init__(
        self,
        session: Session,
        match: MatchTerms,
        table_id: int,
        public: PublicEncoder,
        number: int,
    ) -> None:
        self.session = session
        self.number = number
        self.match = match
        self.table_id = table_id
        self.table_bytes = _TABLE_ID_TAG + varint(table_id)
        self.public = public
        self.take: Take | None = None
        self.decision_id = 0
        self.handed = 0
        self.meter = 0.0
        self.lag = 0
        self.overdue = False

    def ask(self, question: Question, take: Take) -> None:
        """Ask the session."""
        self.question = question
        self.take = take
        self.decision_id = 0
        self.handed = 0
        self.overdue = False
        self.session.ask(self)

    def ask_again(self, refusal: Refusal, take: Take) -> None:
        """Renew the question after a refused answer."""
        self.take = take
        self.session.ask_again(self, refusal)

    def reply(self, reply: Reply | ArenaFault) -> None:
        """Hand a reply on."""
        take = self.take
        assert take is not None, "a reply to no question"
        self.take = None
        take(reply)

    def hand_finished(self, hand: HandRecord) -> None:
        """Tell the bot, where its Hello asked for it."""
        if self.session.hand_results:
            finished = referee_pb2.HandFinished(table_id=self.table_id, hand=hand_message(hand))
            self.session.send(referee_pb2.Item(hand_finished=finished))

    def game_finished(self, game: GameRecord) -> None:
        """Tell the bot; the table is gone."""
        self.take = None
        finished = referee_pb2.GameFinished(
            table_id=self.table_id,
            winner=game.winner,
            scores=game.scores,
            ending=ending_message(_told(game.ending, self.number)),
        )
        self.session.close_table(self, finished)


def _told(ending: Ending, seat: int) -> Ending:
    """An ending as a seat may know it (rules I1).

    Why another seat forfeited may speak of that seat's cards ("does not hold JS"), or in its own
    words; how the arena failed is no bot's concern. The record keeps the whole sentence.
    """
    if ending.kind is EndingKind.ARENA_FAULT:
        return ending._replace(sentence="the arena failed")
    if ending.kind.is_forfeit and ending.seat != seat:
        return ending._replace(sentence=f"seat {ending.seat} forfeited the game")
    return ending
