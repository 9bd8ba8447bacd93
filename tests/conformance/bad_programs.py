"""Bad bots that are processes, ``python -c ... NAME``: each does one thing wrong."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from dataclasses import dataclass

import grpc
from grpc import aio

from tests.conformance.good import GoodBot, Program, say


class ExitsAtOnce(Program):
    def run(self) -> int:
        say("there is no file of weights")
        return 5


class ExitsWithOneAtGoodbye(Program):
    async def play(self, bot: GoodBot) -> int:
        return (await super().play(bot)) or 1


class StaysAfterGoodbye(Program):
    async def play(self, bot: GoodBot) -> int:
        await super().play(bot)
        return await asyncio.Future()


class IgnoresSigterm(Program):
    async def play(self, bot: GoodBot) -> int:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        return await bot.play()


class LeavesWithoutGoodbye(Program):
    async def stop(self, bot: GoodBot, playing: asyncio.Task[int]) -> None:
        os._exit(0)


class IsBusyWhileIdle(Program):
    async def play(self, bot: GoodBot) -> int:
        threading.Thread(target=_burn, daemon=True).start()
        return await super().play(bot)


def _burn() -> None:
    while True:
        pass


class PrintsItsToken(Program):
    async def play(self, bot: GoodBot) -> int:
        say(f"my token is {bot.token}")
        return await super().play(bot)


class PrintsToStandardOutput(Program):
    async def play(self, bot: GoodBot) -> int:
        sys.stdout.write("hello\n")
        sys.stdout.flush()
        return await super().play(bot)


class PrintsWhatTheArenaSends(Program):
    class bot(GoodBot):
        async def drain(self, text: str) -> None:
            say(f"the arena says: {text}")


class CannotSpeakTls(Program):
    async def play(self, bot: GoodBot) -> int:
        bot.address = bot.address.removeprefix("tls:")
        return await super().play(bot)


class CannotDialSockets(Program):
    async def play(self, bot: GoodBot) -> int:
        if bot.address.startswith("unix:"):
            say("what is a Unix socket?")
            return 1
        return await super().play(bot)


class IsContentWhenRefused(Program):
    async def play(self, bot: GoodBot) -> int:
        code = await super().play(bot)
        return 0 if code == 3 else code


class DialsOnWhenRefused(Program):
    class bot(GoodBot):
        def broken(self, error: aio.AioRpcError) -> int | None:
            return None


class FailsWithOneWhenRefused(Program):
    async def play(self, bot: GoodBot) -> int:
        code = await super().play(bot)
        return 1 if code == 3 else code


class WantsToBeAlone(Program):
    async def play(self, bot: GoodBot) -> int:
        if os.environ.get("ARENA_CHAIR") == "second":
            say("another one runs already")
            return 1
        return await super().play(bot)


class IsBusyWithoutArena(Program):
    class bot(GoodBot):
        def broken(self, error: aio.AioRpcError) -> int | None:
            if not self.secret and error.code() is grpc.StatusCode.UNAVAILABLE:
                threading.Thread(target=_burn, daemon=True).start()
            return super().broken(error)


class IsContentWithoutArena(Program):
    class bot(GoodBot):
        def broken(self, error: aio.AioRpcError) -> int | None:
            alone = not self.secret and error.code() is grpc.StatusCode.UNAVAILABLE
            return 0 if alone else super().broken(error)


class IsContentWithoutAddress(Program):
    def misused(self) -> int:
        return 0


class SaysNothingOfWrongUsage(Program):
    def misused(self) -> int:
        return 2


class FailsWithOneAtWrongUsage(Program):
    def misused(self) -> int:
        super().misused()
        return 1


@dataclass(frozen=True, slots=True)
class Process:
    """A bad bot that is a process; see `Session` in `bad`."""

    program: type[Program]
    step: str
    verdict: str = "failed"


PROGRAMS = {
    "good": Process(Program, "", "passed"),
    "exits-at-once": Process(ExitsAtOnce, "hello"),
    "exits-with-one-at-goodbye": Process(ExitsWithOneAtGoodbye, "goodbye"),
    "stays-after-goodbye": Process(StaysAfterGoodbye, "goodbye"),
    "ignores-sigterm": Process(IgnoresSigterm, "sigterm"),
    "leaves-without-goodbye": Process(LeavesWithoutGoodbye, "sigterm"),
    "is-busy-while-idle": Process(IsBusyWhileIdle, "idle"),
    "prints-its-token": Process(PrintsItsToken, "output"),
    "prints-to-standard-output": Process(PrintsToStandardOutput, "output", "warned"),
    "prints-what-the-arena-sends": Process(PrintsWhatTheArenaSends, "output", "warned"),
    "cannot-speak-tls": Process(CannotSpeakTls, "tls"),
    "cannot-dial-sockets": Process(CannotDialSockets, "unix"),
    "is-content-when-refused": Process(IsContentWhenRefused, "refused"),
    "dials-on-when-refused": Process(DialsOnWhenRefused, "refused"),
    "fails-with-one-when-refused": Process(FailsWithOneWhenRefused, "refused", "warned"),
    "wants-to-be-alone": Process(WantsToBeAlone, "both-seats"),
    "is-busy-without-arena": Process(IsBusyWithoutArena, "no-arena"),
    "is-content-without-arena": Process(IsContentWithoutArena, "no-arena"),
    "is-content-without-address": Process(IsContentWithoutAddress, "usage"),
    "says-nothing-of-wrong-usage": Process(SaysNothingOfWrongUsage, "usage"),
    "fails-with-one-at-wrong-usage": Process(FailsWithOneAtWrongUsage, "usage", "warned"),
}
"""By name."""


def main() -> None:
    """The program of a process."""
    sys.exit(PROGRAMS[sys.argv[1]].program().run())
