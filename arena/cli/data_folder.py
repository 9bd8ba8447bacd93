"""The data folder: where the database is, and the way to it from a command."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.cli.errors import FAILED, CliError

if TYPE_CHECKING:
    from arena.store import Store

DATABASE: Final = "arena.db"
VARIABLE: Final = "ARENA_DATA"
DEFAULT: Final = "arena-data"
SERVER: Final = "{server}"

DataOption = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help=f"The data folder; else {VARIABLE}, ./{DEFAULT}."),
]


def data_folder(asked: Path | None) -> Path:
    """The folder that was asked for, by option or environment."""
    return asked if asked is not None else Path(os.environ.get(VARIABLE) or DEFAULT)


def data_words(asked: Path | None) -> str:
    """What a command told to be run next needs to find the same data; empty for the default."""
    return "" if asked is None else f" --data {shlex.quote(str(asked))}"


def has_store(asked: Path | None) -> bool:
    """Whether there is a database."""
    return (data_folder(asked) / DATABASE).exists()


def open_store(asked: Path | None, *, make: bool = False) -> Store:
    """The store in the data folder.

    Args:
        asked: the option's value.
        make: whether a new one will do; looking never makes one.

    Raises:
        CliError: there is none.
        DataFolderError: the folder cannot be made.
        StoreError: the database cannot be used.
    """
    folder = data_folder(asked)
    if not make and not has_store(asked):
        raise CliError(
            f"there is no arena data in {folder}",
            hint=f"name the folder with --data or {VARIABLE}",
        )
    from arena.server.organiser import make_data_folder
    from arena.store import Store

    make_data_folder(folder)
    return Store.open(folder / DATABASE)


@contextmanager
def claimed(store: Store, asked: Path | None, instead: str) -> Iterator[None]:
    """Be the one process that plays what is in a store while the block runs.

    Args:
        store: the store.
        asked: the option's value.
        instead: what to do where an arena serves the folder; `SERVER` in it is its address.

    Raises:
        CliError: an arena serves it.
        StoreError: another process plays it.
    """
    from arena.server.serve import SOCKET
    from arena.store import Unusable

    with ExitStack() as stack:
        try:
            stack.enter_context(store.claim())
        except Unusable as error:
            socket = data_folder(asked).absolute() / SOCKET
            if not socket.is_socket():
                raise
            address = shlex.quote(f"unix:{socket}")
            hint = f"where that is 'arena serve', {instead.replace(SERVER, address)}"
            raise CliError(str(error), hint=hint, code=FAILED) from error
        yield
