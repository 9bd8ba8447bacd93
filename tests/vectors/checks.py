"""Runs one vector over an engine and says, a line each, what came out wrong."""

import json
from collections.abc import Iterator
from typing import assert_never

from tests.vectors.engine import Engine, Facts, GamePosition, Position, Refused
from tests.vectors.files import Case, Vector, WholeGame


def failures_of(vector: Vector, engine: Engine) -> list[str]:
    """One line for each thing that is not as the vector claims; no line when all is right."""
    match vector:
        case Case():
            return list(failures_of_case(vector, engine))
        case WholeGame():
            return list(failures_of_game(vector, engine))
        case _:
            assert_never(vector)


def failures_of_case(case: Case, engine: Engine) -> Iterator[str]:
    """The actions must be legal; after them each key of `expect` holds, and each refusal is one."""
    position = engine.hand(case.variant, case.given)
    for number, (seat, text) in enumerate(case.actions):
        try:
            position.apply(seat, text)
        except Refused as refusal:
            yield f"action {number}: expected {quoted(seat, text)} to be legal, came: {refusal}"
            return
    claims = {key: value for key, value in case.expect.items() if key != "rejected"}
    yield from differences(claims, position.facts())
    for seat, text in case.expect.get("rejected", []):
        complaint = complaint_about_refusal(position, seat, text)
        if complaint:
            yield complaint
            return  # the position is no longer the one that the other refusals are about


def complaint_about_refusal(position: Position, seat: int, text: str) -> str | None:
    """C3.7: a forbidden action is refused and nothing changes."""
    before = position.fingerprint()
    try:
        position.apply(seat, text)
    except Refused:
        if position.fingerprint() != before:
            return f"rejected: expected {quoted(seat, text)} to change nothing, came a change"
        return None
    return f"rejected: expected a refusal of {quoted(seat, text)}, came none"


def differences(claims: Facts, facts: Facts) -> Iterator[str]:
    """A line for each claimed key that is unknown or has another value; true is not 1 here."""
    for key, expected in claims.items():
        if key not in facts:
            yield f"{key}: expected {as_json(expected)}, came nothing: the runner knows no such key"
        elif as_json(facts[key]) != as_json(expected):
            yield f"{key}: expected {as_json(expected)}, came {as_json(facts[key])}"


def quoted(seat: int, text: str) -> str:
    """An action as the vectors write it."""
    return as_json([seat, text])


def as_json(value: object) -> str:
    """One form for each value; the order of keys does not matter."""
    return json.dumps(value, sort_keys=True)


def failures_of_game(vector: WholeGame, engine: Engine) -> Iterator[str]:
    """Every action legal, every hand scored as claimed, the same end after the last action."""
    game = engine.game(
        vector.variant, bytes.fromhex(vector.seed_hex), vector.set_id, vector.first_board
    )
    yield from differences(
        {"first_deal": sorted_hands(vector.first_deal)}, {"first_deal": sorted_hands(game.dealt())}
    )
    scored = 0
    for number, (seat, text) in enumerate(vector.actions):
        complaint = complaint_about_action(game, seat, text)
        if complaint:
            yield f"action {number}: {complaint}"
            return
        if len(game.scored()) > scored:
            yield from failures_of_scored_hand(vector, scored, game.scored()[scored])
            scored += 1
    if scored != len(vector.hands):
        yield f"hands: expected {len(vector.hands)}, came {scored}"
    yield from ("final " + line for line in differences(vector.final, game.final()))


def complaint_about_action(game: GamePosition, seat: int, text: str) -> str | None:
    """An action of a whole game must be listed as legal and must be accepted."""
    to_act, legal = game.legal()
    if seat != to_act or text not in legal:
        came = f"seat {to_act} with {as_json(list(legal))}"
        return f"expected {quoted(seat, text)} to be legal, came {came}"
    try:
        game.apply(seat, text)
    except Refused as refusal:
        return f"expected {quoted(seat, text)} to be legal, came: {refusal}"
    return None


def failures_of_scored_hand(vector: WholeGame, number: int, came: Facts) -> Iterator[str]:
    """The claims of one element of `hands`."""
    if number >= len(vector.hands):
        return  # their count is complained about at the end
    for line in differences(vector.hands[number], came):
        yield f"hand {number} {line}"


def sorted_hands(hands: object) -> list[list[str]]:
    """The order of cards inside a hand is no claim."""
    assert isinstance(hands, list | tuple)
    return [sorted(hand) for hand in hands]
