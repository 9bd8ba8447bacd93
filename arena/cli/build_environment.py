"""Which variables of the arena's own environment the builds of submitted bots are given."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Final

import typer

from arena.cli.errors import CliError

BuildEnvironment = Annotated[
    list[str] | None,
    typer.Option(
        "--build-environment",
        metavar="NAME",
        help="A variable of this environment that builds are given, too; may come again.",
    ),
]

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OURS: Final = frozenset({"HOME", "LANG", "PATH", "PWD", "SHELL", "TMPDIR", "USER"})
"""A sandbox has values of its own for them; those of the machine mean nothing there."""
_SECRET: Final = "ARENA_"
"""What the arena's own variables begin with; tokens are among them."""
_LOADER: Final = "LD_"
"""What the variables of the system's loader begin with: they would reach what makes the sandbox."""


def chosen_variables(names: Iterable[str], environment: Mapping[str, str]) -> dict[str, str]:
    """The variables of some names, as they are now.

    Args:
        names: what the organiser has named.
        environment: the arena's own.

    Raises:
        CliError: one is not set, or may not be given away.
    """
    chosen = {}
    for name in names:
        if not _NAME.fullmatch(name):
            raise CliError(
                f"--build-environment {name!r} is no name of a variable",
                hint="name the variable alone; its value is that of the arena's own environment",
            )
        if name in _OURS or name.startswith((_SECRET, _LOADER)):
            raise CliError(f"--build-environment {name}: builds are never given that variable")
        if name not in environment:
            raise CliError(
                f"--build-environment {name}: that variable is not set",
                hint=f"set {name} where arena serve is started, or leave the option out",
            )
        chosen[name] = environment[name]
    return chosen
