"""Versions that crash set after set are paused before they cost everybody more time."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from arena.events import Event, event_log
from arena.ids import VersionId
from arena.rules.record import SetRecord
from arena.store import Store, StoreError, VersionKind, VersionState

MOST: Final = 3
"""Sets one after the other in which a version's processes end by themselves."""

NOTE: Final = f"its processes ended by themselves in {MOST} sets one after the other"

log = event_log(__name__)


class Pauses:
    """Counts crashes, and pauses the submitted versions that have too many.

    Attributes:
        tasks: that pause one just now.

    Args:
        store: keeps who is paused, and why.
        rest: has no process of a version started any more; the sentence says why.
    """

    def __init__(self, store: Store, rest: Callable[[VersionId, str], None]) -> None:
        self._store = store
        self._rest = rest
        self._counts: Counter[VersionId] = Counter()
        self.tasks: set[asyncio.Task[None]] = set()

    def told(self, versions: Sequence[VersionId], record: SetRecord) -> None:
        """A set of these versions is over."""
        for entrant, version in enumerate(versions):
            if not record.faults_of(entrant).crash:
                del self._counts[version]
                continue
            self._counts[version] += 1
            if self._counts[version] >= MOST:
                del self._counts[version]
                task = asyncio.create_task(self._pause(version))
                self.tasks.add(task)
                task.add_done_callback(self.tasks.discard)

    async def _pause(self, number: VersionId) -> None:
        try:
            version = await asyncio.to_thread(self._store.version, number)
            if version.kind is not VersionKind.SUBMITTED:
                return  # an organiser's own command: every tournament tries it again
            self._rest(number, f"{version.name} is paused")  # the note is not for the record
            if version.state is not VersionState.ACTIVE:
                return
            await asyncio.to_thread(
                self._store.set_version_state, number, VersionState.PAUSED, NOTE
            )
        except StoreError as error:
            log.error(Event.DATABASE_ERROR, reason=str(error))
            return
        log.warning(
            Event.VERSION_PAUSED,
            bot=version.name,
            label=version.label,
            version=number,
            reason=NOTE,
        )
