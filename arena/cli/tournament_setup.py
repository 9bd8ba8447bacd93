"""From a tournament file to a stored tournament: a new one, or the one that is there already."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine, Iterator, Sequence
from typing import Final

from arena.cli.actor import local_user
from arena.cli.came_up import coming_up
from arena.cli.errors import FAILED, INTERRUPTED, CliError
from arena.cli.interrupts import run_interruptible
from arena.cli.layout import some
from arena.cli.private_socket import private_socket
from arena.cli.progress import SetProgress
from arena.cli.tournament_files import TournamentFile
from arena.hosting.command import BotCommand
from arena.hosting.identity import files_newer_than, identity_of
from arena.ids import TournamentId, VersionId
from arena.referee.policy import Policy
from arena.rules.deal import commitment
from arena.server.admission import Chair, Lane, Place
from arena.server.app import running_arena
from arena.store import (
    NewVersion,
    Store,
    Tournament,
    TournamentSpec,
    TournamentState,
    Unknown,
    Version,
    VersionKind,
)
from arena.store.access import LOCAL

TRIALS_AT_ONCE: Final = 4
"""So few, that none is late for its start-up time because of the others."""


def find_tournament(store: Store, name_or_id: str) -> Tournament:
    """The tournament of that name or number.

    Raises:
        CliError: there is none.
    """
    try:
        return store.tournament_named(name_or_id)
    except Unknown:
        pass
    if name_or_id.isascii() and name_or_id.isdigit() and len(name_or_id) < 10:
        try:
            return store.tournament(TournamentId(int(name_or_id)))
        except Unknown:
            pass
    raise CliError(f'there is no tournament "{name_or_id}"', hint="see: arena tournament list")


def named(store: Store, name: str) -> Tournament | None:
    """The tournament of that name, None where there is none."""
    try:
        return store.tournament_named(name)
    except Unknown:
        return None


def create_tournament(store: Store, file: TournamentFile) -> Tournament:
    """Store a new tournament and the versions of its bots.

    Raises:
        StoreError: it cannot be stored.
    """
    versions = [store.register_version(new_version(bot)) for bot in file.bots]
    spec = TournamentSpec(
        name=file.name,
        variant=file.variant,
        seed=secrets.token_bytes(32) if file.seed is None else file.seed,
        entries=tuple(version.id for version in versions),
        settings=file.settings.to_data(),
    )
    return store.tournament(store.create_tournament(spec, by=local_user()))


def new_version(bot: BotCommand) -> NewVersion:
    """The version that a command line is."""
    return NewVersion(
        name=bot.name,
        owner=LOCAL,
        kind=VersionKind.COMMAND,
        identity=bot.identity,
        command=bot.argv,
    )


def refuse_other(tournament: Tournament, file: TournamentFile) -> None:
    """Refuse a stored tournament that is not the one of the file.

    Raises:
        CliError: it differs; the sentence says in what.
    """
    for field, same in _agreements(tournament, file):
        if not same:
            raise CliError(
                f"there is a tournament {tournament.name!r} already, with another {field}",
                hint="give this one another name, or: arena tournament resume NAME",
            )
    for entry, bot in zip(tournament.entries, file.bots, strict=True):
        if entry.version.identity != bot.identity:
            raise CliError(
                f"there is a tournament {tournament.name!r} already, with another content of bot "
                f"{bot.name}",
                hint=f"{_newer(entry.version, bot.argv)}give this tournament another name",
            )


def _agreements(tournament: Tournament, file: TournamentFile) -> Iterator[tuple[str, bool]]:
    yield "variant", tournament.variant == file.variant
    given, kept = file.settings.to_data(), dict(tournament.settings)
    for field in sorted(given.keys() | kept.keys()):
        yield field, given.get(field) == kept.get(field)
    entries = [entry.version for entry in tournament.entries]
    yield "list of bots", [v.name for v in entries] == [bot.name for bot in file.bots]
    yield "seed", file.seed is None or commitment(file.seed) == tournament.commitment


def refuse_changed_bots(tournament: Tournament) -> None:
    """Refuse to go on with bots that are not those it began with.

    Raises:
        CliError: the command or a file of one has changed or is gone.
    """
    for entry in tournament.entries:
        version = entry.version
        if version.kind is not VersionKind.COMMAND:
            continue
        if identity_of(version.command) != version.identity:
            newer = _newer(version, version.command)
            raise CliError(
                f"bot {version.name!r} has changed since tournament {tournament.name!r} was "
                "created, or its files are gone",
                hint=f"{newer}put its files back, or create another tournament",
                code=FAILED,
            )


def _newer(version: Version, command: tuple[str, ...]) -> str:
    """What of a command is newer than the version that it was; empty where nothing is."""
    newer = files_newer_than(command, version.created_us)
    return f"newer than it: {some(newer)}; " if newer else ""


def refuse_remote_bots(tournament: Tournament) -> None:
    """Refuse to play a tournament whose bots nobody here can start and none can reach.

    Raises:
        CliError: it has bots that dial in, or that were submitted.
    """
    remote = remote_names(tournament)
    if remote:
        raise CliError(
            f"tournament {tournament.name} has bots that dial in ({', '.join(remote)}): "
            "start 'arena serve'"
        )
    kinds = [(entry.version.name, entry.version.kind) for entry in tournament.entries]
    submitted = [name for name, kind in kinds if kind is VersionKind.SUBMITTED]
    if submitted:
        raise CliError(
            f"tournament {tournament.name} has bots that were submitted ({', '.join(submitted)}): "
            "start 'arena serve'"
        )


def remote_names(tournament: Tournament) -> list[str]:
    """The bots of a tournament that dial in."""
    return [e.version.name for e in tournament.entries if e.version.kind is VersionKind.REMOTE]


def unfinished(store: Store) -> Tournament:
    """The one tournament that can go on.

    Raises:
        CliError: there is none, or more than one.
    """
    found = [one for one in store.tournaments() if not one.state.is_over]
    if len(found) == 1:
        return found[0]
    if not found:
        raise CliError("there is no unfinished tournament", hint="see: arena tournament list")
    names = ", ".join(one.name for one in found)
    raise CliError(f"{len(found)} tournaments are unfinished: name one of {names}")


def can_go_on(tournament: Tournament) -> bool:
    """Whether sets may be left to play."""
    return tournament.state not in (TournamentState.FINISHED, TournamentState.CANCELLED)


def try_out(bots: Sequence[BotCommand], policy: Policy) -> None:
    """Start one process of each bot and have it dial in, so that no set is lost to a typing error.

    Raises:
        CliError: one does not come up, or interrupted.
    """
    with private_socket() as address:
        interrupts = run_interruptible(lambda _: _try_out(bots, policy, address))
    if interrupts.stopped:
        raise CliError("interrupted before anything was stored", code=INTERRUPTED)


async def _try_out(bots: Sequence[BotCommand], policy: Policy, address: str) -> None:
    waiting = list(enumerate(bots))[::-1]

    async def work() -> None:
        while waiting:
            number, bot = waiting.pop()
            place = Place(VersionId(number), Chair.FIRST, Lane.A)
            arena.host(place.version, bot, "trial")
            with coming_up(arena, bot, [place]):
                await arena.executor.bring(place, policy)
            await arena.fleet.restart([place])
            progress.advance(bot.name)

    with SetProgress(len(bots), unit="bots tried") as progress:
        async with running_arena(address, tables=1) as arena:
            await _all([work() for _ in range(min(TRIALS_AT_ONCE, len(bots)))])


async def _all(works: Sequence[Coroutine[None, None, None]]) -> None:
    """Have all done; the first failure, as itself, ends the others."""
    try:
        async with asyncio.TaskGroup() as group:
            for work in works:
                group.create_task(work)
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None
