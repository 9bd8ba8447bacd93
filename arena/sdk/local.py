"""A bot at a table in its own process: the view it is shown, what it is told of a hand.

The same types as over the wire, made from the engine's values, so a bot cannot tell the difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arena.rules import VARIANTS, Card, Hand, Seat, Settlement, parse_card, tables_of
from arena.rules import View as RulesView
from arena.rules.deal import bot_seed
from arena.rules.record import HandRecord
from arena.rules.scoring import Ledger
from arena.rules.variant import Variant
from arena.sdk.bot import Bot
from arena.sdk.values import FinishedHand, Match
from arena.sdk.view import View

NO_CLOCK_MS: Final = 10_000
"""What a view says is left where nobody looks at the clock."""

_SHARED: Final = frozenset({*RulesView._fields, "cards", "trick"})


class LocalView(View):
    """A view without a message behind it: it reads from the engine's view of the same seat."""

    __slots__ = ("_seen",)

    def __init__(
        self,
        seen: RulesView,
        *,
        time_left_ms: int = NO_CLOCK_MS,
        bank_left_ms: int = NO_CLOCK_MS,
        forced_moves: tuple[int, ...] = (),
        stand_in_moves: tuple[int, ...] = (),
    ) -> None:
        self._seen = seen
        self.time_left_ms = time_left_ms
        self.bank_left_ms = bank_left_ms
        self.last_latency_us = 0
        self.forced_moves = forced_moves
        self.stand_in_moves = stand_in_moves

    def __getattr__(self, name: str) -> Any:
        # Called only for a slot that is still empty, and for names that do not exist.
        if name not in _SHARED:
            raise AttributeError(f"a view has no {name!r}", name=name, obj=self)
        value = getattr(self._seen, name)
        setattr(self, name, value)
        return value


def local_bot(
    bot: type[Bot], match: Match, seat: Seat, *, seed: bytes, set_id: str, half: str = "a"
) -> Bot:
    """An instance at a table, told that the game begins, with the chance the arena gives it."""
    instance = bot(match, seat, bot_seed(seed, set_id, half, 0, seat))
    instance.game_started()
    return instance


def named_variant(variant: str | Variant) -> Variant:
    """The variant of a name, or the one that is given.

    Raises:
        ValueError: there is none of that name.
    """
    if isinstance(variant, Variant):
        return variant
    for name, known in VARIANTS.items():  # by comparing: what is no name may have no hash
        if name == variant:
            return known
    raise ValueError(f"{variant!r} is no variant: {', '.join(VARIANTS)}, or a Variant")


def finished_hand(
    hand: Hand, dealt: Sequence[Sequence[Card]], settlement: Settlement
) -> FinishedHand:
    """What a bot is told of a hand that was just scored."""
    return FinishedHand(
        dealer=hand.dealer,
        dealt=tuple(map(tuple, dealt)),
        moves=tuple(hand.moves()),
        made=settlement.made,
        tricks=(hand.tricks[0], hand.tricks[1]),
        points=settlement.points,
        ledger=settlement.ledger,
    )


def recorded_hand(record: HandRecord, variant: Variant) -> FinishedHand:
    """What a bot is told of a hand that was recorded; it must have been finished."""
    result, parse = record.result, tables_of(variant).parse
    assert result is not None, "a hand was told of before it was scored"
    return FinishedHand(
        dealer=record.dealer,
        dealt=tuple(tuple(parse_card(card) for card in cards) for cards in record.dealt),
        moves=tuple(parse(move.action).moves[move.seat] for move in record.moves),
        made=result.made,
        tricks=result.tricks,
        points=result.points,
        ledger=Ledger(result.scores, result.tokens, result.token_debt, result.hlm_debt),
    )
