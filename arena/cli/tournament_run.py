"""Driving a stored tournament to its end, or as far as nobody interrupts it."""

from __future__ import annotations

from arena.cli.descriptors import ensure_descriptors
from arena.cli.interrupts import Interrupts, run_interruptible
from arena.cli.private_socket import private_socket
from arena.cli.progress import SetProgress
from arena.cli.screen import tell
from arena.server.admission import Chair, Lane
from arena.server.app import running_arena
from arena.server.tournaments import Progress, run_tournament
from arena.store import Store, Tournament


def play_on(store: Store, tournament: Tournament, *, tables: int) -> Tournament:
    """Play what is left of a tournament; returns it as it is afterwards.

    Raises:
        StoreError: the store failed.
        ArenaFault: a set cannot be played.
    """
    ensure_descriptors(len(tournament.entries) * len(Chair) * len(Lane))
    with store.driving(tournament.id), private_socket() as address:
        run_interruptible(lambda interrupts: _play(store, tournament, address, tables, interrupts))
    return store.tournament(tournament.id)


async def _play(
    store: Store, tournament: Tournament, address: str, tables: int, interrupts: Interrupts
) -> None:
    with _Shown() as shown:
        async with running_arena(address, tables=tables) as arena:
            with interrupts.playing():
                await run_tournament(
                    store,
                    arena,
                    tournament.id,
                    tables=tables,
                    draining=interrupts.draining,
                    on_progress=shown.update,
                )


class _Shown:
    """Shows progress, once its extent is known."""

    def __init__(self) -> None:
        self._progress: SetProgress | None = None

    def __enter__(self) -> _Shown:
        return self

    def __exit__(self, *error: object) -> None:
        if self._progress is not None:
            self._progress.__exit__(None, None, None)

    def update(self, progress: Progress) -> None:
        if self._progress is None:
            if progress.done:
                tell(f"resume  {progress.done} of {progress.planned} sets are in the journal")
            self._progress = SetProgress(progress.planned, done=progress.done)
            self._progress.__enter__()
        else:
            self._progress.advance()
