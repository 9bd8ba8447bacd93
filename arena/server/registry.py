"""Bots, tokens and tournaments on their way from the store to the lobby and the schedule."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from arena.events import Event, event_log
from arena.server.admission import Admission, Bearer
from arena.server.lobby import Lobby
from arena.server.scheduler import Scheduler
from arena.store import Role, Store, StoreError, Version, VersionKind
from arena.store.access import ORGANISER

LOOK_SECONDS: Final = 2.0
"""How often the store is looked at for what another process has put there."""

GATHER_SECONDS: Final = 0.05
"""How long a look for an unknown token waits for more of them: so many looks they cost at most."""

log = event_log(__name__)


class Registry:
    """Keeps the tokens of a lobby as the store has them.

    Args:
        store: where they are.
        lobby: whom they admit; sessions whose token is revoked are cut off.
        organiser: the hash of the token in the data folder.
    """

    def __init__(self, store: Store, lobby: Lobby, organiser: str) -> None:
        self._store = store
        self._lobby = lobby
        self._file = organiser, Bearer(ORGANISER, Role.ORGANISER)
        # Who reads the store puts what was read into the lobby before the next one reads: else a
        # token that was revoked in between would come back.
        self._one_by_one = asyncio.Lock()
        self._look: asyncio.Task[None] | None = None
        self._seen: object = None
        lobby.tokens.set_people([self._file])
        lobby.tokens.learn = self.look

    async def change(self, do: Callable[[], Version]) -> Version:
        """Change a version in the store, in a thread, and have it admitted as it is then.

        Raises:
            StoreError: the change is refused.
        """
        async with self._one_by_one:
            version = await asyncio.to_thread(do)
            self._admit(version)
        return version

    async def take_in(self) -> None:
        """Know every token that is good, and no other.

        Raises:
            StoreError: the store cannot be read.
        """
        async with self._one_by_one:
            versions = await asyncio.to_thread(self._store.versions)
            people = await asyncio.to_thread(self._store.access_tokens)
            for version in versions:
                self._admit(version)
            good = [one for one in people if one.revoked_us is None]
            self._lobby.tokens.set_people(
                [self._file, *((one.token_hash, Bearer(one.name, one.role)) for one in good)]
            )

    async def look(self) -> None:
        """Know what is new before the next regular look; who asks at one time shares a look.

        Raises:
            StoreError: the store cannot be read.
        """
        if self._look is None:
            self._look = asyncio.create_task(self._look_once())
        await asyncio.shield(self._look)

    async def _look_once(self) -> None:
        await asyncio.sleep(GATHER_SECONDS)
        self._look = None  # whoever comes from here on may ask for what this look does not see
        newest = await asyncio.to_thread(_newest, self._store)
        if newest != self._seen:
            await self.take_in()
            self._seen = newest

    def _admit(self, version: Version) -> None:
        if version.kind is not VersionKind.REMOTE:
            return
        admission = Admission(version.id, version.name, version.label)
        if not self._lobby.tokens.renew(version.token_hash, admission):
            return
        log.info(Event.TOKEN_REVOKED, bot=version.name, label=version.label, version=version.id)
        self._lobby.revoke(version.id)


async def keep_taking_in(store: Store, registry: Registry, scheduler: Scheduler) -> None:
    """Take in what is new again and again: commands on this machine write into the store."""
    known: object = None
    said = ""
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        try:
            newest = await asyncio.to_thread(_newest, store)
            if newest != known:
                await registry.take_in()
                await scheduler.resume()
                known = newest
            said = ""
        except StoreError as error:
            if said != str(error):  # once, not every time for as long as it lasts
                log.error(Event.DATABASE_ERROR, reason=str(error))
            said = str(error)


def _newest(store: Store) -> object:
    """What is another thing whenever there is something new."""
    return store.newest_version(), store.states(), store.newest_deed()
