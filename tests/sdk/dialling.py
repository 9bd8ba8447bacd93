"""A client that dials a scripted arena: its bot and options, and what the arena asks it."""

from __future__ import annotations

from typing import Any, ClassVar

from arena.rules import VARIANTS, Action
from arena.sdk import Bot, View
from arena.sdk.client import Client, Patience
from arena.sdk.options import Options, parse_address
from arena.v1 import referee_pb2
from tests.sdk.feeder import Feeder, deal
from tests.sdk.scripted import ScriptedArena

CLASSIC = VARIANTS["classic"]
HASTY = Patience(first_seconds=0.01, most_seconds=0.02, total_seconds=5.0)


class First(Bot):
    """The first legal action; notes what it was asked."""

    asked: ClassVar[list[int]] = []

    def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        self.asked.append(view.seat)
        return legal[0]


def options(address: str, **changes: Any) -> Options:
    settings: dict[str, Any] = {
        "address": parse_address(address),
        "token": "token",
        "chair": referee_pb2.CHAIR_SECOND,
        "lane": referee_pb2.LANE_B,
        "name": "first",
        "version": "v1",
        "tables": 64,
    }
    return Options(**(settings | changes))


def client_of(
    arena: ScriptedArena, bot: type[Bot] = First, patience: Patience = HASTY
) -> tuple[Client, list[str]]:
    lines: list[str] = []
    return Client(bot, options(arena.address), say=lines.append, patience=patience), lines


def opening(feeder: Feeder) -> list[referee_pb2.Item]:
    """The items that begin four tables and put a question at each."""
    items = list(feeder.opening())
    for table in (1, 2, 3, 4):
        item = feeder.decision(deal(CLASSIC)).item
        item.decision.table_id = table
        items.append(item)
    return items


def ids(request: referee_pb2.PlayRequest) -> list[int]:
    """The decisions that a request answers."""
    return [answer.decision_id for answer in request.answers.answers]
