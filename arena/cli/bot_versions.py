"""``arena bot retire`` and ``arena bot resume``: which submitted versions are scheduled."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Annotated

import typer

from arena.cli.actor import local_user
from arena.cli.data_folder import DataOption, data_words, open_store
from arena.cli.errors import FAILED, CliError
from arena.cli.remote import ServerOption, connected
from arena.cli.screen import stdout_screen, write

Name = Annotated[str, typer.Argument(metavar="NAME", help="The bot's name.")]
Label = Annotated[
    str | None,
    typer.Option("--label", metavar="LABEL", help="Of the version; else the newest."),
]


def retire(
    name: Name, label: Label = None, data: DataOption = None, server: ServerOption = None
) -> None:
    """Let a submitted version play no more, for good.

    Without --label it is the newest. Its results stay. Tournaments that have it play on.
    """
    label = _set(name, label, data, server, retire=True)
    write(stdout_screen().safe(f"{name} {label} is retired for good"))


def resume(
    name: Name, label: Label = None, data: DataOption = None, server: ServerOption = None
) -> None:
    """Let a version play again that was paused for its crashes."""
    label = _set(name, label, data, server, retire=False)
    write(stdout_screen().safe(f"{name} {label} plays again"))


def _set(
    name: str, label: str | None, data: DataOption, server: ServerOption, *, retire: bool
) -> str:
    """Change the state of a version; its label."""
    if server is not None:
        from arena.cli import remote_submissions

        with connected(server, data) as arena:
            return remote_submissions.set_state(arena, name, label, retire=retire).label
    from arena.store import VersionKind, VersionState

    with open_store(data) as store:
        found = [one for one in store.versions(name) if one.kind is VersionKind.SUBMITTED]
        labels = [one.label for one in found]
        chosen = found[choose(name, labels, label, data_words(data))]
        state = VersionState.RETIRED if retire else VersionState.ACTIVE
        if state is chosen.state is VersionState.ACTIVE:
            paused = [one.label for one in found if one.state is VersionState.PAUSED]
            raise not_paused(name, chosen.label, paused)
        return store.set_version_state(chosen.id, state, by=local_user()).label


def not_paused(name: str, label: str, paused: Sequence[str]) -> CliError:
    """What to tell of a version that is to play again and never ceased to.

    Args:
        name: the bot's.
        label: the version's.
        paused: the labels of those that are.
    """
    others = ", ".join(f"{name} {one}" for one in paused)
    if not others:
        return CliError(f"{name} {label} was not paused", code=FAILED)
    are = "is" if len(paused) == 1 else "are"
    return CliError(
        f"{name} {label} was not paused; {others} {are}",
        hint=f"say which: --label {shlex.quote(paused[-1])}",
    )


def choose(name: str, labels: Sequence[str], label: str | None, where: str) -> int:
    """Which of a bot's versions is meant.

    Args:
        name: the bot's.
        labels: of its versions, oldest first.
        label: the one that is meant; None for the newest.
        where: the options that lead to the same arena.

    Raises:
        CliError: there is none such.
    """
    if not labels:
        raise CliError(f"no bot {name!r} was submitted", hint=f"see: arena bot list{where}")
    if label is None:
        return len(labels) - 1
    if label not in labels:
        told = ", ".join(labels)
        raise CliError(f"bot {name!r} has no version {label!r}", hint=f"submitted were: {told}")
    return labels.index(label)
