"""What a decision costs its seat.

A session that holds n decisions is charged 1/n of the time for each (n = 1 is the plain clock):
``meter`` is the integral of 1/n, so a decision's charge is the difference of two readings.  What
the server itself was late by in between is credited.
"""

from __future__ import annotations

from arena.referee.clock import Micros
from arena.server.pulse import Pulse
from arena.server.remote import RemoteSeat


class SessionClock:
    """The time of one session, as read last.

    Attributes:
        now: the instant of the reading.
        meter: the integral of 1/n over the session's time.
        lag: the server's lag.
        accepted: the instant of the last answer that was taken.
    """

    __slots__ = ("_pulse", "accepted", "lag", "meter", "now")

    def __init__(self, pulse: Pulse) -> None:
        self._pulse = pulse
        self.now: Micros = pulse.clock.now()
        self.lag: Micros = pulse.lag(self.now)
        self.meter = 0.0
        self.accepted: Micros = 0

    def read(self, held: int) -> None:
        """Read it, while ``held`` decisions are held; call it before that number changes."""
        now = self._pulse.clock.now()
        self.meter += (now - self.now) / held if held > 1 else now - self.now
        self.now = now
        self.lag = self._pulse.lag(now)

    def start(self, seat: RemoteSeat) -> None:
        """A seat's decision begins with this reading."""
        seat.handed = self.now
        seat.meter = self.meter
        seat.lag = self.lag

    def spent(self, seat: RemoteSeat) -> tuple[Micros, Micros]:
        """What a seat's decision is charged, and how long it took, by this reading."""
        credit = self.lag - seat.lag
        charged = int(self.meter - seat.meter) - credit
        latency = self.now - seat.handed - credit
        return charged if charged > 0 else 0, latency if latency > 0 else 0

    def overrun(self, seat: RemoteSeat) -> str:
        """What a seat has used up by this reading, in words: its bank, or the decision's maximum.

        The maximum runs from the later of hand-over and the session's last accepted answer, so
        that taking many tables is never a fault in itself.

        Returns:
            Empty while there is time left.
        """
        credit = self.lag - seat.lag
        if self.meter - seat.meter - credit > seat.question.bank:
            return "its bank ran out"
        since = max(seat.handed, self.accepted)
        over = self.now - since - credit > seat.question.limit
        return "the time for a decision ran out" if over else ""

    def overdue(self, seat: RemoteSeat) -> str:
        """The overrun of a seat's decision once two looks have found one; else empty.

        An answer that arrived in time but lay unread in the socket is taken between the two.
        """
        overrun = self.overrun(seat)
        found_before, seat.overdue = seat.overdue, bool(overrun)
        return overrun if found_before else ""
