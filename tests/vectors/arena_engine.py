"""The arena's engine in the shape that the runner asks for."""

from collections.abc import Sequence
from typing import assert_never

from arena.rules import (
    VARIANTS,
    Action,
    Dealer,
    Game,
    GameEnd,
    Hand,
    IllegalAction,
    Ledger,
    NotationError,
    Seat,
    card_text,
    parse_card,
)
from arena.rules.refusal import refuse
from tests.vectors.engine import Facts, Refused
from tests.vectors.files import Given


def end_text(end: GameEnd) -> str:
    """The vectors' word for how a game ended."""
    match end:
        case GameEnd.TARGET | GameEnd.BOTH_REACHED:
            return "target"
        case GameEnd.HAND_LIMIT:
            return "max_hands"
        case GameEnd.ALL_HANDS:
            return "hands_in_match"
        case _:
            assert_never(end)


def ledger_facts(ledger: Ledger) -> Facts:
    """Scores, tokens and both debts."""
    return {name: list(pair) for name, pair in ledger._asdict().items()}


def contract_facts(hand: Hand) -> Facts | None:
    """None until the auction is over, then declarer, bid and call."""
    contract = hand.contract
    if contract is None:
        return None
    call = None if hand.call is None else hand.call.text
    bid = hand.tables.variant.bids[contract.level].name
    return {"declarer": hand.declarer, "bid": bid, "call": call}


def apply_text(hand: Hand, seat: int, text: str) -> None:
    """Do it for that seat, or raise `Refused`."""
    try:
        action: Action = hand.tables.parse(text)
        if seat != hand.to_act:
            raise refuse(hand, Seat(seat), action)
        hand.apply(action)
    except (IllegalAction, NotationError) as refusal:
        raise Refused(str(refusal)) from None


class ArenaHand:
    """One hand, which is scored in its game after the last card."""

    def __init__(self, game: Game, hands: Sequence[Sequence[str]]) -> None:
        self.game = game
        self.hand = game.deal([[parse_card(card) for card in cards] for cards in hands])

    def facts(self) -> Facts:
        """Everything that a case may expect."""
        hand, result = self.hand, self.game.result
        return {
            **ledger_facts(self.game.ledger if hand.over else hand.ledger),
            "to_act": None if hand.over else hand.to_act,
            "legal": sorted(action.text for action in hand.legal),
            "contract": contract_facts(hand),
            "trick_winner": hand.leader if sum(hand.tricks) else None,
            "trick_counts": hand.tricks,
            "over": result is not None,
            "winner": None if result is None else result.winner,
        }

    def fingerprint(self) -> object:
        """Every field of the hand; its lists are copied, all else in it never changes."""
        fields = {name: getattr(self.hand, name) for name in Hand.__slots__}
        return {
            name: value[:] if isinstance(value, list) else value for name, value in fields.items()
        }

    def apply(self, seat: int, text: str) -> None:
        """Do it, or raise `Refused`."""
        apply_text(self.hand, seat, text)
        if self.hand.over:
            self.game.score(self.hand)


class ArenaGame:
    """A whole game over the deals of a seed."""

    def __init__(self, variant: str, seed: bytes, set_id: str, first_board: int) -> None:
        self.game = Game(VARIANTS[variant])
        self.dealer = Dealer(seed)
        self.set_id = set_id
        self.first_board = first_board
        self.finished: list[Facts] = []
        self.cards = self.dealer.deal(VARIANTS[variant], set_id, first_board)
        self.hand = self.game.deal(self.cards)

    def legal(self) -> tuple[int | None, Sequence[str]]:
        """The seat to act and its legal actions."""
        return self.hand.to_act, [action.text for action in self.hand.legal]

    def apply(self, seat: int, text: str) -> None:
        """Do it, or raise `Refused`; after the last card the hand is scored and the next dealt."""
        apply_text(self.hand, seat, text)
        if not self.hand.over:
            return
        self.game.score(self.hand)
        self.finished.append(self.scored_hand())
        if self.game.result is None:
            board = self.first_board + self.game.hands_played
            self.cards = self.dealer.deal(self.game.tables.variant, self.set_id, board)
            self.hand = self.game.deal(self.cards)

    def scored_hand(self) -> Facts:
        """The hand just scored, as the vectors print it."""
        return {
            **ledger_facts(self.game.ledger),
            "board": self.first_board + self.hand.number,
            "dealer": self.hand.dealer,
            "contract": contract_facts(self.hand),
            "trick_counts": self.hand.tricks,
        }

    def dealt(self) -> list[list[str]]:
        """The four hands of the current deal as they were dealt."""
        return [[card_text(card) for card in hand] for hand in self.cards]

    def scored(self) -> Sequence[Facts]:
        """The scored state after each finished hand."""
        return self.finished

    def final(self) -> Facts:
        """Scores, winner and how the game ended."""
        result = self.game.result
        return {
            **ledger_facts(self.game.ledger),
            "over": result is not None,
            "winner": None if result is None else result.winner,
            "end": None if result is None else end_text(result.end),
            "hands_played": self.game.hands_played,
        }


class ArenaEngine:
    """Makes hands and games of `arena.rules`."""

    def hand(self, variant: str, given: Given) -> ArenaHand:
        """A hand from a given position."""
        ledger = Ledger(given.scores, given.tokens, given.token_debt, given.hlm_debt)
        game = Game(
            VARIANTS[variant],
            ledger=ledger,
            dealer=Seat(given.dealer),
            hands_played=given.hands_played,
        )
        return ArenaHand(game, given.hands)

    def game(self, variant: str, seed: bytes, set_id: str, first_board: int) -> ArenaGame:
        """A game from 0-0."""
        return ArenaGame(variant, seed, set_id, first_board)
