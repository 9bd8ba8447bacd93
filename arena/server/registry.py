"""Registered bots and tournaments on their way from the store to the lobby and the schedule."""

from __future__ import annotations

import asyncio
from typing import Final

from arena.events import Event, event_log
from arena.server.admission import Admission, Tokens
from arena.server.scheduler import Scheduler
from arena.store import Store, StoreError, Version, VersionKind

LOOK_SECONDS: Final = 2.0
"""How often the store is looked at for what another process has put there."""

log = event_log(__name__)


def admit(tokens: Tokens, version: Version) -> None:
    """Admit a version that dials in to the lobby, at once."""
    if version.kind is VersionKind.REMOTE and version.token_hash is not None:
        tokens.add(version.token_hash, Admission(version.id, version.name, version.label))


async def take_in(store: Store, tokens: Tokens, scheduler: Scheduler) -> None:
    """Admit every registered version and schedule every tournament that is not over.

    Raises:
        StoreError: the store cannot be read.
    """
    for version in await asyncio.to_thread(store.versions):
        admit(tokens, version)
    await scheduler.resume()


async def keep_taking_in(store: Store, tokens: Tokens, scheduler: Scheduler) -> None:
    """Do so whenever there is something new: commands on this machine write into the store."""
    known: object = None
    said = ""
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        try:
            newest = await asyncio.to_thread(lambda: (store.newest_version(), store.states()))
            if newest != known:
                await take_in(store, tokens, scheduler)
                known = newest
            said = ""
        except StoreError as error:
            if said != str(error):  # once, not every time for as long as it lasts
                log.error(Event.DATABASE_ERROR, reason=str(error))
            said = str(error)
