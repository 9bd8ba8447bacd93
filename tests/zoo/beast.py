"""The bad bot as a program: ``python -c ... KIND FOLDER``.

A hosted one finds its token in its environment and plays one chair in one lane.  One that dials in
(``ZOO_REMOTE``) plays its side's two chairs from this process: FIRST misbehaves, SECOND plays on.
It is written over the raw stubs, since the kit would not do what most of these do.

What it prints is looked at: ``ready`` once it has done what comes before a game, and how the
arena ended its streams.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any

from grpc import aio

from arena.v1 import action_pb2, referee_pb2
from tests.server.client import Client
from tests.server.hall import illegal
from tests.zoo import visitors
from tests.zoo.floods import FOREVER, MEGABYTE, NEVER_ASKED, POURS, pour

Decisions = list[referee_pb2.Decision]
Answer = Callable[[Client, Decisions], Awaitable[None]]

LATE_SECONDS = 1.0
HUGE = 2**32 - 1


def say(text: str) -> None:
    """Tell whoever started it."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


async def say_end(client: Client, who: str = "ended") -> None:
    """Tell how a stream ended."""
    code, sentence = await client.ends()
    say(f"{who} {code.name}: {sentence}")


class Beast:
    """One side of a table, or one seat of it where the arena has started the process."""

    def __init__(self, folder: str) -> None:
        self.address = os.environ["ARENA_ADDR"]
        self.token = os.environ["ARENA_TOKEN"]
        self.remote = "ZOO_REMOTE" in os.environ
        self.folder = folder
        self.answered = 0
        self._clients: list[Client] = []

    def client(self) -> Client:
        """A new stream."""
        client = Client(self.address)
        self._clients.append(client)  # kept: a call that is collected is cancelled
        return client

    async def enter(self, **fields: Any) -> tuple[Client, Client | None]:
        """Sessions for what it plays: the one that misbehaves, and its partner."""
        fields = {"tables": 2} | fields
        if not self.remote:
            client = self.client()
            await client.hello(self.token, chair=0, **fields)
            return client, None
        partner = self.client()
        await partner.hello(self.token, chair=referee_pb2.CHAIR_SECOND, **fields)
        client = self.client()
        await client.hello(self.token, chair=referee_pb2.CHAIR_FIRST, **fields)
        say("ready")
        return client, partner

    async def play(self, answer: Answer, client: Client, partner: Client | None = None) -> None:
        """Answer what comes until the stream ends; a partner answers as it should."""
        async with asyncio.TaskGroup() as group:
            if partner is not None:
                group.create_task(partner.play())
            group.create_task(self._play(answer, client))

    async def _play(self, answer: Answer, client: Client) -> None:
        asked: dict[int, referee_pb2.Decision] = {}
        with contextlib.suppress(aio.AioRpcError, asyncio.InvalidStateError):
            while isinstance(response := await client.call.read(), referee_pb2.PlayResponse):
                items = response.items.items
                decisions = [item.decision for item in items if item.HasField("decision")]
                asked |= {due.decision_id: due for due in decisions}
                # A refused answer is the question once more.
                decisions += [asked[i.rejected.decision_id] for i in items if i.rejected.open]
                if decisions:
                    await answer(client, decisions)
        say(f"ended {(await client.status())[0].name}")

    async def answer_by(self, answer: Answer) -> None:
        """Play a side with that way to answer."""
        await self.play(answer, *await self.enter())


async def honest(client: Client, decisions: Decisions) -> None:
    """As it should be."""
    await client.first(*decisions)


# Wrong answers.


async def answers_illegally(client: Client, decisions: Decisions) -> None:
    await client.answer(*map(illegal, decisions))


async def answers_other_questions(client: Client, decisions: Decisions) -> None:
    await client.answer(
        *(
            referee_pb2.Answer(decision_id=due.decision_id + NEVER_ASKED, action=due.legal[0])
            for due in decisions
        )
    )


async def answers_twice(client: Client, decisions: Decisions) -> None:
    await client.first(*decisions, *decisions)


async def answers_late(client: Client, decisions: Decisions) -> None:
    await asyncio.sleep(LATE_SECONDS)
    await client.first(*decisions)


async def answers_nothing(_: Client, __: Decisions) -> None:
    pass


async def sleeps(_: Client, __: Decisions) -> None:
    # Blocks: not even keepalive is answered by this thread.
    time.sleep(FOREVER)  # noqa: ASYNC251


async def answers_with_an_unknown_action(client: Client, decisions: Decisions) -> None:
    unknown = action_pb2.Action.FromString(b"\x08\x63")  # kind 99
    await client.answer(
        *(referee_pb2.Answer(decision_id=due.decision_id, action=unknown) for due in decisions)
    )


async def sends_an_unknown_arm_too(client: Client, decisions: Decisions) -> None:
    await client.call.write(referee_pb2.PlayRequest.FromString(b"\x7a\x02hi"))
    await client.first(*decisions)


async def sends_too_many_answers(client: Client, decisions: Decisions) -> None:
    await client.answer(*[referee_pb2.Answer(decision_id=decisions[0].decision_id)] * 1025)


async def acknowledges_what_was_never_sent(client: Client, decisions: Decisions) -> None:
    client.acknowledged = HUGE
    await client.first(*decisions)


async def says_hello_again(client: Client, _: Decisions) -> None:
    await client.say_hello("again")


async def says_goodbye(client: Client, _: Decisions) -> None:
    await client.goodbye("lunch")


async def closes_its_half(client: Client, _: Decisions) -> None:
    await client.half_close()


async def pours(
    requests: Callable[[], Iterable[referee_pb2.PlayRequest]], beast: Beast, *, reads: bool
) -> None:
    """Sends all this from its first question on; ``reads`` is whether it reads meanwhile."""
    partner = beast.client()
    await partner.hello(beast.token, chair=referee_pb2.CHAIR_SECOND, tables=2)
    async with asyncio.TaskGroup() as group:
        group.create_task(partner.play())
        stream = pour(beast.address, beast.token, requests(), reads=reads)
        group.create_task(asyncio.to_thread(_say_all, stream))


def _say_all(lines: Iterable[str]) -> None:
    for line in lines:
        say(line)


# Sessions.


async def never_reads(beast: Beast) -> None:
    partner = beast.client()
    await partner.hello(beast.token, chair=referee_pb2.CHAIR_SECOND, tables=2)
    client = beast.client()
    await client.say_hello(beast.token, tables=2, hand_results=True)
    say("ready")
    await partner.play()
    await asyncio.sleep(FOREVER)


async def is_refused(beast: Beast, **hello: Any) -> None:
    """Its Hello will not do."""
    client = beast.client()
    await client.say_hello(**({"token": beast.token} | hello))
    await say_end(client, "refused")
    say("ready")


async def opens_a_second_session(beast: Beast) -> None:
    client, partner = await beast.enter()
    await is_refused(beast)
    await beast.play(honest, client, partner)


async def steals_its_partners_session(beast: Beast) -> None:
    """The session token with the right bot's token: whoever shows both is that bot."""
    client, partner = await beast.enter()
    assert partner is not None
    async with asyncio.TaskGroup() as group:
        group.create_task(beast.play(honest, client))
        await partner.decision()
        thief = beast.client()
        await thief.hello(beast.token, session_token=partner.welcome.session_token)
        await say_end(partner, "robbed")


async def steals_anothers_session(beast: Beast) -> None:
    client, partner = await beast.enter()
    await is_refused(beast, session_token=os.environ["ZOO_LOOT"])
    await beast.play(honest, client, partner)


async def resumes_at_every_question(beast: Beast) -> None:
    client, partner = await beast.enter()
    token = client.welcome.session_token
    async with asyncio.TaskGroup() as group:
        assert partner is not None
        group.create_task(partner.play())
        while True:
            decisions: Decisions = []
            while not decisions:
                items = await client.message()
                client.acknowledged = items[-1].sequence
                decisions = [item.decision for item in items if item.HasField("decision")]
            again = beast.client()
            again.acknowledged = client.acknowledged
            await again.hello(beast.token, session_token=token)
            await client.hang_up()
            client = again
            await client.first(*decisions)


async def resumes_and_answers_nothing(beast: Beast) -> None:
    client, partner = await beast.enter()
    assert partner is not None
    async with asyncio.TaskGroup() as group:
        group.create_task(partner.play())
        await client.decision()
        for _ in range(300):
            again = beast.client()
            await again.say_hello(beast.token, session_token=client.welcome.session_token)
        await asyncio.sleep(FOREVER)


# What a process does.


async def exits_at_start(_: Beast) -> None:
    os._exit(3)


async def exits_in_a_game(_: Client, __: Decisions) -> None:
    os._exit(4)


async def stops_itself(_: Client, __: Decisions) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


async def stops_after_its_hello(beast: Beast) -> None:
    await beast.enter()
    os.kill(os.getpid(), signal.SIGSTOP)


async def starts_slowly(_: Beast) -> None:
    await asyncio.sleep(FOREVER)


async def forks(beast: Beast) -> None:
    for _ in range(3):
        # They hold its outputs open, and would outlive it.
        subprocess.Popen(("/bin/sh", "-c", "sleep 1000; : " + beast.folder))  # noqa: ASYNC220
    await beast.answer_by(honest)


async def prints_megabytes(beast: Beast) -> None:
    for stream in (sys.stdout, sys.stderr):
        stream.write("all work and no play\n" * (3 * MEGABYTE // 20))
        stream.flush()
    await beast.answer_by(honest)


ANSWERS: dict[str, Answer] = {
    "plays_on": honest,
    "answers_illegally": answers_illegally,
    "answers_other_questions": answers_other_questions,
    "answers_twice": answers_twice,
    "answers_late": answers_late,
    "answers_nothing": answers_nothing,
    "sleeps": sleeps,
    "answers_with_an_unknown_action": answers_with_an_unknown_action,
    "sends_an_unknown_arm_too": sends_an_unknown_arm_too,
    "sends_too_many_answers": sends_too_many_answers,
    "acknowledges_what_was_never_sent": acknowledges_what_was_never_sent,
    "says_hello_again": says_hello_again,
    "says_goodbye": says_goodbye,
    "closes_its_half": closes_its_half,
    "exits_in_a_game": exits_in_a_game,
    "stops_itself": stops_itself,
}

PROGRAMS: dict[str, Callable[[Beast], Awaitable[None]]] = {
    **{name: partial(pours, requests, reads=reads) for name, (requests, reads) in POURS.items()},
    "never_reads": never_reads,
    "wrong_token": lambda beast: is_refused(beast, token="0" * 64),
    "other_version": lambda beast: is_refused(beast, protocol_version=2),
    "too_many_tables": lambda beast: is_refused(beast, tables=5000),
    "opens_a_second_session": opens_a_second_session,
    "steals_its_partners_session": steals_its_partners_session,
    "steals_anothers_session": steals_anothers_session,
    "resumes_at_every_question": resumes_at_every_question,
    "resumes_and_answers_nothing": resumes_and_answers_nothing,
    "exits_at_start": exits_at_start,
    "stops_after_its_hello": stops_after_its_hello,
    "starts_slowly": starts_slowly,
    "forks": forks,
    "prints_megabytes": prints_megabytes,
}


async def run(kind: str, folder: str) -> None:
    """Misbehave in that way."""
    if kind in visitors.VISITS:
        await visitors.VISITS[kind](os.environ["ARENA_ADDR"])
        say("ready")
        await asyncio.sleep(FOREVER)
    beast = Beast(folder)
    if kind in ANSWERS:
        await beast.answer_by(ANSWERS[kind])
    else:
        await PROGRAMS[kind](beast)


def main() -> None:
    """The program."""
    _, kind, folder = sys.argv
    asyncio.run(run(kind, folder))
