"""The comparison: in a world that a seat cannot tell from its own it is sent the same bytes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Final

from arena.rules import Variant
from arena.rules.actions import ActionKind
from arena.v1 import referee_pb2
from tests.leaks.replay import retell, tell
from tests.leaks.script import HandScript, Script, play
from tests.leaks.worlds import World, Worlds

MOST_HANDS: Final = 10
_RARE: Final = (ActionKind.GIVE, ActionKind.FORCE_PARTNER, ActionKind.FORCE_OPPONENTS)


class Leak(AssertionError):
    """A message that depends on a card which its seat may not know."""


@dataclass(slots=True)
class Counts:
    """What was compared."""

    counts: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        return ", ".join(f"{name} {count:,}" for name, count in self.counts.items())


async def compare_game(variant: Variant, seed: int, counts: Counter[str]) -> None:
    """Play a game and compare it with other worlds.

    Of up to ``MOST_HANDS`` hands for every seat at one moment, in a game that begins with the
    hand; and of one hand for one seat in a game that begins at 0-0.

    Raises:
        Leak: a seat was sent something else.
    """
    script = await play(variant, seed)
    chance = Random(seed)
    count_game(script, counts)
    for number in _hands(script, chance):
        await compare_hand(script, number, counts, chance)
    for observer in chance.sample(range(4), 1):
        number = chance.randrange(len(script.hands))
        for until in _moments(script, number, observer, chance, 1):
            world = _other(script, number, observer, until, chance)
            if world is not None:
                marks = script.hands[number].marks
                told = _until(script, number, script.messages, marks, world)
                await _compare(script, 0, number, world, told, counts, chance)
                counts["whole games again"] += 1


def _hands(script: Script, chance: Random) -> list[int]:
    """Which hands to compare: those in which most happened before the play, and the last."""
    hands = script.hands
    order = list(range(len(hands)))
    chance.shuffle(order)
    order.sort(key=lambda number: not (hands[number].broken or _is_rare(hands[number])))
    return order[:MOST_HANDS]


def _is_rare(hand: HandScript) -> bool:
    return any(action.kind in _RARE for _, action in hand.moves)


async def compare_hand(script: Script, number: int, counts: Counter[str], chance: Random) -> None:
    """Compare one hand of a game with other worlds."""
    telling = await retell(script, number)
    for observer in range(4):
        for until in _moments(script, number, observer, chance, 1):
            world = _other(script, number, observer, until, chance)
            if world is None:
                counts["moments without another world"] += 1
                continue
            told = _until(script, number, telling.messages, telling.marks, world)
            await _compare(script, number, number, world, told, counts, chance)


def _moments(script: Script, number: int, observer: int, chance: Random, most: int) -> list[int]:
    """Moments of a hand to compare at: where the seat is asked, and where a forfeit ends it."""
    hand = script.hands[number]
    asked = [index for index, (seat, _) in hand.marks.items() if seat == observer]
    if hand.broken and len(hand.moves) not in asked:
        asked.append(len(hand.moves))
    return chance.sample(asked, min(most, len(asked)))


def _other(script: Script, number: int, observer: int, until: int, chance: Random) -> World | None:
    hand = script.hands[number]
    return Worlds(script.variant, script.policy, hand, chance).other(observer, until)


def _until(
    script: Script,
    number: int,
    messages: tuple[list[bytes], ...],
    marks: dict[int, tuple[int, int]],
    world: World,
) -> list[bytes]:
    """What the observer had been sent by the world's moment: all, where a forfeit was it."""
    hand = script.hands[number]
    told = messages[world.observer]
    if hand.broken and world.until == len(hand.moves):
        return told
    return told[: marks[world.until][1]]


async def _compare(
    script: Script,
    first: int,
    number: int,
    world: World,
    told: list[bytes],
    counts: Counter[str],
    chance: Random,
) -> None:
    telling = await tell(script, first, number, world, chance)
    other = telling.messages[world.observer]
    counts["worlds compared"] += 1
    counts["messages compared"] += len(told)
    counts["worlds with other forced moves"] += world.forced_differs
    counts["worlds with other exchanged cards"] += world.exchange_differs
    counts["worlds with other faults"] += telling.faults_differ
    if not script.patient:
        counts["worlds compared by items alone"] += 1
        told, other = _items(told), _items(other)
    if other != told:
        raise Leak(_difference(script, number, world, told, other))


def _items(messages: list[bytes]) -> list[bytes]:
    """Messages of one item each.

    A bot that answers sooner than a held item is sent gets it in one message with its next
    question, if that follows at once: so it sees that the moves between took no time, and the
    bounds of messages tell no more. What is held at the end may be sent or not.
    """
    items = [item for message in messages for item in _response(message).items.items]
    while items and items[-1].HasField("rejected"):
        items.pop()
    return [
        referee_pb2.PlayResponse(items=referee_pb2.Items(items=[item])).SerializeToString()
        for item in items
    ]


def _response(message: bytes) -> referee_pb2.PlayResponse:
    return referee_pb2.PlayResponse.FromString(message)


def _difference(
    script: Script, number: int, world: World, told: list[bytes], other: list[bytes]
) -> str:
    place = next(
        (i for i, (one, two) in enumerate(zip(told, other, strict=False)) if one != two),
        min(len(told), len(other)),
    )
    return (
        f"{script.variant.name}: seat {world.observer} can tell two worlds apart in hand {number} "
        f"by move {world.until}: of {len(told)} messages, {len(other)} there, number {place} "
        f"is\n{_text(told, place)}\nhere, and there\n{_text(other, place)}"
    )


def _text(messages: list[bytes], place: int) -> str:
    if place >= len(messages):
        return "(none)"
    return str(_response(messages[place]))


def count_game(script: Script, counts: Counter[str]) -> None:
    """Count what a game had to offer."""
    counts["games"] += 1
    counts["hands"] += len(script.hands)
    counts["messages"] += sum(map(len, script.messages))
    counts["bytes"] += sum(len(m) for told in script.messages for m in told)
    for hand in script.hands:
        kinds = {action.kind for _, action in hand.moves}
        counts["hands with an exchange"] += not kinds.isdisjoint(
            (ActionKind.GIVE, ActionKind.TRADE)
        )
        counts["hands with a force"] += not kinds.isdisjoint(
            (ActionKind.FORCE_PARTNER, ActionKind.FORCE_OPPONENTS)
        )
        ledger = hand.opening.ledger
        counts["hands in debt"] += any(ledger.token_debt) or any(ledger.hlm_debt)
        counts["hands with faults"] += any(hand.faults(seat, 99) for seat in range(4))
        counts["games ended by a forfeit"] += hand.broken
