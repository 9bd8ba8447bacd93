"""``arena bot ... --server``: the bots of a running arena."""

from __future__ import annotations

import secrets
from typing import Any, Final

from arena.cli.bot_logs import Fault
from arena.cli.bot_tokens import choose, print_revoked, print_token
from arena.cli.errors import FAILED, CliError
from arena.cli.layout import Column, table_lines
from arena.cli.own_submissions import (
    build_words,
    data_of,
    line_of,
    newest_of,
    no_bot,
    without_version,
)
from arena.cli.remote import BOT_VARIABLE, PAGE, Lost, Remote, request_id
from arena.cli.screen import stdout_screen, write, write_json
from arena.v1 import bot_service_pb2 as pb
from arena.v1 import bot_service_pb2_grpc
from arena.wire.enums import ENDING_KINDS

_KINDS: Final = {pb.VERSION_KIND_HOSTED: "command", pb.VERSION_KIND_REMOTE: "remote"}
_STATES: Final = {pb.VERSION_STATE_PAUSED: "paused", pb.VERSION_STATE_RETIRED: "retired"}


def register(remote: Remote, name: str, label: str | None, *, as_json: bool) -> None:
    """Register a bot that dials in, and print its token.

    Raises:
        CliError: it cannot be registered.
    """
    token = secrets.token_hex(32)  # made here, so that a repeated request does no harm
    request = pb.RegisterBotRequest(
        request_id=request_id(), display_name=name, version_label=label or "", token=token
    )
    stub = bot_service_pb2_grpc.BotServiceStub(remote.channel)
    try:
        response = remote.write(stub.RegisterBot, request)
    except Lost as lost:
        lost.hint = (
            f"it may be registered all the same, see: arena bot list --server {remote.address}; "
            f"then its token is {token}"
        )
        raise
    (version,) = [one for one in response.bot.versions if one.name == response.version]
    data = _data(response.bot, version)
    print_token(response.bot.display_name, version.label, token, data, as_json=as_json)


def renew(remote: Remote, name: str, label: str | None, *, as_json: bool) -> None:
    """Give a bot that dials in another token, and print it.

    Raises:
        CliError: there is none such, or it is refused.
    """
    bot, version = _find(remote, name, label)
    token = secrets.token_hex(32)
    request = pb.IssueBotTokenRequest(request_id=request_id(), version=version.name, token=token)
    stub = bot_service_pb2_grpc.BotServiceStub(remote.channel)
    try:
        renewed = remote.write(stub.IssueBotToken, request).version
    except Lost as lost:
        lost.hint = f"it may be done all the same: then its token is {token}"
        raise
    data = _data(bot, renewed)
    print_token(bot.display_name, renewed.label, token, data, as_json=as_json)


def revoke(remote: Remote, name: str, label: str | None, *, as_json: bool) -> None:
    """Revoke the token of a bot that dials in.

    Raises:
        CliError: there is none such, or it is refused.
    """
    bot, version = _find(remote, name, label)
    request = pb.RevokeBotTokenRequest(version=version.name)
    stub = bot_service_pb2_grpc.BotServiceStub(remote.channel)
    revoked = remote.write(stub.RevokeBotToken, request).version
    print_revoked(bot.display_name, revoked.label, _data(bot, revoked), as_json=as_json)


def _find(remote: Remote, name: str, label: str | None) -> tuple[pb.Bot, pb.BotVersion]:
    bots = [bot for bot in bots_named(remote, name) if bot.display_name == name]
    found = [
        (bot, version)
        for bot in bots
        for version in bot.versions
        if version.kind == pb.VERSION_KIND_REMOTE
    ]
    return found[choose(name, [version.label for _, version in found], label, remote.words)]


def list_bots(remote: Remote, *, as_json: bool) -> None:
    """Print all versions of all bots, by bot, and an author's submissions that are none."""
    found = [(bot, version) for bot in bots_named(remote) for version in bot.versions]
    unfinished = without_version(remote) if remote.has_author else []
    if as_json:
        data = [_data(bot, version) for bot, version in found]
        own = [data_of(one) for one in unfinished]
        write_json({"schema": "arena.bots/1", "bots": data, "submissions": own})
        return
    columns = [
        Column("bot", [bot.display_name for bot, _ in found]),
        Column("version", [version.label for _, version in found]),
        Column("kind", [_kind(version) for _, version in found], need=3),
        Column("here", ["yes" if version.online else "no" for _, version in found], need=4),
        Column("owner", [bot.owner for bot, _ in found], need=1),
    ]
    write("\n".join(table_lines(columns, stdout_screen())))
    screen = stdout_screen()
    for bot, version in found:
        if version.note:
            write(screen.safe(f"{bot.display_name} {version.label} is paused: {version.note}"))
    for one in unfinished:
        write(screen.safe(line_of(one)))


def faults(remote: Remote, name: str | None, sets: int) -> list[Fault]:
    """The faults of a bot in its newest sets that have any.

    Args:
        name: None for the bot whose token is shown.

    Raises:
        CliError: there is none such, or they are for others.
    """
    stub = bot_service_pb2_grpc.BotServiceStub(remote.channel)
    request = pb.ListIncidentsRequest(display_name=name or "", page_size=sets)
    if remote.has_bot and (name is None or not remote.has_author):
        found = remote.ask_as_bot(stub.ListIncidents, request).incidents
    elif name is None:
        raise CliError(
            "name the bot whose faults are wanted",
            hint=f"arena bot logs NAME --server {remote.address}; without a NAME they are those of "
            f"the bot whose token is in {BOT_VARIABLE}",
        )
    else:
        _refuse_unknown(remote, name)
        found = remote.ask_as_author(stub.ListIncidents, request).incidents
    return list(map(_fault, found))


def _refuse_unknown(remote: Remote, name: str) -> None:
    """Refuse a name that no bot has, or one of which nothing has come to be a version.

    Raises:
        CliError: it is such.
    """
    if bots_named(remote, name):
        return
    if newest_of(remote, name) is None:
        raise no_bot(remote, name)
    raise CliError(
        f"{name} has no version yet", hint=f"its build: {build_words(remote, name)}", code=FAILED
    )


def not_yours(name: str) -> str:
    """What to tell of the faults and builds of somebody else's bot."""
    return f"{name} belongs to somebody else: its faults and builds are for its author"


def _fault(message: pb.Incident) -> Fault:
    from arena.cli.tournament_text import instant_text

    _, tournament, _, key = message.record.split("/")
    return Fault(
        record=(int(tournament), key),
        tournament="",
        label=message.version_label,
        stored=instant_text(message.create_time.ToMicroseconds()),
        kind=ENDING_KINDS.member(message.kind).value,
        sentence=message.sentence,
        half=message.half,
        board=message.board if message.HasField("board") else None,
        move=message.move,
        seat=message.seat if message.HasField("seat") else None,
        answer=message.answer,
        took_ms=message.took_ms,
        charged_ms=message.charged_ms,
        bank_ms=message.bank_ms,
        stderr=message.stderr,
    )


def bots_named(remote: Remote, name: str = "") -> list[pb.Bot]:
    """The bot of that name, with its versions; without a name, all bots."""
    stub = bot_service_pb2_grpc.BotServiceStub(remote.channel)
    request = pb.ListBotsRequest(page_size=PAGE, display_name=name)
    bots: list[pb.Bot] = []
    while True:
        page = remote.read(stub.ListBots, request)
        bots += page.bots
        request.page_token = page.next_page_token
        if not page.next_page_token:
            return bots


def _data(bot: pb.Bot, version: pb.BotVersion) -> dict[str, Any]:
    from arena.cli.tournament_text import instant_text

    return {
        "id": int(version.name.split("/")[-1]),
        "name": bot.display_name,
        "version": version.label,
        "kind": _plain_kind(version),
        "state": _STATES.get(version.state, "active"),
        "note": version.note or None,
        "identity": version.content_hash or None,
        "owner": bot.owner,
        "online": version.online,
        "revoked": version.revoked,
        "created": instant_text(version.create_time.ToMicroseconds()),
    }


def _kind(version: pb.BotVersion) -> str:
    if version.revoked:
        return "revoked"
    return _STATES.get(version.state) or _plain_kind(version)


def _plain_kind(version: pb.BotVersion) -> str:
    return "submitted" if version.submitted else _KINDS[version.kind]
