"""A game as it was played: its deals, its moves, and what each bot did with each question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from arena.referee.course import Course, _Sitting
from arena.referee.policy import OnForfeit, Policy
from arena.rules import Action, Card, Dealer, Ledger, Seat, Variant, tables_of
from arena.rules.game import Game
from arena.rules.record import EndingKind, GameRecord, Mover
from arena.v1 import action_pb2
from arena.wire.actions import key_of
from tests.leaks.stage import Act, Asked, Deed, Stage

Deal = tuple[tuple[Card, ...], ...]
"""The cards of seats 0..3."""

_PASS: Final = action_pb2.ACTION_KIND_PASS
_BID: Final = action_pb2.ACTION_KIND_BID
_FORCES: Final = (
    action_pb2.ACTION_KIND_FORCE_PARTNER,
    action_pb2.ACTION_KIND_FORCE_OPPONENTS,
)
_SPEECHES: Final = (_BID, *_FORCES)
FAULTY: Final = (Deed.WRONG, Deed.SILENCE, Deed.LEAVE)


@dataclass(frozen=True, slots=True)
class Opening:
    """How a game stands before one of its hands: enough to begin there.

    Attributes:
        number: of the hand.
        ledger: scores, tokens, debts.
        dealer: of the hand.
        sittings: the referee's state of seats 0..3: banks, faults, who is replaced.
    """

    number: int
    ledger: Ledger
    dealer: Seat
    sittings: tuple[_Sitting, ...]
    faults: tuple[int, ...]
    replaced: tuple[bool, ...]


@dataclass(slots=True)
class HandScript:
    """One hand.

    Attributes:
        opening: how the game stood before it.
        deal: its cards.
        acts: by the number of moves so far, what the bot did with the question besides answering.
        closed: the questions that were closed by the last of their acts.
        marks: by the number of moves so far, who was asked, and how many messages that seat had
            got just before its question was closed.
        moves: seat and action, exchanged cards shown.
        movers: who made them.
        broken: whether a forfeit ended it.
    """

    opening: Opening
    deal: Deal
    acts: dict[int, tuple[Act, ...]] = field(default_factory=dict)
    closed: set[int] = field(default_factory=set)
    marks: dict[int, tuple[int, int]] = field(default_factory=dict)
    moves: tuple[tuple[int, Action], ...] = ()
    movers: tuple[Mover, ...] = ()
    broken: bool = False

    def acts_at(self, index: int) -> tuple[tuple[Act, ...], tuple[Act, ...]]:
        """The acts of a question, and, apart, one that closed it."""
        acts = self.acts.get(index, ())
        return (acts[:-1], acts[-1:]) if index in self.closed else (acts, ())

    def faults(self, seat: int, until: int) -> list[int]:
        """Where the seat was at fault, once for each fault, in the first ``until`` questions."""
        return [
            index
            for index, (asked, _) in sorted(self.marks.items())
            if asked == seat and index < until
            for act in self.acts.get(index, ())
            if act.deed in FAULTY
        ]

    def left(self, seat: int, until: int) -> bool:
        """Whether the seat's process ended before that move."""
        return any(
            asked == seat and index < until and any(a.deed is Deed.LEAVE for a in self.acts[index])
            for index, (asked, _) in self.marks.items()
        )


@dataclass(slots=True)
class Script:
    """One game, and every message it sent."""

    variant: Variant
    policy: Policy
    hand_results: tuple[bool, ...]
    patient: bool
    hands: list[HandScript] = field(default_factory=list)
    messages: tuple[list[bytes], ...] = ()


def course_from(script: Script, opening: Opening | None, deals: Sequence[Deal]) -> Course:
    """A course that begins before a hand of the game; None for 0-0. The last deal comes again."""
    first = 0 if opening is None else opening.number
    course = Course(
        script.variant,
        script.policy,
        half="a",
        deal_set="leaks",
        deal=lambda board: deals[min(board - first, len(deals) - 1)],
    )
    if opening is not None:
        course._game = Game(
            script.variant,
            ledger=opening.ledger,
            dealer=opening.dealer,
            hands_played=opening.number,
        )
        course._sittings = [_copied(sitting) for sitting in opening.sittings]
    return course


def opening_of(course: Course) -> Opening:
    """How a course stands now, before a hand."""
    game, sittings = course._game, course._sittings
    return Opening(
        number=game.hands_played,
        ledger=game.ledger,
        dealer=game.dealer,
        sittings=tuple(_copied(sitting) for sitting in sittings),
        faults=tuple(sitting.total for sitting in sittings),
        replaced=tuple(sitting.replaced for sitting in sittings),
    )


def _copied(sitting: _Sitting) -> _Sitting:
    return replace(sitting, faults=dict(sitting.faults))


async def play(variant: Variant, seed: int) -> Script:
    """Play a game at random: bots, their faults, and the policy follow from the seed."""
    chance = Random(f"{variant.name} {seed}")
    policy = Policy(
        max_faults=chance.choice((1, 2, 3, 3, 8)),
        on_forfeit=chance.choice((OnForfeit.STAND_IN, OnForfeit.STAND_IN, OnForfeit.LOSE)),
    )
    wanted = tuple(chance.random() < 0.3 for _ in range(4))
    script = Script(variant, policy, wanted, patient=chance.random() < 0.8)
    dealer = Dealer(chance.randbytes(32))
    bot = _Bot(
        chance, variant, chance.choice((0.0, 0.05, 0.3)), chance.choice((0.05, 0.1, 0.2, 0.3))
    )

    def deal(board: int) -> Deal:
        cards = dealer.deal(variant, "leaks", board)
        script.hands.append(HandScript(opening_of(course), cards))
        return cards

    course = Course(variant, policy, half="a", deal_set="leaks", deal=deal)
    stage = Stage(variant, policy, course, wanted, patient=script.patient)
    await stage.open()
    while (asked := stage.asked) is not None:
        await _question(stage, asked, script.hands[asked.hand], bot)
    assert stage.record is not None, "a game without open questions is over"
    script.messages = stage.messages
    _add_moves(script, stage.record)
    return script


@dataclass(frozen=True, slots=True)
class _Bot:
    """Plays at random, sometimes badly."""

    chance: Random
    variant: Variant
    clumsy: float
    bold: float

    def acts(self, asked: Asked) -> tuple[Act, ...]:
        """What it does besides answering."""
        chance = self.chance
        if chance.random() >= self.clumsy:
            return ()
        acts = [self._act(asked) for _ in range(chance.randint(1, 2))]
        return tuple(acts)

    def _act(self, asked: Asked) -> Act:
        chance = self.chance
        deeds = (*Deed, Deed.WAIT, Deed.WRONG, Deed.RESUME, Deed.SILENCE)
        deed = chance.choice(deeds)
        if deed is Deed.LEAVE and chance.random() < 0.8:
            deed = Deed.WAIT
        wrong = self._wrong(asked) if deed is Deed.WRONG else None
        return Act(deed, chance.randint(1, 2_000_000), wrong)

    def _wrong(self, asked: Asked) -> Action | None:
        """Something that is not legal, most often of the right kind."""
        legal = {(a.kind, a.card, a.bid, a.call) for a in asked.decision.legal}
        kind = asked.decision.legal[-1].kind
        texts = tables_of(self.variant).texts
        wrong = [a for a in texts.values() if key_of(a) not in legal]
        near = [action for action in wrong if key_of(action)[0] == kind]
        return self.chance.choice([None, *wrong[:3], *near])

    def choose(self, asked: Asked) -> action_pb2.Action:
        """Its answer: mostly passes and low bids, that scores may rise; else anything."""
        chance, legal = self.chance, list(asked.decision.legal)
        forces = [action for action in legal if action.kind in _FORCES]
        if forces and chance.random() < 0.3:
            return chance.choice(forces)
        if legal[0].kind == _PASS and chance.random() < 0.75:
            return legal[0]
        if legal[-1].kind in _SPEECHES and chance.random() >= self.bold:
            return chance.choice(legal[:2])
        return chance.choice(legal)


async def _question(stage: Stage, asked: Asked, hand: HandScript, bot: _Bot) -> None:
    """Have a bot deal with a question, and write down how."""
    done: list[Act] = []
    for act in bot.acts(asked):
        got = len(stage.messages[asked.seat])
        hand.marks[asked.index] = asked.seat, got
        done.append(act)
        hand.acts[asked.index] = tuple(done)
        await stage.do(act)
        if stage.asked is None or not same(stage.asked, asked):
            hand.closed.add(asked.index)
            return
    hand.acts[asked.index] = tuple(done)
    hand.marks[asked.index] = asked.seat, len(stage.messages[asked.seat])
    await stage.answer(bot.choose(asked))


def same(one: Asked, other: Asked) -> bool:
    """Whether both are the same question, which may have been sent again."""
    return (one.seat, one.hand, one.index) == (other.seat, other.hand, other.index)


def _add_moves(script: Script, record: GameRecord) -> None:
    texts = tables_of(script.variant).texts
    for hand, recorded in zip(script.hands, record.hands, strict=True):
        hand.moves = tuple((move.seat, texts[move.action]) for move in recorded.moves)
        hand.movers = tuple(move.mover for move in recorded.moves)
    assert record.ending.kind is not EndingKind.ARENA_FAULT, record.ending.sentence
    script.hands[-1].broken = record.ending.kind.is_forfeit
