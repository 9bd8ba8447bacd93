"""Bad bots that are seen in a session and run inside the test: each does one thing wrong."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from typing import Any

import grpc
from google.protobuf.unknown_fields import UnknownFieldSet
from grpc import aio

from arena.rules import Phase
from arena.v1 import action_pb2, record_pb2, referee_pb2, view_pb2
from tests.conformance.good import Decision, GoodBot, Items, Left

_NOTHING = action_pb2.Action(kind=action_pb2.ACTION_KIND_PLAY)
_FORCES = (action_pb2.ACTION_KIND_FORCE_PARTNER, action_pb2.ACTION_KIND_FORCE_OPPONENTS)


class ShowsAnotherToken(GoodBot):
    def hello(self) -> referee_pb2.PlayRequest:
        request = super().hello()
        request.hello.token = "0" * 64
        return request


class SpeaksAnotherVersion(GoodBot):
    def hello(self) -> referee_pb2.PlayRequest:
        request = super().hello()
        request.hello.protocol_version = 2
        return request


class NamesNoChair(GoodBot):
    def hello(self) -> referee_pb2.PlayRequest:
        request = super().hello()
        request.hello.chair = referee_pb2.CHAIR_UNSPECIFIED
        return request


class WaitsForWelcome(GoodBot):
    async def converse(self) -> None:
        await self.call.read()
        await super().converse()


class SaysNoHello(GoodBot):
    def hello(self) -> referee_pb2.PlayRequest:
        return referee_pb2.PlayRequest(answers=referee_pb2.Answers())


class Illegal(GoodBot):
    """Plays what is not legal to one kind of question in one variant."""

    variant = ""
    phase = Phase.PLAY
    forcing = False

    def __init__(self, address: str, token: str) -> None:
        super().__init__(address, token)
        self.matches: dict[int, str] = {}
        self.tables: dict[int, str] = {}

    async def take_item(self, item: referee_pb2.Item) -> list[Decision]:
        if item.HasField("match_start"):
            self.matches[item.match_start.match_id] = item.match_start.variant.name
        if item.HasField("game_start"):
            start = item.game_start
            self.tables[start.table_id] = self.matches[start.match_id]
        return await super().take_item(item)

    def act(self, decision: Decision) -> action_pb2.Action:
        here = self.tables[decision.table_id] == self.variant
        phase = view_pb2.Phase.Name(decision.public.phase) == f"PHASE_{self.phase.name}"
        forces = any(action.kind in _FORCES for action in decision.legal)
        return _NOTHING if here and phase and forces == self.forcing else super().act(decision)


def illegal(of: str, at: Phase, *, force: bool = False) -> type[GoodBot]:
    """The class of bots that are wrong in that phase of that variant."""

    class IllegalThere(Illegal):
        variant = of
        phase = at
        forcing = force

    return IllegalThere


class AnswersTheFirstOnly(GoodBot):
    async def answer(self, due: list[Decision]) -> None:
        await super().answer(due[:1])


class LeavesAtAnEmptyList(GoodBot):
    async def take_items(self, items: Items) -> None:
        if not items:
            raise Left
        await super().take_items(items)


class AcknowledgesOneLess(GoodBot):
    async def send(self, **arm: Any) -> None:
        self.acknowledged -= 1
        await super().send(**arm)
        self.acknowledged += 1


class AcknowledgesTheFuture(GoodBot):
    async def send(self, **arm: Any) -> None:
        self.acknowledged += 1000
        await super().send(**arm)
        self.acknowledged -= 1000


class SulksWhenRejected(GoodBot):
    async def rejected(self, rejected: referee_pb2.Rejected) -> list[Decision]:
        return []


class AnswersWhatIsClosed(GoodBot):
    async def rejected(self, rejected: referee_pb2.Rejected) -> list[Decision]:
        due = await super().rejected(rejected)
        asked = self.asked.get(rejected.decision_id)
        return due or ([asked] if asked is not None else [])


class TiresOfEvents(GoodBot):
    idle = 0

    async def take_items(self, items: Items) -> None:
        self.idle = 0 if any(item.HasField("decision") for item in items) else self.idle + 1
        if self.idle > 9:
            raise Left
        await super().take_items(items)


class AcknowledgesNoEvents(GoodBot):
    async def acknowledge(self) -> None:
        pass


class AcknowledgesWithoutArm(GoodBot):
    async def acknowledge(self) -> None:
        await self.send()


class IgnoresTheClock(GoodBot):
    async def answer(self, due: list[Decision]) -> None:
        if due[0].time_left_ms < 1000:
            await asyncio.sleep(due[0].time_left_ms / 1000 + 0.2)
        await super().answer(due)


class PlaysByChance(GoodBot):
    def act(self, decision: Decision) -> action_pb2.Action:
        return decision.legal[os.urandom(1)[0] % len(decision.legal)]


class LeavesAtAnUnknownMessage(GoodBot):
    async def take_unknown(self, response: referee_pb2.PlayResponse) -> None:
        raise Left


class LeavesAtAnUnknownItem(GoodBot):
    async def take_unknown_item(self, item: referee_pb2.Item) -> None:
        raise Left


class LeavesAtAnUnknownField(GoodBot):
    async def take_item(self, item: referee_pb2.Item) -> list[Decision]:
        if item.HasField("decision") and len(UnknownFieldSet(item.decision.public)):
            raise Left
        return await super().take_item(item)


class LeavesAtAnUnknownEnding(GoodBot):
    async def game_finished(self, finished: referee_pb2.GameFinished) -> None:
        record_pb2.EndingKind.Name(finished.ending.kind)


class LeavesAtAForfeit(GoodBot):
    async def game_finished(self, finished: referee_pb2.GameFinished) -> None:
        if finished.ending.kind == record_pb2.ENDING_KIND_CRASH:
            raise Left


class LeavesAfterAMatch(GoodBot):
    async def match_finished(self) -> None:
        raise Left


class LeavesWhenDraining(GoodBot):
    async def drain(self, text: str) -> None:
        raise Left


class ErrsInTheFifthHand(GoodBot):
    """Questions of the steps before the games come from hands 0 to 2."""

    def act(self, decision: Decision) -> action_pb2.Action:
        return _NOTHING if decision.public.hand_number == 4 else super().act(decision)


class NeverResumes(GoodBot):
    def hello(self) -> referee_pb2.PlayRequest:
        self.begin_anew()
        return super().hello()


class ResumesFromTheStart(GoodBot):
    def hello(self) -> referee_pb2.PlayRequest:
        request = super().hello()
        request.acknowledged = 0
        return request


class TakesARepeatedQuestionForAnswered(GoodBot):
    async def answer(self, due: list[Decision]) -> None:
        fresh = [decision for decision in due if decision.decision_id not in self.given]
        if fresh:
            await super().answer(fresh)


class AnswersARepeatedQuestionOtherwise(GoodBot):
    repeated: frozenset[int] = frozenset()

    async def answer(self, due: list[Decision]) -> None:
        for decision in due:
            self.repeated |= {decision.decision_id} & self.given.keys()
            self.given.pop(decision.decision_id, None)
        await super().answer(due)

    def act(self, decision: Decision) -> action_pb2.Action:
        return decision.legal[-1 if decision.decision_id in self.repeated else 0]


class AnswersARepeatedQuestionTwice(GoodBot):
    async def answer(self, due: list[Decision]) -> None:
        known = [decision for decision in due if decision.decision_id in self.given]
        await super().answer(due)
        if known:
            await super().answer(known)


class InsistsOnItsSession(GoodBot):
    def begin_anew(self) -> None:
        pass


class EndsWhereTheArenaIsBusy(GoodBot):
    def broken(self, error: aio.AioRpcError) -> int | None:
        busy = error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        return 3 if busy else super().broken(error)


class EndsWhereNobodyListens(GoodBot):
    def broken(self, error: aio.AioRpcError) -> int | None:
        cut = error.details() == "the connection is lost"
        return (
            1 if error.code() is grpc.StatusCode.UNAVAILABLE and not cut else super().broken(error)
        )


@dataclass(frozen=True, slots=True)
class Session:
    """A bad bot that is seen in a session.

    Attributes:
        bot: its class.
        fails: the steps that it fails, of those that are tried without a process of ours.
        warns: those that warn.
        only: whether all the other steps pass; what is wrong in every answer, none can.
    """

    bot: type[GoodBot]
    fails: frozenset[str]
    warns: frozenset[str] = frozenset()
    only: bool = True


def _fails(bot: type[GoodBot], *steps: str) -> Session:
    return Session(bot, frozenset(steps))


def _spoils(bot: type[GoodBot], *steps: str) -> Session:
    return Session(bot, frozenset(steps), only=False)


def _warns(bot: type[GoodBot], *steps: str) -> Session:
    return Session(bot, frozenset(), frozenset(steps))


SESSIONS = {
    "shows-another-token": _spoils(ShowsAnotherToken, "hello"),
    "speaks-another-version": _spoils(SpeaksAnotherVersion, "hello"),
    "names-no-chair": _spoils(NamesNoChair, "hello"),
    "says-no-hello": _spoils(SaysNoHello, "hello"),
    "waits-for-welcome": _spoils(WaitsForWelcome, "hello"),
    **{
        f"errs-in-classic-{phase.value}": _spoils(
            illegal("classic", phase), f"classic-{phase.value}"
        )
        for phase in (Phase.SPEAK, Phase.CALL, Phase.TRADE, Phase.GIVE, Phase.PLAY)
    },
    **{
        f"errs-in-token-{phase.value}": _spoils(illegal("token", phase), f"token-{phase.value}")
        for phase in (
            *(Phase.SPEAK, Phase.SHOOTER, Phase.CALL, Phase.GIVE, Phase.DISCARD, Phase.PLAY),
        )
    },
    "errs-in-token-force": _spoils(illegal("token", Phase.SPEAK, force=True), "token-force"),
    "errs-in-double-speak": _spoils(illegal("double", Phase.SPEAK), "double-speak"),
    "errs-in-double-play": _spoils(illegal("double", Phase.PLAY), "double-play"),
    "errs-in-the-house": _fails(illegal("check-house", Phase.TRADE), "house-rule"),
    "errs-among-strangers": _fails(illegal("check-stranger", Phase.GIVE), "unknown-variant"),
    "answers-the-first-only": _spoils(AnswersTheFirstOnly, "coalesced"),
    "leaves-at-an-empty-list": _fails(LeavesAtAnEmptyList, "split"),
    "acknowledges-one-less": _fails(AcknowledgesOneLess, "acknowledgement"),
    "acknowledges-the-future": _spoils(AcknowledgesTheFuture, "acknowledgement"),
    "sulks-when-rejected": _fails(SulksWhenRejected, "rejected-open"),
    "answers-what-is-closed": _fails(AnswersWhatIsClosed, "rejected-closed"),
    "tires-of-events": _fails(TiresOfEvents, "events-only"),
    "acknowledges-no-events": _warns(AcknowledgesNoEvents, "events-only"),
    "acknowledges-without-arm": _warns(AcknowledgesWithoutArm, "events-only"),
    "ignores-the-clock": _fails(IgnoresTheClock, "slow-clock"),
    "plays-by-chance": _warns(PlaysByChance, "repeatable"),
    "leaves-at-an-unknown-message": _fails(LeavesAtAnUnknownMessage, "unknown-arm"),
    "leaves-at-an-unknown-item": _fails(LeavesAtAnUnknownItem, "unknown-item"),
    "leaves-at-an-unknown-field": _fails(LeavesAtAnUnknownField, "unknown-fields"),
    "leaves-at-an-unknown-ending": _fails(LeavesAtAnUnknownEnding, "unknown-enum"),
    "leaves-at-a-forfeit": _fails(LeavesAtAForfeit, "game-end"),
    "leaves-after-a-match": _fails(LeavesAfterAMatch, "match-end"),
    "leaves-when-draining": _fails(LeavesWhenDraining, "draining"),
    "errs-in-the-fifth-hand": _fails(ErrsInTheFifthHand, "games"),
    "never-resumes": _fails(
        NeverResumes,
        *("resume", "resume-open", "resume-answered", "resume-refused", "busy", "server-gone"),
    ),
    "resumes-from-the-start": _fails(
        ResumesFromTheStart,
        *("resume", "resume-open", "resume-answered", "resume-refused", "busy", "server-gone"),
    ),
    "takes-a-repeated-question-for-answered": _fails(
        TakesARepeatedQuestionForAnswered, "resume-open", "resume-answered"
    ),
    "answers-a-repeated-question-otherwise": _fails(
        AnswersARepeatedQuestionOtherwise, "resume-answered"
    ),
    "answers-a-repeated-question-twice": _fails(
        AnswersARepeatedQuestionTwice, "resume-open", "resume-answered"
    ),
    "insists-on-its-session": _spoils(InsistsOnItsSession, "resume-refused"),
    "ends-where-the-arena-is-busy": _warns(EndsWhereTheArenaIsBusy, "busy"),
    "ends-where-nobody-listens": _fails(EndsWhereNobodyListens, "server-gone"),
}
"""By name."""
