"""``arena bot submit``: a bot's folder on its way to a running arena, followed to its end."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.data_folder import DataOption
from arena.cli.errors import DONE, FAILED, CliError, os_sentence
from arena.cli.layout import counted
from arena.cli.remote import ServerOption, connected
from arena.cli.screen import stderr_screen, tell
from arena.hosting.archive import pack
from arena.hosting.command import find_folder
from arena.hosting.entries import ArchiveError
from arena.hosting.folder import files_of, links_of
from arena.hosting.launchable import NotLaunchable, refuse_missing_files, refuse_odd_files
from arena.hosting.manifest import Manifest, ManifestError, read_manifest
from arena.hosting.naming import UnfitName, refuse_unfit_name

MOST_LINKS: Final = 5
"""Of the links that are not sent, so many are named."""


def submit(
    folder: Annotated[
        str, typer.Argument(metavar="FOLDER", help="The bot's folder, or a sample as go/starter.")
    ] = ".",
    server: ServerOption = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="The bot's; else what bot.toml calls it.")
    ] = None,
    data: DataOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Send a bot's folder to an arena, to be built and to play.

    What its .gitignore files leave out is not sent. Changed content is a new version with a rating
    of its own. Exit code 0: it is ready to play; 1: it is not; 2: wrong usage.
    """
    if server is None:
        raise CliError("name the arena that it is sent to: --server ADDR")
    manifest = _manifest(folder)
    called = _fit_name(manifest.name if name is None else name)
    from arena.cli.remote_submissions import follow, refuse_strangers
    from arena.cli.submission_text import Told

    told = Told(called, as_json=as_json)
    with connected(server, data) as arena:
        refuse_strangers(arena, called)
        archive = _packed(manifest)
        ready = follow(arena, called, archive, told)
    raise typer.Exit(DONE if ready else FAILED)


def _manifest(text: str) -> Manifest:
    """What the folder is.

    Raises:
        CliError: it is no bot's, or holds what cannot be run.
    """
    try:
        manifest = read_manifest(find_folder(text) or Path(text))
        refuse_odd_files(manifest)
    except ManifestError as error:
        raise CliError(str(error), hint="arena bot new makes a folder with all that") from error
    except NotLaunchable as error:
        raise CliError(str(error), code=FAILED) from error
    return manifest


def _fit_name(name: str) -> str:
    """The name that the bot is to have.

    Raises:
        CliError: no submitted bot may have it.
    """
    try:
        refuse_unfit_name(name)
    except UnfitName as error:
        raise CliError(str(error), hint="give it a name: --name NAME") from error
    return name


def _packed(manifest: Manifest) -> bytes:
    """The archive of its files.

    Raises:
        CliError: one cannot be read, no arena would take it, or it could not run.
    """
    try:
        files = files_of(manifest.folder)
        refuse_missing_files(manifest, frozenset(files))
        _tell_links(manifest.folder)
        return pack(manifest.folder, files)
    except NotLaunchable as error:
        raise CliError(str(error), code=FAILED) from error
    except ArchiveError as error:
        raise CliError(
            str(error), hint="a .gitignore file in the folder leaves files out", code=FAILED
        ) from error
    except OSError as error:
        raise CliError(os_sentence(error), code=FAILED) from error


def _tell_links(folder: Path) -> None:
    """Say which links are not sent: the bot may need what they lead to."""
    links = links_of(folder)
    for link in links[:MOST_LINKS]:
        target = stderr_screen().safe(f"{link.as_posix()} -> {(folder / link).readlink()}")
        tell(f"not sent, a link: {target}")
    if len(links) > MOST_LINKS:
        tell(f"not sent: {counted(len(links) - MOST_LINKS, 'other link')}")
