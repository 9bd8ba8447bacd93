"""Damaged records: which, and playing their sets again on the deals they had.

Results are never deleted. A record that is damaged takes nothing from its result, which stands
beside it; what is lost is the proof. A set that is played again proves it anew if it comes out the
same, move for move: the journal has the hash. If it comes out otherwise, it is kept beside and
counts nowhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.cli.errors import FAILED, INTERRUPTED, CliError
from arena.cli.interrupts import Interrupts, run_interruptible
from arena.cli.private_socket import private_socket
from arena.cli.progress import SetProgress
from arena.cli.screen import stdout_screen, write
from arena.ids import JobKey
from arena.server.app import running_arena
from arena.server.tournaments import replay_damaged
from arena.store import Store, Tournament


def play_again(store: Store, tournament: Tournament, *, tables: int) -> None:
    """Play the sets with damaged records again, and say what came of it.

    Raises:
        CliError: a set came out otherwise, so its record stays damaged; or interrupted.
        StoreError: the store failed.
        ArenaFault: a set cannot be played.
    """
    keys = store.damaged(tournament.id)
    outcomes: dict[JobKey, bool] = {}
    with (
        store.driving(tournament.id),
        private_socket() as address,
        SetProgress(len(keys)) as progress,
    ):

        def count(key: JobKey, restored: bool) -> None:
            outcomes[key] = restored
            progress.advance()

        async def play(interrupts: Interrupts) -> None:
            async with running_arena(address, tables=tables) as arena:
                with interrupts.playing():
                    await replay_damaged(
                        store,
                        arena,
                        tournament.id,
                        keys,
                        tables=tables,
                        draining=interrupts.draining,
                        on_set=count,
                    )

        if keys:
            run_interruptible(play)
    _report(keys, outcomes)


def _report(keys: Sequence[JobKey], outcomes: dict[JobKey, bool]) -> None:
    write(f"{len(keys)} damaged, {sum(outcomes.values())} restored")
    others = [key for key in keys if outcomes.get(key) is False]
    if others:
        raise CliError(
            f"{stdout_screen().safe(', '.join(others))} came out otherwise than before",
            hint="their results stand; for the records, restore the database from a backup",
            code=FAILED,
        )
    if len(outcomes) < len(keys):
        raise CliError("interrupted", hint="the same command goes on", code=INTERRUPTED)
