"""One hand, asked and answered: the questions of the rule vectors as methods of `Hand`."""

import copy

from tests.reference.auction import contract_of, legal_words, to_speak
from tests.reference.cards import by_code_point
from tests.reference.exchange import legal_exchange, next_step
from tests.reference.knowledge import Known, known
from tests.reference.play import (
    Trick,
    finished_tricks,
    hands_now,
    is_called,
    is_finished,
    legal_cards,
    to_play,
    tricks_of,
    winner_of,
)
from tests.reference.scoring import result_now, trick_counts
from tests.reference.shapes import Action, Contract, Given, Record, Refused, Result, State
from tests.reference.tables import CALLS


class Hand:
    """A hand of the named variant from a given position; only `apply` changes it."""

    def __init__(self, variant: str, given: Given) -> None:
        self.record: Record = {
            "variant": variant,
            "given": copy.deepcopy(given),
            "actions": [],
        }

    def turn(self) -> tuple[int | None, list[str]]:
        """The seat to act and its legal actions, in no order, a twin perhaps twice."""
        record = self.record
        speaker = to_speak(record)
        if speaker is not None:
            return speaker, legal_words(record, speaker)
        contract = contract_of(record)
        assert contract is not None
        if contract["call"] is None:  # B3, T1.2
            calls = [f"call {call}" for call in CALLS[record["variant"]]]
            return contract["declarer"], calls
        step = next_step(record)
        if step is not None:
            seat, verb = step
            return seat, legal_exchange(record, seat, verb)
        player = to_play(record)
        if player is None:
            return None, []
        return player, [f"play {card}" for card in legal_cards(record, player)]

    def to_act(self) -> int | None:
        """The seat whose turn it is, or None after the last card."""
        return self.turn()[0]

    def legal(self) -> list[str]:
        """The legal actions of that seat, sorted by code point, a twin once."""
        return by_code_point(self.turn()[1])

    def apply(self, seat: int, text: str) -> None:
        """Do what `seat` wants to do, or raise `Refused` and change nothing (C3.7)."""
        to_act, legal = self.turn()
        if seat != to_act:
            raise Refused(f"seat {seat} is not to act, {to_act} is")
        if text not in legal:
            raise Refused(f"'{text}' is not among {by_code_point(legal)}")
        self.record["actions"].append((seat, text))

    def actions(self) -> list[Action]:
        """Everything done so far."""
        return list(self.record["actions"])

    def contract(self) -> Contract | None:
        """C2.5: None until the auction is over."""
        return contract_of(self.record)

    def hands(self) -> list[list[str]]:
        """What each seat holds now."""
        return hands_now(self.record)

    def tricks(self) -> list[Trick]:
        """The cards on the table, trick by trick, the last one perhaps unfinished."""
        return tricks_of(self.record) if is_called(self.record) else []

    def trick_winner(self) -> int | None:
        """The seat that took the last finished trick."""
        if not is_called(self.record) or not finished_tricks(self.record):
            return None
        return winner_of(self.record, finished_tricks(self.record)[-1])

    def trick_counts(self) -> list[int]:
        """Tricks taken so far, by side."""
        return trick_counts(self.record) if is_called(self.record) else [0, 0]

    def is_finished(self) -> bool:
        """The last card has been played, so the hand is scored."""
        return is_finished(self.record)

    def result(self) -> Result:
        """Both sides now; the hand's points are in it once it is finished (C4.7)."""
        return result_now(self.record)

    def state(self) -> State:
        """All that the `expect` of a rule vector can ask for."""
        result = self.result()
        return {
            "to_act": self.to_act(),
            "legal": self.legal(),
            "contract": self.contract(),
            "trick_winner": self.trick_winner(),
            "scores": result["scores"],
            "tokens": result["tokens"],
            "token_debt": result["token_debt"],
            "hlm_debt": result["hlm_debt"],
            "over": result["end"] is not None,
            "winner": result["winner"],
        }

    def known(self, seat: int) -> Known:
        """All that this seat is entitled to know (I1, I2)."""
        return known(self.record, seat)
