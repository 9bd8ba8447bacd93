"""What a played hand is worth, and whether the game is over: C4, C6, T2, T3, T4.4, T6, D5, D8."""

from tests.reference.auction import contract_of, hlm_debt_now, is_alone, tokens_now
from tests.reference.cards import side_of
from tests.reference.play import finished_tricks, is_finished, winner_of
from tests.reference.shapes import Record, Result
from tests.reference.tables import (
    ALONE_POINTS,
    DECADES,
    HAND_SIZE,
    HANDS_OF_A_DOUBLE_GAME,
    MAX_HANDS,
    SYMPATHY,
    TARGET,
)


def trick_counts(record: Record) -> list[int]:
    """Tricks taken so far, by side."""
    counts = [0, 0]
    for trick in finished_tricks(record):
        side = side_of(winner_of(record, trick))
        counts[side] = counts[side] + 1
    return counts


def points(record: Record) -> list[int]:
    """C4.1 to C4.5: the points of both sides for a hand that has been played out."""
    contract = contract_of(record)
    assert contract is not None
    variant, bid = record["variant"], contract["bid"]
    declaring = side_of(contract["declarer"])
    defending = 1 - declaring
    taken = trick_counts(record)
    result = [0, 0]
    if is_alone(variant, contract):  # C4.1, C4.4
        made = taken[declaring] == HAND_SIZE[variant]
        worth = ALONE_POINTS[variant][bid]
        result[declaring] = worth if made else -worth
    elif taken[declaring] >= int(bid):  # C4.1, C4.2
        result[declaring] = taken[declaring]
    else:  # C4.3
        result[declaring] = -int(bid)
    result[defending] = taken[defending]  # C4.5
    return result


def move_tokens(old: int, new: int, *, stock: int, in_debt: bool) -> tuple[int, bool]:
    """T2.2 to T2.6, T3.1, T3.5: stock and token debt after a score went from old to new."""
    for decade in DECADES:  # T2.2
        if old < decade <= new:
            stock = stock + 1
    for decade in reversed(DECADES):  # T2.3
        if new < decade <= old:
            if stock > 0:
                stock = stock - 1
            else:
                in_debt = True  # T3.1
    for mark in SYMPATHY:  # T2.4
        if new <= mark < old:
            stock = stock + 1
    return stock, in_debt


def token_debt_after_clearing(record: Record, side: int) -> bool:
    """T3.3: cleared by a contract of 5, 6, Shot or Loner that this side declared, made or set."""
    contract = contract_of(record)
    assert contract is not None
    clears = side_of(contract["declarer"]) == side and contract["bid"] in [
        "5",
        "6",
        "shot",
        "loner",
    ]
    return record["given"]["token_debt"][side] and not clears


def hlm_debt_after_clearing(record: Record, side: int) -> int:
    """T4.4: a Shot or Loner of this side clears one unit that stood before this hand's call."""
    contract = contract_of(record)
    assert contract is not None
    debt = hlm_debt_now(record)[side]
    stood_before = record["given"]["hlm_debt"][side]
    if (
        side_of(contract["declarer"]) == side
        and contract["bid"] in ["shot", "loner"]
        and stood_before > 0
    ):
        return debt - 1
    return debt


def end_of_game(record: Record, scores: list[int]) -> tuple[str | None, int | None]:
    """How the game ended with this hand, and for which side: C6.1 to C6.3, T6.1, D8."""
    played = record["given"].get("hands_played", 0) + 1
    if record["variant"] == "double":  # D8: exactly eight hands
        if played < HANDS_OF_A_DOUBLE_GAME:
            return None, None
        return "hands_in_match", higher(scores)
    target = TARGET[record["variant"]]
    reached = [side for side in [0, 1] if scores[side] >= target]
    if len(reached) == 1:  # C6.1
        return "target", reached[0]
    if len(reached) == 2:  # C6.2
        contract = contract_of(record)
        assert contract is not None
        return "target", side_of(contract["declarer"])
    if played >= MAX_HANDS:  # C6.3
        return "max_hands", higher(scores)
    return None, None


def higher(scores: list[int]) -> int | None:
    """The side with the higher score, or None for a draw."""
    if scores[0] > scores[1]:
        return 0
    if scores[1] > scores[0]:
        return 1
    return None


def result_now(record: Record) -> Result:
    """Both sides now. Scores move with the last card (C4.7), tokens and HLM debt before too."""
    if is_finished(record):
        return result_of(record)
    given = record["given"]
    return {
        "scores": list(given["scores"]),
        "tokens": tokens_now(record),
        "token_debt": list(given["token_debt"]),
        "hlm_debt": hlm_debt_now(record),
        "end": None,
        "winner": None,
    }


def result_of(record: Record) -> Result:
    """Both sides after the last card: points (C4.7), clearing (T3.4), crossings (T2.6)."""
    given = record["given"]
    won = points(record)
    scores = [given["scores"][side] + won[side] for side in [0, 1]]
    tokens = tokens_now(record)
    token_debt = list(given["token_debt"])
    hlm_debt = list(given["hlm_debt"])
    if record["variant"] == "token":
        for side in [0, 1]:
            hlm_debt[side] = hlm_debt_after_clearing(record, side)
            tokens[side], token_debt[side] = move_tokens(
                given["scores"][side],
                scores[side],
                stock=tokens[side],
                in_debt=token_debt_after_clearing(record, side),
            )
    end, winner = end_of_game(record, scores)
    return {
        "scores": scores,
        "tokens": tokens,
        "token_debt": token_debt,
        "hlm_debt": hlm_debt,
        "end": end,
        "winner": winner,
    }
