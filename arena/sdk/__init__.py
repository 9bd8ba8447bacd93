"""What a Python bot imports, and all it needs::

    from arena.sdk import Bot, run

    class First(Bot):
        def act(self, view, legal):
            return legal[0]

    run(First)

Started with ``ARENA_ADDR`` and ``ARENA_TOKEN`` set (``options`` lists all settings), this plays
every game that the arena gives it.  ``view`` has the fields of ``View``; ``legal`` holds
``Action`` values, which are interned, so ``is`` and ``in`` work.  The rules' values that bots
reason with are re-exported here; ``Dealer``, ``Game`` and ``view_of`` play games without arena,
and ``Knowledge`` says what follows from a view and draws hands to search.
"""

from arena.rules import (
    VARIANTS,
    Action,
    ActionKind,
    Call,
    Card,
    Dealer,
    Game,
    Hand,
    Ledger,
    Move,
    Phase,
    Rank,
    Seat,
    Side,
    Suit,
    Tables,
    Variant,
    bot_seed,
    card_text,
    deal_hand,
    tables_of,
    view_of,
)
from arena.rules.actions import NO_CARD, NO_LEVEL
from arena.rules.cards import CARDS, card_of, left_of, partner_of, rank_of, side_of, suit_of
from arena.rules.hand import NO_SEAT
from arena.rules.tables import NOBODY, ROTATIONS, effective_suit
from arena.rules.variant import (
    AllPass,
    Auction,
    BidRule,
    CallRule,
    Exchange,
    Naming,
    OpeningLead,
    TokenRules,
)
from arena.sdk.bot import Bot
from arena.sdk.guesses import Contradiction, Guess, openings, replayed
from arena.sdk.knowledge import Knowledge
from arena.sdk.loading import LoadError, load_bot
from arena.sdk.program import run
from arena.sdk.seen import Seen
from arena.sdk.values import FinishedGame, FinishedHand, Match
from arena.sdk.view import View

__all__ = [
    "CARDS",
    "NOBODY",
    "NO_CARD",
    "NO_LEVEL",
    "NO_SEAT",
    "ROTATIONS",
    "VARIANTS",
    "Action",
    "ActionKind",
    "AllPass",
    "Auction",
    "BidRule",
    "Bot",
    "Call",
    "CallRule",
    "Card",
    "Contradiction",
    "Dealer",
    "Exchange",
    "FinishedGame",
    "FinishedHand",
    "Game",
    "Guess",
    "Hand",
    "Knowledge",
    "Ledger",
    "LoadError",
    "Match",
    "Move",
    "Naming",
    "OpeningLead",
    "Phase",
    "Rank",
    "Seat",
    "Seen",
    "Side",
    "Suit",
    "Tables",
    "TokenRules",
    "Variant",
    "View",
    "bot_seed",
    "card_of",
    "card_text",
    "deal_hand",
    "effective_suit",
    "left_of",
    "load_bot",
    "openings",
    "partner_of",
    "rank_of",
    "replayed",
    "run",
    "side_of",
    "suit_of",
    "tables_of",
    "view_of",
]
