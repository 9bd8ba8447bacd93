"""One table: the course of a game, connected to four seats."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from arena.referee.course import STOPPED, Course, arena_failed
from arena.referee.seat import ArenaFault, Question, Reply, Seat
from arena.rules.cards import SEATS
from arena.rules.record import GameRecord


class Table:
    """A game at a table.

    Args:
        course: the game.
        seats: who plays seats 0..3.
    """

    def __init__(self, course: Course, seats: Sequence[Seat]) -> None:
        assert len(seats) == SEATS, "a table has four seats"
        self._course = course
        self._asking = course.play()
        self._seats = seats
        self._done: asyncio.Future[GameRecord] | None = None
        self._stepping = False
        self._early: Reply | ArenaFault | None = None

    async def play(self) -> GameRecord:
        """Play the game to its end; when cancelled, the seats are told that it was stopped.

        A failure of ours (``ArenaFault``, a failed assertion) ends it as an arena fault.
        """
        assert self._done is None, "a table plays one game"
        self._done = asyncio.get_running_loop().create_future()
        self._course.watch(self._seats)
        self._take(None)
        record = None
        try:
            record = await self._done
        finally:
            self._asking.close()
            for seat in self._seats:
                seat.game_finished(self._course.record(STOPPED) if record is None else record)
        return record

    def _take(self, reply: Reply | ArenaFault | None) -> None:
        """Send a reply to the course and ask what it wants next; None begins it."""
        if self._stepping:
            # Answered before ``ask`` returned: the loop below goes on with it.
            self._early = reply
            return
        done = self._done
        assert done is not None, "the game has not begun"
        if done.done():
            return  # stopped meanwhile
        self._stepping = True
        try:
            while True:
                if isinstance(reply, ArenaFault):
                    seat, what = self._asking.throw(reply)
                else:
                    seat, what = self._asking.send(reply)  # type: ignore[arg-type]
                self._early = None
                if isinstance(what, Question):
                    self._seats[seat].ask(what, self._take)
                else:
                    self._seats[seat].ask_again(what, self._take)
                reply = self._early
                if reply is None:
                    return
        except StopIteration as stop:
            done.set_result(stop.value)
        except (ArenaFault, AssertionError) as error:
            # A seat of ours failed when it was asked; inside the course it ends the same way.
            done.set_result(self._course.record(arena_failed(error)))
        except Exception as error:
            # Handed to whoever awaits ``play``; the bot whose message is being read is innocent.
            done.set_exception(error)
        finally:
            self._stepping = False
