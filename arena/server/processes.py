"""The processes of hosted bots as events: started, started again, ended, and why."""

from __future__ import annotations

from arena.events import Event, event_log
from arena.server.admission import Admission, Place
from arena.server.counts import Counts
from arena.server.places import place_fields

log = event_log(__name__)


class Processes:
    """Tells of the processes of a server, and counts them.

    Args:
        counts: takes the numbers.
    """

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        self._failed: set[Place] = set()

    def starts(self, admission: Admission, place: Place) -> None:
        """One is about to start."""
        self._counts.processes_started += 1
        fields = place_fields(admission, place)
        if place in self._failed:
            self._failed.discard(place)
            log.info(Event.PROCESS_RESTARTED, **fields)
        else:
            log.debug(Event.PROCESS_STARTED, **fields)

    def failed(self, admission: Admission, place: Place, sentence: str) -> None:
        """One has ended by itself."""
        self._counts.processes_failed += 1
        self._failed.add(place)
        log.info(
            Event.PROCESS_ENDED, by="itself", reason=sentence, **place_fields(admission, place)
        )

    def ended(self, admission: Admission, place: Place, sentence: str) -> None:
        """The arena has ended one."""
        fields = place_fields(admission, place)
        log.debug(Event.PROCESS_ENDED, by="arena", reason=sentence, **fields)
