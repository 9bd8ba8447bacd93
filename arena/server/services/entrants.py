"""Who is to take part in a tournament: registered versions, or sample bots that ship."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from arena.hosting.command import find_command, sample_names
from arena.ids import VersionId
from arena.server.services import names
from arena.server.services.errors import invalid, not_found, not_now
from arena.store import NewVersion, Store, Version, VersionKind, VersionState
from arena.store.access import LOCAL
from arena.v1 import tournament_service_pb2 as pb

MOST: Final = 256


def read_entrants(store: Store, entrants: Sequence[pb.TournamentEntrant]) -> tuple[VersionId, ...]:
    """The versions of some entrants, in their order; sample bots are registered by the way.

    Raises:
        CallError: there are too few or too many, one twice, one that is not there, one that
            cannot dial in, or one that is paused or retired.
    """
    if not 2 <= len(entrants) <= MOST:
        raise invalid("entrants", f"a tournament has 2 to {MOST} bots, not {len(entrants)}")
    found = [_read(store, entrant, f"entrants[{n}]") for n, entrant in enumerate(entrants)]
    for version in found:
        _refuse_absent(store.version(version))
    for number, version in enumerate(found):
        if version in found[:number]:
            raise invalid(f"entrants[{number}]", "this version is entered twice: enter it once")
    return tuple(found)


def _refuse_absent(version: Version) -> None:
    called = f"bot {version.name!r} version {version.label!r}"
    match version.state:
        case VersionState.ACTIVE:
            pass
        case VersionState.PAUSED:
            raise not_now(
                f"{called} is paused after repeated crashes; its author or you may have it go on: "
                f"arena bot resume {version.name} --label {version.label}"
            )
        case VersionState.RETIRED:
            raise not_now(f"{called} is retired and plays no more")
        case _:
            assert_never(version.state)
    if version.kind is VersionKind.REMOTE and version.token_hash is None:
        raise not_now(
            f"{called} has no token any more and cannot dial in: give it a new one before it is "
            "entered"
        )


def _read(store: Store, entrant: pb.TournamentEntrant, field: str) -> VersionId:
    match entrant.WhichOneof("entrant"):
        case "version":
            return _version(store, entrant.version, f"{field}.version")
        case "bot":
            return _bot(store, entrant.bot)
        case _:
            raise invalid(field, "it names neither a version nor a bot")


def _version(store: Store, text: str, field: str) -> VersionId:
    bot, number = names.parse_version(field, text)
    if store.version(number).bot != bot:
        raise not_found(f"there is no version {text}")
    return number


def _bot(store: Store, name: str) -> VersionId:
    versions = store.versions(name)
    active = [version for version in versions if version.state is VersionState.ACTIVE]
    if versions:
        return (active or versions)[-1].id
    if name in sample_names():
        return _sample(store, name)
    raise not_found(f"there is no bot {name!r}: register it first")


def _sample(store: Store, name: str) -> VersionId:
    command = find_command(name)
    new = NewVersion(
        name=command.name,
        owner=LOCAL,
        kind=VersionKind.COMMAND,
        identity=command.identity,
        command=command.argv,
    )
    return store.register_version(new).id
