"""``arena serve``: gRPC, the scheduler and the pages over one data folder."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.build_environment import BuildEnvironment, chosen_variables
from arena.cli.containment_options import BotCpus, BotImages, BotMemory, BotProcesses, Bounds
from arena.cli.data_folder import DataOption, data_folder, open_store
from arena.cli.descriptors import raise_descriptors
from arena.cli.errors import CliError
from arena.cli.logs import LogFormat, LogLevel, log_in_lines, watch_for_bugs
from arena.cli.screen import tell
from arena.cli.serve_submissions import (
    AuthorMebibytes,
    BuildCpus,
    BuildMemory,
    BuildNetwork,
    BuildSeconds,
    SubmissionSettings,
    SubmittedRunner,
    make_workshop,
)
from arena.events import Event, event_log

if TYPE_CHECKING:
    from arena.server.serve import ServeSettings, Serving
    from arena.server.tls import TlsFiles
    from arena.store import Store

log = event_log(__name__)


Listen = Annotated[
    list[str] | None,
    typer.Option(metavar="ADDR", help="HOST:PORT or unix:PATH; else 127.0.0.1:50051."),
]
Http = Annotated[str, typer.Option(metavar="ADDR", help="HOST:PORT of the pages, or none.")]
Tables = Annotated[int, typer.Option(min=1, max=1024, help="Halves of sets played at once.")]
DrainSeconds = Annotated[
    float, typer.Option(min=0, max=86_400, help="For running sets, once asked to stop.")
]
InsecurePublic = Annotated[
    bool,
    typer.Option(
        "--insecure-public", help="Without TLS, listen where other machines can listen in."
    ),
]
TlsCert = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The certificate of TLS, with its chain (PEM)."),
]
TlsKey = Annotated[Path | None, typer.Option(metavar="FILE", help="Its private key (PEM).")]
TlsClientCa = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Only clients with a certificate of this authority may dial gRPC."
    ),
]
Private = Annotated[
    bool, typer.Option("--private", help="Reading, too, needs a token: see arena token.")
]
MaxSessions = Annotated[int, typer.Option(min=1, max=65_536, help="Sessions of bots that dial in.")]
Metrics = Annotated[
    str, typer.Option(metavar="ADDR", help="HOST:PORT of metrics and health, or none.")
]
Format = Annotated[LogFormat, typer.Option(help="How events are told.")]
Level = Annotated[LogLevel, typer.Option(help="The least that is told.")]


def serve(
    data: DataOption = None,
    listen: Listen = None,
    http: Http = "127.0.0.1:8080",
    tables: Tables = 16,
    drain_seconds: DrainSeconds = 30.0,
    insecure_public: InsecurePublic = False,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    tls_client_ca: TlsClientCa = None,
    private: Private = False,
    max_sessions: MaxSessions = 4096,
    metrics: Metrics = "none",
    runner: SubmittedRunner = None,
    bot_memory: BotMemory = None,
    bot_processes: BotProcesses = None,
    bot_cpus: BotCpus = None,
    image: BotImages = None,
    build_network: BuildNetwork = False,
    build_environment: BuildEnvironment = None,
    build_memory: BuildMemory = None,
    build_cpus: BuildCpus = None,
    build_seconds: BuildSeconds = 600.0,
    author_mebibytes: AuthorMebibytes = 4096,
    log_format: Format = LogFormat.TEXT,
    log_level: Level = LogLevel.INFO,
) -> None:
    """Serve bots and pages, and play tournaments.

    Those of the data folder, until told to stop.
    """
    log_in_lines(events=True, form=log_format, level=log_level)
    from arena.hosting.strays import ending_strays
    from arena.server.organiser import make_data_folder
    from arena.server.serve import LISTEN, ServeSettings

    raise_descriptors()
    variables = chosen_variables(build_environment or (), os.environ)
    folder = data_folder(data)
    make_data_folder(folder)
    workshop, submissions = make_workshop(
        folder,
        SubmissionSettings(
            runner=runner,
            bounds=Bounds(bot_memory, bot_processes, bot_cpus),
            images=tuple(image or ()),
            network=build_network,
            variables=variables,
            build_mebibytes=build_memory,
            build_cpus=build_cpus,
            build_seconds=build_seconds,
            author_mebibytes=author_mebibytes,
        ),
    )
    settings = ServeSettings(
        folder=folder,
        listen=tuple(listen or (LISTEN,)),
        http=None if http == "none" else http,
        tables=tables,
        drain_seconds=drain_seconds,
        insecure_public=insecure_public,
        metrics=None if metrics == "none" else metrics,
        tls=_tls_files(tls_cert, tls_key, tls_client_ca),
        private=private,
        max_sessions=max_sessions,
        workshop=workshop,
        submissions=submissions,
    )
    with open_store(data, make=True) as store, ending_strays():
        asyncio.run(_serve(store, settings, log_format))
    _say_stopped(log_format)


async def _serve(store: Store, settings: ServeSettings, form: LogFormat) -> None:
    from arena.server.serve import serve as serve_arena

    watch_for_bugs(asyncio.get_running_loop())
    on_ready = _say_where if form is LogFormat.TEXT else _log_where
    await serve_arena(store, settings, on_ready=on_ready)


def _say_stopped(form: LogFormat) -> None:
    if form is LogFormat.TEXT:
        tell("stopped")
    else:
        log.info(Event.STOPPED)


def _log_where(serving: Serving) -> None:
    log.info(
        Event.SERVING,
        bots=", ".join(serving.addresses),
        local=serving.socket,
        pages=serving.pages,
        metrics=serving.metrics,
        token_file=str(serving.token_file),
        certificate=serving.certificate,
        submissions=serving.submissions,
    )


def _tls_files(cert: Path | None, key: Path | None, client_ca: Path | None) -> TlsFiles | None:
    from arena.server.tls import TlsFiles

    if cert is not None and key is not None:
        return TlsFiles(cert, key, client_ca)
    if cert is not None or key is not None:
        raise CliError("TLS needs both --tls-cert and --tls-key")
    if client_ca is not None:
        raise CliError("--tls-client-ca needs --tls-cert and --tls-key")
    return None


def _say_where(serving: Serving) -> None:
    for address in serving.addresses:
        tell(f"bots    {address}")
    tell(f"local   {serving.socket}")
    if serving.pages is not None:
        tell(f"pages   {serving.pages}")
    if serving.metrics is not None:
        tell(f"metrics {serving.metrics}")
    if serving.certificate is not None:
        tell(f"tls     {serving.certificate}")
    if serving.submissions:
        tell(f"submissions {serving.submissions}")
    tell(f"token   {serving.token_file}  (the organiser's)")
