"""``arena serve``: gRPC, the scheduler and the pages over one data folder."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.data_folder import DataOption, data_folder, open_store
from arena.cli.descriptors import raise_descriptors
from arena.cli.logs import log_in_lines
from arena.cli.screen import tell

if TYPE_CHECKING:
    from arena.server.serve import Serving


def serve(
    data: DataOption = None,
    listen: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDR", help="HOST:PORT or unix:PATH; else 127.0.0.1:50051."),
    ] = None,
    http: Annotated[
        str, typer.Option(metavar="ADDR", help="HOST:PORT of the pages, or none.")
    ] = "127.0.0.1:8080",
    tables: Annotated[
        int, typer.Option(min=1, max=1024, help="Halves of sets played at once.")
    ] = 16,
    drain_seconds: Annotated[
        float, typer.Option(min=0, max=86_400, help="For running sets, once asked to stop.")
    ] = 30.0,
    insecure_public: Annotated[
        bool,
        typer.Option("--insecure-public", help="Listen where other machines can listen in."),
    ] = False,
) -> None:
    """Serve bots and pages, and play tournaments.

    Those of the data folder, until told to stop.
    """
    log_in_lines(events=True)
    from arena.server.organiser import make_data_folder
    from arena.server.serve import LISTEN, ServeSettings
    from arena.server.serve import serve as serve_arena

    raise_descriptors()
    folder = data_folder(data)
    make_data_folder(folder)
    settings = ServeSettings(
        folder=folder,
        listen=tuple(listen or (LISTEN,)),
        http=None if http == "none" else http,
        tables=tables,
        drain_seconds=drain_seconds,
        insecure_public=insecure_public,
    )
    with open_store(data, make=True) as store:
        asyncio.run(
            serve_arena(
                store, settings, on_ready=_say_where, on_drain=lambda: _say_drain(drain_seconds)
            )
        )
    tell("stopped")


def _say_where(serving: Serving) -> None:
    for address in serving.addresses:
        tell(f"bots    {address}")
    tell(f"local   {serving.socket}")
    if serving.pages is not None:
        tell(f"pages   {serving.pages}")
    tell(f"token   {serving.token_file}  (the organiser's)")


def _say_drain(seconds: float) -> None:
    tell(f"stopping: running sets may take {seconds:g} s; once more to stop at once")
