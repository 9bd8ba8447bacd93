"""The plain dicts that the oracle reads and returns; they have the shape of the rule vectors."""

from typing import NotRequired, TypedDict

Action = tuple[int, str]
"""A seat, and what it did in the notation of rules.md N."""


class Given(TypedDict):
    """The position before the first word of a hand. Pairs are by side, `hands` by seat."""

    dealer: int
    hands: list[list[str]]
    scores: list[int]
    tokens: list[int]
    token_debt: list[bool]
    hlm_debt: list[int]
    hands_played: NotRequired[int]


class Record(TypedDict):
    """All that ever happened in a hand. Everything else is worked out from this."""

    variant: str
    given: Given
    actions: list[Action]


class Contract(TypedDict):
    """What the auction came to. `call` is None until it is named."""

    declarer: int
    bid: str
    call: str | None


class Result(TypedDict):
    """Both sides after a scored hand. `winner` is None in a draw and while `end` is None."""

    scores: list[int]
    tokens: list[int]
    token_debt: list[bool]
    hlm_debt: list[int]
    end: str | None
    winner: int | None


class State(TypedDict):
    """Everything that the `expect` of a rule vector can ask for."""

    to_act: int | None
    legal: list[str]
    contract: Contract | None
    trick_winner: int | None
    scores: list[int]
    tokens: list[int]
    token_debt: list[bool]
    hlm_debt: list[int]
    over: bool
    winner: int | None


class Refused(ValueError):
    """The rules forbid this action; nothing has changed (C3.7)."""
