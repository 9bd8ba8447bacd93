"""What a session has yet to be sent, and what it was sent and has not acknowledged.

Events go out before questions: no event is about a question that waits beside it, and a game is
announced before its first question is put.  Both are bounded: there is at most one question a
table, and a bot that lets too many events pile up is cut off (``Session.send``).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

from arena.server.items import event_parts
from arena.server.remote import RemoteSeat
from arena.v1 import referee_pb2

RESUME_BUFFER: Final = 1024


class Outbox:
    """The items of one session.

    Attributes:
        events: those that wait, in order.
        questions: the seats whose questions wait, in order.
        sequence: the number of the last item that went out.
        forgotten: the highest number of an event that can not be sent again any more.
    """

    __slots__ = ("_unacknowledged", "events", "forgotten", "questions", "sequence")

    def __init__(self) -> None:
        self.events: deque[referee_pb2.Item] = deque()
        self.questions: deque[RemoteSeat] = deque()
        self.sequence = 0
        self.forgotten = 0
        self._unacknowledged: deque[referee_pb2.Item] = deque(maxlen=RESUME_BUFFER)

    def __len__(self) -> int:
        return len(self.events) + len(self.questions)

    def clear(self) -> None:
        """Forget all that waits."""
        self.events.clear()
        self.questions.clear()

    def send_event(self) -> tuple[bytes, ...]:
        """The next event goes out; it is kept until the bot acknowledges it."""
        event, kept = self.events.popleft(), self._unacknowledged
        if not event.sequence:
            self.sequence += 1
            event.sequence = self.sequence
        if len(kept) == RESUME_BUFFER:
            self.forgotten = kept[0].sequence
        kept.append(event)
        return event_parts(event)

    def acknowledge(self, sequence: int) -> bool:
        """Forget events up to ``sequence``; False where that was never sent."""
        if sequence > self.sequence:
            return False
        kept, events = self._unacknowledged, self.events
        while kept and kept[0].sequence <= sequence:
            kept.popleft()
        # After a resume they may wait to be sent again; what was never sent has no number.
        while events and 0 < events[0].sequence <= sequence:
            events.popleft()
        return True

    def send_again(self, in_flight: Iterable[RemoteSeat]) -> None:
        """Have everything that was not acknowledged or answered wait to be sent once more."""
        self.events.extendleft(reversed(self._unacknowledged))
        self._unacknowledged.clear()
        held = dict.fromkeys(in_flight)
        self.questions = deque([*held, *(seat for seat in self.questions if seat not in held)])
