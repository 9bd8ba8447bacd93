"""Tournament files: what is played by whom, as TOML, strictly.

::

    name = "spring"
    variant = "token"                # or a house-rule file, beside this one
    bots = ["random", "go/starter", "./my-bot", {name = "mine", command = "python mine.py"}]
    rounds = 1
    sets = 10

Everything else has a default; an unknown or nonsensical field is refused by name.  Paths, those
in commands too, begin at the file's own folder.
"""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from arena.cli.bot_arguments import check_bot_name, find_bot, refuse_twins
from arena.cli.errors import CliError
from arena.cli.user_files import read_user_text
from arena.cli.variant_names import find_variant
from arena.hosting.command import BotCommand, placed
from arena.hosting.fields import Fields
from arena.referee.policy import OnForfeit, Policy, PolicyError, TimeControl
from arena.rules.deal import parse_seed
from arena.rules.errors import DealError
from arena.rules.variant import Variant
from arena.schedule.settings import Restart, Settings

MAX_TABLES: Final = 1024

T = TypeVar("T")

_TIME: Final = TimeControl()
_POLICY: Final = Policy()
_SETTINGS: Final = Settings()


class _Bot(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    name: str
    command: str


class _File(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    name: str
    bots: list[str | _Bot]
    variant: str = "classic"
    rounds: int = _SETTINGS.rounds
    sets: int = _SETTINGS.sets
    mirror: bool = _SETTINGS.mirror
    tables: int = 16
    seed: str | None = None
    bank_ms: int = _TIME.bank_ms
    increment_ms: int = _TIME.increment_ms
    decision_ms: int = _TIME.decision_ms
    startup_ms: int = _TIME.startup_ms
    max_faults: int = _POLICY.max_faults
    on_forfeit: OnForfeit = _POLICY.on_forfeit
    reveal_names: bool = _POLICY.reveal_names
    restart: Restart = _SETTINGS.restart


_FIELDS: Final = Fields(
    "a tournament",
    {"": _File.__struct_fields__, "bots[]": _Bot.__struct_fields__},
    {
        "on_forfeit": [choice.value for choice in OnForfeit],
        "restart": [choice.value for choice in Restart],
    },
)


@dataclass(frozen=True, slots=True)
class TournamentFile:
    """What a tournament file says.

    Attributes:
        name: of the tournament.
        variant: the rules.
        bots: two or more, each of another name.
        settings: what a resume must find again.
        tables: how many are played at once; no part of the tournament.
        seed: 32 bytes, None to have one drawn.
    """

    name: str
    variant: Variant
    bots: tuple[BotCommand, ...]
    settings: Settings
    tables: int
    seed: bytes | None


@dataclass(frozen=True, slots=True)
class ServerFile:
    """What a tournament file says to a running arena, which knows the bots by their names.

    Attributes:
        name: of the tournament.
        variant: the rules.
        bots: names of registered or sample bots.
        settings: how it is played.
        seed: 32 bytes, None to have one drawn.
    """

    name: str
    variant: Variant
    bots: tuple[str, ...]
    settings: Settings
    seed: bytes | None


def read_tournament_file(path: Path) -> TournamentFile:
    """The tournament of a file.

    Raises:
        CliError: it cannot be read or is refused; the sentence names file and field.
    """
    return _read(path, _tournament)


def read_server_file(path: Path) -> ServerFile:
    """The tournament of a file, for a running arena.

    Raises:
        CliError: it cannot be read or is refused; the sentence names file and field.
    """
    return _read(path, _for_server)


def _read(path: Path, make: Callable[[_File, Path], T]) -> T:
    text = read_user_text(path)
    try:
        return make(msgspec.convert(tomllib.loads(text), _File), path.parent)
    except msgspec.ValidationError as error:
        said = str(error)
        raise CliError(f"{path}: {_FIELDS.sentence(said)}", hint=_FIELDS.meant(said)) from error
    except CliError as error:
        raise CliError(f"{path}: {error}", hint=error.hint) from error
    except (PolicyError, DealError) as error:
        raise CliError(f"{path}: {error}") from error
    except (ValueError, RecursionError) as error:  # among them tomllib's own
        raise CliError(f"{path}: the file is no TOML: {error}") from error


def _tournament(file: _File, folder: Path) -> TournamentFile:
    if not 1 <= file.tables <= MAX_TABLES:
        raise CliError(f"tables must be from 1 to {MAX_TABLES}, not {file.tables}")
    if len(file.bots) < 2:
        raise CliError(f"bots must be at least 2, not {len(file.bots)}")
    bots = tuple(_bot(bot, folder) for bot in file.bots)
    refuse_twins(bot.name for bot in bots)
    check_title(file.name)
    return TournamentFile(
        name=file.name,
        variant=find_variant(file.variant, folder=folder),
        bots=bots,
        settings=_settings(file),
        tables=file.tables,
        seed=None if file.seed is None else parse_seed(file.seed),
    )


def _for_server(file: _File, folder: Path) -> ServerFile:
    names = tuple(bot for bot in file.bots if isinstance(bot, str))
    if len(names) < len(file.bots):
        raise CliError(
            "bots must be names: a running arena starts no commands that it is sent",
            hint="register the command in the arena's data folder, without --server, and write its "
            "name here: arena bot register NAME --command COMMAND --data DIR",
        )
    check_title(file.name)
    return ServerFile(
        name=file.name,
        variant=find_variant(file.variant, folder=folder),
        bots=names,
        settings=_settings(file),
        seed=None if file.seed is None else parse_seed(file.seed),
    )


def _settings(file: _File) -> Settings:
    return Settings(file.rounds, file.sets, file.mirror, _policy(file), file.restart)


def _policy(file: _File) -> Policy:
    time = TimeControl(**{clock.name: getattr(file, clock.name) for clock in fields(TimeControl)})
    return Policy(time, file.max_faults, file.on_forfeit, file.reveal_names)


def check_title(name: str) -> None:
    """Refuse a tournament's name that the store would refuse.

    Raises:
        CliError: it is none.
    """
    from arena.store import Rejected
    from arena.store.values import check_name

    try:
        check_name(name, "tournament name")
    except Rejected as error:
        raise CliError(f"name: {error}") from error


def _bot(bot: str | _Bot, folder: Path) -> BotCommand:
    if isinstance(bot, str):
        try:
            return find_bot(anchored(bot, folder))
        except CliError as error:
            raise CliError(str(error), hint=error.hint or _registered(bot)) from error
    check_bot_name(bot.name)
    found = find_bot(anchored(bot.command, folder))
    return replace(found, name=bot.name)


def _registered(bot: str) -> str:
    """What to do where a word is the name of a registered bot, which is known to an arena alone."""
    if len(bot.split()) != 1:
        return ""
    return "a registered bot?  arena serve, and: arena tournament create FILE --server ADDR"


def anchored(command: str, folder: Path) -> str:
    """A command line whose files can be found from every folder."""
    try:
        words = shlex.split(command)
    except ValueError:
        return command  # refused with a sentence where it is looked for
    there = [placed(word, folder) for word in words]
    return command if there == words else shlex.join(there)
