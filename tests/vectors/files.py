"""Reads vector files: rule cases and whole games, every field checked before anything is run."""

import re
from pathlib import Path
from typing import Any

import msgspec

from tests.reference.cards import deck
from tests.reference.tables import VARIANTS

Pair = tuple[int, int]
Action = tuple[int, str]


class BadFile(Exception):
    """A file that cannot be run; the text is one sentence that names the file and the place."""


class Given(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The position before the first word of a hand; pairs by side, `hands` by seat."""

    dealer: int
    hands: tuple[tuple[str, ...], ...]
    scores: Pair
    tokens: Pair
    token_debt: tuple[bool, bool]
    hlm_debt: Pair
    hands_played: int = 0


class Case(msgspec.Struct, frozen=True):
    """A position of one hand and what holds there. `expect` keeps the shape of the JSON."""

    id: str
    variant: str
    given: Given
    actions: tuple[Action, ...]
    expect: dict[str, Any]


class WholeGame(msgspec.Struct, frozen=True):
    """A game from its first deal to its end, with the scored state after each hand."""

    id: str
    variant: str
    seed_hex: str
    set_id: str
    first_board: int
    first_deal: tuple[tuple[str, ...], ...]
    actions: tuple[Action, ...]
    hands: tuple[dict[str, Any], ...]
    final: dict[str, Any]


Vector = Case | WholeGame


def read_vectors(path: Path) -> list[Vector]:
    """All elements of a file. Raises `BadFile`."""
    try:
        elements = msgspec.json.decode(path.read_bytes())
    except OSError as error:
        raise BadFile(
            f"{path}: cannot be read ({error.strerror}); name a file of vectors"
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadFile(f"{path}: is not JSON ({error})") from None
    if not isinstance(elements, list) or not elements:
        raise BadFile(
            f"{path}: must hold a list of rule cases or whole games with at least one element"
        )
    return [
        vector_from(element, f"{path}: element {number}") for number, element in enumerate(elements)
    ]


def vector_from(element: object, place: str) -> Vector:
    """One element, told apart by the key that only its kind has."""
    kind: type[Case] | type[WholeGame]
    if isinstance(element, dict) and "given" in element:
        kind = Case
    elif isinstance(element, dict) and "seed_hex" in element:
        kind = WholeGame
    else:
        raise BadFile(
            f"{place}: is neither a rule case (key 'given') nor a whole game (key 'seed_hex')"
        )
    try:
        vector = msgspec.convert(element, kind)
    except msgspec.ValidationError as error:
        raise BadFile(f"{place}: {error}") from None
    complaint = complaint_about(vector)
    if complaint:
        raise BadFile(f"{place} ({vector.id!a}): {complaint}")
    return vector


def complaint_about(vector: Vector) -> str | None:
    """What types alone do not say, or None."""
    if vector.variant not in VARIANTS:
        return f"the variant {vector.variant!a} is none of {', '.join(VARIANTS)}"
    if isinstance(vector, WholeGame):
        return complaint_about_seed(vector) or complaint_about_hands(
            vector.variant, vector.first_deal
        )
    if vector.given.dealer not in range(4):
        return f"the dealer is {vector.given.dealer}; seats are 0 to 3"
    return complaint_about_hands(vector.variant, vector.given.hands) or complaint_about_rejected(
        vector
    )


def complaint_about_seed(game: WholeGame) -> str | None:
    """S1 and S2."""
    if not re.fullmatch("[0-9a-fA-F]{64}", game.seed_hex):
        return "seed_hex must be 64 hex digits"
    if not re.fullmatch("[A-Za-z0-9._:-]{1,64}", game.set_id):
        return "set_id must be 1 to 64 of the characters A-Z a-z 0-9 . _ : -"
    if game.first_board < 0:
        return "first_board must not be negative"
    return None


def complaint_about_hands(variant: str, hands: tuple[tuple[str, ...], ...]) -> str | None:
    """C1.3: four equal hands that are the whole deck."""
    cards = deck(variant)
    if len(hands) != 4 or any(len(hand) * 4 != len(cards) for hand in hands):
        return f"there must be four hands of {len(cards) // 4} cards"
    if sorted(card for hand in hands for card in hand) != sorted(cards):
        return f"the four hands together must be the {len(cards)} cards of the deck"
    return None


def complaint_about_rejected(case: Case) -> str | None:
    """The one key of `expect` that is acted on and not only compared."""
    try:
        msgspec.convert(case.expect.get("rejected", []), tuple[Action, ...])
    except msgspec.ValidationError as error:
        return f"expect.rejected: {error}"
    return None
