"""The class that every Python bot derives from."""

from __future__ import annotations

from collections.abc import Awaitable
from functools import cached_property
from random import Random

from arena.rules import Action, Seat, Tables, Variant, tables_of
from arena.sdk.values import FinishedGame, FinishedHand, Match
from arena.sdk.view import View


class Bot:
    """A bot at one table. One instance is made for each game; override ``act``.

    Whatever is to be prepared for a game belongs into ``game_started``.  A bot that is to be
    repeatable draws chance from ``rng`` alone and looks at no clock.

    Attributes:
        match: what holds for all games of the match: rules, clocks, opponent.
        variant: the rules, as data.
        tables: the rules as tables: who follows whom, who beats whom, in each call.
        seat: the seat it plays, 0..3.
        bot_seed: the eight bytes that its chance comes from.
    """

    def __init__(self, match: Match, seat: Seat, bot_seed: bytes) -> None:
        self.match = match
        self.variant: Variant = match.variant
        self.tables: Tables = tables_of(match.variant)
        self.seat = seat
        self.bot_seed = bot_seed

    @cached_property
    def rng(self) -> Random:
        """Chance that is the same whenever the tournament is repeated."""
        return Random(self.bot_seed)

    def act(self, view: View, legal: tuple[Action, ...]) -> Action | Awaitable[Action]:
        """The action to take: one of ``legal``. May be ``async``; then it must not block.

        An action that is not legal costs a fault: the kit says so on standard error and
        answers ``legal[0]`` in its place.

        Args:
            view: everything that the seat knows of the hand.
            legal: everything that is legal, at least two actions, in canonical order.
        """
        raise NotImplementedError(f"{type(self).__name__} has no method act(self, view, legal)")

    def game_started(self) -> None:
        """The game begins; nothing has been dealt."""

    def hand_finished(self, hand: FinishedHand) -> None:
        """A hand was scored, all its cards are known. Sent only to bots that override this."""

    def game_finished(self, game: FinishedGame) -> None:
        """The game is over; this instance is not used again."""


def wants_hands(bot: type[Bot]) -> bool:
    """Whether a bot asks for ``hand_finished``; making what it is told costs more than playing."""
    return bot.hand_finished is not Bot.hand_finished
