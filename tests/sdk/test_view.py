"""The lazy view says what ``arena.rules.View`` says, field by field, whenever it is read."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from arena.rules import VARIANTS, Action, Variant
from arena.rules import View as RulesView
from arena.sdk import Bot, View
from arena.sdk.decode import ArenaError
from arena.v1 import action_pb2
from tests.sdk.feeder import Feeder, deal, play_game, play_hand, session_for

FIELDS = (*RulesView._fields, "cards", "trick")


class Looking(Bot):
    """Plays at random and keeps what it was shown."""

    seen: ClassVar[list[tuple[Any, tuple[Action, ...]]]] = []

    def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        self.look(view, legal)
        return self.rng.choice(legal)

    def look(self, view: View, legal: tuple[Action, ...]) -> None:
        seen = {name: getattr(view, name) for name in self.fields()}
        seen["moves"] = tuple(seen["moves"])
        self.seen.append((seen, legal))

    def fields(self) -> list[str]:
        return list(FIELDS)


class LookingBackwards(Looking):
    """Reads the fields in the opposite order: none may depend on another being read first."""

    def fields(self) -> list[str]:
        return list(reversed(FIELDS))


class LookingSeldom(Looking):
    """Reads the history now and then only."""

    def look(self, view: View, legal: tuple[Action, ...]) -> None:
        if self.rng.random() < 0.2:
            super().look(view, legal)
        else:
            self.seen.append((None, legal))


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize("bot", [Looking, LookingBackwards, LookingSeldom])
def test_every_field_is_what_the_engine_says(variant: Variant, bot: type[Looking]) -> None:
    feeder, session = Feeder(variant), session_for(bot)
    for item in feeder.opening():
        session.take(item)
    Looking.seen.clear()
    asked = [
        question
        for game in range(4)
        for question in play_game(session, feeder, name=f"view{game}", hands=12)
    ]
    assert len(asked) == len(Looking.seen) > 300
    for question, (seen, legal) in zip(asked, Looking.seen, strict=True):
        assert len(legal) == len(question.legal)
        assert all(mine is theirs for mine, theirs in zip(legal, question.legal, strict=True))
        if seen is not None:
            assert seen == {name: getattr(question.view, name) for name in FIELDS}


class Keeping(Bot):
    views: ClassVar[list[View]] = []

    def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        self.views.append(view)
        return legal[0]


def test_clock_and_forced_moves_are_there() -> None:
    feeder, session = Feeder(VARIANTS["classic"]), session_for(Keeping)
    hand = deal(feeder.variant)
    for item in feeder.opening():
        session.take(item)
    asked = feeder.decision(hand)
    asked.item.decision.private.forced_moves.extend([0, 3])
    asked.item.decision.private.stand_in_moves.append(4)
    session.take(asked.item)
    view = Keeping.views.pop()
    assert (view.time_left_ms, view.bank_left_ms, view.last_latency_us) == (10_000, 60_000, 123)
    assert (view.forced_moves, view.stand_in_moves) == ((0, 3), (4,))


def test_a_field_is_read_from_the_message_once() -> None:
    feeder, session = Feeder(VARIANTS["classic"]), session_for(Keeping)
    for item in feeder.opening():
        session.take(item)
    asked = feeder.decision(deal(feeder.variant))
    session.take(asked.item)
    view = Keeping.views.pop()
    before = view.ledger
    asked.item.decision.public.ledger.scores[0] = 99
    assert view.ledger is before
    assert view.cards is view.cards


def test_an_unknown_attribute_is_an_attribute_error() -> None:
    feeder, session = Feeder(VARIANTS["classic"]), session_for(Keeping)
    for item in feeder.opening():
        session.take(item)
    session.take(feeder.decision(deal(feeder.variant)).item)
    with pytest.raises(AttributeError, match="a view has no 'hand'"):
        _ = Keeping.views.pop().hand  # type: ignore[attr-defined]


def test_an_older_view_does_not_see_later_moves() -> None:
    feeder, session = Feeder(VARIANTS["classic"]), session_for(Keeping)
    for item in feeder.opening():
        session.take(item)
    Keeping.views.clear()
    asked = list(play_hand(session, feeder, deal(feeder.variant)))
    assert len(Keeping.views[-1].moves) == len(asked[-1].view.moves)
    for view, question in zip(Keeping.views, asked, strict=True):
        assert tuple(view.moves) == question.view.moves


def test_an_action_of_a_later_version_is_named_in_the_error() -> None:
    feeder, session = Feeder(VARIANTS["classic"]), session_for(Keeping)
    for item in feeder.opening():
        session.take(item)
    asked = feeder.decision(deal(feeder.variant))
    asked.item.decision.legal.append(action_pb2.Action(kind=99))  # type: ignore[arg-type]
    with pytest.raises(ArenaError, match="kind 99"):
        session.take(asked.item)


def test_a_phase_of_a_later_version_is_named_in_the_error() -> None:
    feeder, session = Feeder(VARIANTS["classic"]), session_for(Keeping)
    for item in feeder.opening():
        session.take(item)
    asked = feeder.decision(deal(feeder.variant))
    asked.item.decision.public.phase = 77  # type: ignore[assignment]
    session.take(asked.item)
    with pytest.raises(ArenaError, match="77"):
        _ = Keeping.views.pop().phase
