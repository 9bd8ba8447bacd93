"""The rules of Bid Euchre: pure, exact, fast.

One engine plays every variant; a variant is one frozen record of data.  Nothing here knows
clocks, files, networks or chance.  Start with::

    from arena.rules import VARIANTS, Game, Dealer

    game = Game(VARIANTS["classic"])
    dealer = Dealer(bytes(32))
    hand = game.deal(dealer.deal(VARIANTS["classic"], "m1", 0))
    while hand.legal:
        hand.apply(hand.legal[0])
    game.score(hand)
"""

from __future__ import annotations

from arena.rules.actions import Action, ActionKind, Move
from arena.rules.calls import Call
from arena.rules.cards import Card, Rank, Seat, Side, Suit, card_text, parse_card
from arena.rules.deal import Dealer, bot_seed, commitment, parse_seed
from arena.rules.dealing import deal_hand
from arena.rules.errors import (
    DealError,
    IllegalAction,
    NotationError,
    Refusal,
    RulesError,
    VariantError,
)
from arena.rules.game import Game, GameEnd, GameResult
from arena.rules.hand import Hand, Phase
from arena.rules.house import variant_from_toml, variant_hash, variant_to_toml
from arena.rules.scoring import Ledger, Settlement
from arena.rules.tables import Tables, tables_of
from arena.rules.variant import Variant
from arena.rules.variants import CLASSIC, DOUBLE, TOKEN, VARIANTS
from arena.rules.view import View, view_of

__all__ = [
    "CLASSIC",
    "DOUBLE",
    "TOKEN",
    "VARIANTS",
    "Action",
    "ActionKind",
    "Call",
    "Card",
    "DealError",
    "Dealer",
    "Game",
    "GameEnd",
    "GameResult",
    "Hand",
    "IllegalAction",
    "Ledger",
    "Move",
    "NotationError",
    "Phase",
    "Rank",
    "Refusal",
    "RulesError",
    "Seat",
    "Settlement",
    "Side",
    "Suit",
    "Tables",
    "Variant",
    "VariantError",
    "View",
    "bot_seed",
    "card_text",
    "commitment",
    "deal_hand",
    "parse_card",
    "parse_seed",
    "tables_of",
    "variant_from_toml",
    "variant_hash",
    "variant_to_toml",
    "view_of",
]
