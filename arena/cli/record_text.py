"""A record as lines for people: every deal, call and trick of a mirrored set.

Cards keep their letters everywhere; colour only helps the eye.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from arena.cli.layout import counted, plural
from arena.cli.match_forfeits import plain_sentence
from arena.cli.screen import Screen
from arena.rules.cards import CARD_TEXTS, parse_card
from arena.rules.errors import RulesError
from arena.rules.game import Game
from arena.rules.record import (
    Ending,
    EndingKind,
    GameRecord,
    HandRecord,
    HandResult,
    Mover,
    RecordedMove,
    SetOutcome,
    SetRecord,
)
from arena.rules.variant import Variant

_SUIT_STYLES: Final = {"C": ("bold", "green"), "D": ("bold", "bright blue")} | {
    "H": ("bold", "bright red"),
    "S": ("bold",),
}
_MARKS: Final = {Mover.BOT: "", Mover.FORCED: "'", Mover.STAND_IN: "!"}
LEGEND: Final = "a move ending in ' was forced, in ! made by the stand-in"

_AUCTION: Final = ("pass", "bid", "force", "shooter")
_EXCHANGE: Final = ("no", "trade", "give", "discard")


@dataclass(frozen=True, slots=True)
class _Page:
    """What all lines of a record need.

    Attributes:
        record: the record.
        screen: what shows it.
        names: of the entrants, safe.
    """

    record: SetRecord
    screen: Screen
    names: tuple[str, ...]

    def card(self, text: str) -> str:
        return self.screen.styled(text, *_SUIT_STYLES.get(text[-1:], ()))

    def name(self, entrant: int) -> str:
        return self.names[entrant] if 0 <= entrant < len(self.names) else f"entrant {entrant}"

    def side_name(self, half: GameRecord, side: int) -> str:
        return self.name(half.seats[side].entrant) if side < len(half.seats) else f"side {side}"


def record_lines(record: SetRecord, screen: Screen, *, hand: int | None = None) -> Iterator[str]:
    """The lines of a record.

    Args:
        record: what to show.
        screen: what shows it.
        hand: only the hand of that number (from 1) of each half.
    """
    names = tuple(screen.safe(f"{e.name} {e.version}".strip()) for e in record.entrants)
    page = _Page(record, screen, names)
    yield from _heading(page)
    for half in record.halves:
        yield from _half(page, half, hand)


def _heading(page: _Page) -> Iterator[str]:
    record, screen = page.record, page.screen
    versus = " against ".join(page.names)
    yield screen.styled(screen.safe(f"set {record.set_id} · {record.variant.name} · "), "bold") + (
        screen.styled(versus, "bold")
    )
    yield f"commitment  {screen.safe(record.commitment)}"
    yield screen.safe(f"result      {_result(page)}")
    yield f"({LEGEND})"


def _result(page: _Page) -> str:
    verdict = page.record.verdict
    # As the winner sees it, who may have fewer points than the other: games come first.
    sign = -1 if verdict.outcome is SetOutcome.SECOND_WINS else 1
    hands = counted(verdict.hands, "hand")
    points = f"{sign * verdict.points:+d} {plural(verdict.points, 'point')} in {hands}"
    if not verdict.counts_points:
        points = f"{hands}, not counted in points"
    match verdict.outcome:
        case SetOutcome.FIRST_WINS:
            return f"{page.name(0)} wins the set, {points}"
        case SetOutcome.SECOND_WINS:
            return f"{page.name(1)} wins the set, {points}"
        case SetOutcome.DRAW:
            return f"a draw, {points}"
        case SetOutcome.NONE:
            return "none, the arena failed"


def _half(page: _Page, half: GameRecord, only: int | None) -> Iterator[str]:
    yield ""
    title = page.screen.safe(f"half {half.half} · {_sides(page, half)}")
    yield page.screen.styled(title, "bold")
    winners = trick_winners(page.record.variant, half.hands)
    for index, (hand, taken) in enumerate(zip(half.hands, winners, strict=True)):
        if only is None or only == index + 1:
            yield from _hand(page, half, hand, taken, index + 1)
    yield page.screen.safe(f"half {half.half} ended: {_ending(page, half)}")
    if faults := "; ".join(_faults(half)):
        yield page.screen.safe(f"faults: {faults}")


def _faults(half: GameRecord) -> Iterator[str]:
    for number, seat in enumerate(half.seats):
        kinds = [f"{count} {kind}" for kind, count in seat.faults._asdict().items() if count]
        if kinds:
            yield f"seat {number} {', '.join(kinds)}"


def _sides(page: _Page, half: GameRecord) -> str:
    return ", ".join(f"seats {s} and {s + 2}: {page.side_name(half, s)}" for s in (0, 1))


def _ending(page: _Page, half: GameRecord) -> str:
    scores = f"{half.scores[0]} : {half.scores[1]}"
    if half.ending.kind is EndingKind.COMPLETED:
        won = "a draw" if half.winner is None else f"{page.side_name(half, half.winner)} wins"
        reason = half.end.value.replace("-", " ") if half.end is not None else "no reason"
        return f"{scores}, {won} ({reason})"
    return f"{scores}, {_fault(half.ending)}"


def _fault(ending: Ending) -> str:
    at = "" if ending.seat is None else f" by seat {ending.seat}"
    return f"{ending.kind.value}{at}: {plain_sentence(ending)}"


def _hand(
    page: _Page, half: GameRecord, hand: HandRecord, winners: Sequence[int], number: int
) -> Iterator[str]:
    yield ""
    yield page.screen.safe(
        f"half {half.half}, hand {number} · board {hand.board} · seat {hand.dealer} deals"
    )
    for seat, cards in enumerate(hand.dealt):
        yield f"  seat {seat}    {' '.join(map(page.card, map(page.screen.safe, cards)))}"
    yield from _phase(page, "auction", _moves(hand, _AUCTION))
    yield from _phase(page, "call", _moves(hand, ("call",)))
    yield from _phase(page, "exchange", _moves(hand, _EXCHANGE))
    yield from _tricks(page, hand, winners)
    yield f"  result    {_hand_result(hand.result)}"


def _moves(hand: HandRecord, words: Iterable[str]) -> list[RecordedMove]:
    return [move for move in hand.moves if move.action.partition(" ")[0] in words]


def _phase(page: _Page, title: str, moves: Sequence[RecordedMove]) -> Iterator[str]:
    if moves:
        told = "  ".join(f"{m.seat} {_action(page, m)}" for m in moves)
        yield f"  {title:<9} {told}"


def _action(page: _Page, move: RecordedMove) -> str:
    words = page.screen.safe(move.action).split(" ")
    if words[0] == "play":
        del words[0]
    shown = [page.card(word) if word in CARD_TEXTS else word for word in words]
    return " ".join(shown) + _MARKS[move.mover]


def _tricks(page: _Page, hand: HandRecord, winners: Sequence[int]) -> Iterator[str]:
    for index, trick in enumerate(tricks_of(hand)):
        told = "  ".join(f"{m.seat} {_action(page, m)}" for m in trick)
        won = page.screen.safe(f"  → {winners[index]}") if index < len(winners) else ""
        yield f"  trick {index + 1:<3} {told}{won}"


def _hand_result(result: HandResult | None) -> str:
    if result is None:
        return "not finished"
    made = {True: "made", False: "set", None: "thrown in"}[result.made]
    told = [
        made,
        f"tricks {_pair(result.tricks)}",
        f"points {_pair(result.points)}",
        f"scores {_pair(result.scores)}",
    ]
    if any(result.tokens):
        told.append(f"tokens {_pair(result.tokens)}")
    debts = [f"side {side} in token debt" for side in (0, 1) if result.token_debt[side]]
    debts += [f"side {s} owes {result.hlm_debt[s]}" for s in (0, 1) if result.hlm_debt[s]]
    return ", ".join(told + debts)


def _pair(values: tuple[int, int]) -> str:
    return f"{values[0]} : {values[1]}"


def tricks_of(hand: HandRecord) -> list[list[RecordedMove]]:
    """The plays of a hand, trick by trick: a seat that plays again begins the next one."""
    tricks: list[list[RecordedMove]] = []
    for move in _moves(hand, ("play",)):
        if not tricks or any(move.seat == played.seat for played in tricks[-1]):
            tricks.append([])
        tricks[-1].append(move)
    return tricks


def trick_winners(variant: Variant, hands: Sequence[HandRecord]) -> list[list[int]]:
    """Who took each trick of each hand; fewer where the record cannot be replayed so far."""
    winners: list[list[int]] = [[] for _ in hands]
    game = Game(variant)
    try:
        for record, won in zip(hands, winners, strict=True):
            if game.result is None:
                _replay(game, record, won)
    except RulesError:
        pass  # `arena record verify` says where and why
    return winners


def _replay(game: Game, record: HandRecord, won: list[int]) -> None:
    hand = game.deal([[parse_card(text) for text in cards] for cards in record.dealt])
    for move in record.moves:
        taken = sum(hand.tricks)
        hand.apply(hand.tables.parse(move.action))
        if sum(hand.tricks) > taken:
            won.append(hand.winner)
    if hand.over:
        game.score(hand)
