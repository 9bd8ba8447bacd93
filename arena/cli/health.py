"""``arena health``: whether a running arena is well, as an exit code, for supervisors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from arena.cli.data_folder import DataOption, data_folder
from arena.cli.errors import FAILED, CliError
from arena.cli.remote import ServerOption, connected, failure
from arena.cli.screen import write

if TYPE_CHECKING:
    import grpc

SECONDS: Final = 5.0
"""For the answer: an arena that hangs gives none at all."""

Alive = Annotated[
    bool, typer.Option("--alive", help="Ask whether it lives, not whether it takes new work.")
]


def health(data: DataOption = None, server: ServerOption = None, alive: Alive = False) -> None:
    """Ask a running arena whether it is ready.

    Or, with --alive, whether it lives. Without --server that of the data folder, by the socket in
    it. Exit code 0 for yes, 1 for no or no answer. Needs no token.
    """
    from arena.server.vitals import LIVENESS

    address = server or _own_address(data)
    with connected(address, data) as remote:
        well = _is_well(remote.channel, address, LIVENESS if alive else "")
    word = "alive" if alive else "ready"
    if not well:
        raise CliError(f"the arena at {address} is not {word}", code=FAILED)
    write(word)


def _own_address(data: Path | None) -> str:
    """That of the socket that an arena makes for its own machine.

    Raises:
        CliError: there is none.
    """
    from arena.server.serve import SOCKET

    socket = data_folder(data).absolute() / SOCKET
    if not socket.is_socket():
        raise CliError(
            f"no arena serves {data_folder(data)}: {SOCKET} is not there",
            hint="name the folder with --data, or where the arena listens with --server",
            code=FAILED,
        )
    return f"unix:{socket}"


def _is_well(channel: grpc.Channel, address: str, question: str) -> bool:
    """What the health service says of a name.

    Raises:
        CliError: it says nothing.
    """
    import grpc
    from grpc_health.v1 import health_pb2, health_pb2_grpc

    stub: Any = health_pb2_grpc.HealthStub(channel)
    request = health_pb2.HealthCheckRequest(service=question)
    try:
        answer = stub.Check(request, timeout=SECONDS)
    except grpc.RpcError as error:
        raise failure(error, address) from error
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)
