"""BotService: registering bots that dial in, and telling who is registered."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Any, Final

import grpc

from arena.ids import BotId, VersionId
from arena.referee.clock import Clock
from arena.server.admission import Bearer, token_hash
from arena.server.services import messages, names
from arena.server.services.access import Access
from arena.server.services.errors import denied, invalid, not_found
from arena.server.services.paging import Pages, page_after, page_size
from arena.server.services.requests import read_name, request_of
from arena.server.services.submissions import SubmissionCalls
from arena.server.submissions import Submissions
from arena.store import Bot, NewVersion, Request, Store, Version, VersionKind
from arena.store.access import LOCAL
from arena.v1 import bot_service_pb2 as pb

Context = grpc.aio.ServicerContext[Any, Any]

LABEL: Final = "1"
_OTHERS: Final = "faults are for organisers and the bot's author, who shows its token"
_TOKEN: Final = re.compile(r"[0-9a-f]{64}")


class BotService(SubmissionCalls):
    """Registers, takes and lists bots.

    Args:
        store: where they are.
        pages: gives out page tokens.
        access: knows the organiser.
        change: changes a version in the store, and lets it in with the token that it has then.
        online: whether a version could play now.
        submissions: takes what authors send; None where nothing is taken.
        clock: the server's.
    """

    def __init__(
        self,
        store: Store,
        pages: Pages,
        access: Access,
        *,
        change: Callable[[Callable[[], Version]], Awaitable[Version]],
        online: Callable[[Version], bool],
        submissions: Submissions | None,
        clock: Clock,
    ) -> None:
        super().__init__(store, pages, access, submissions, clock)
        self._change = change
        self._online = online

    async def RegisterBot(
        self, request: pb.RegisterBotRequest, context: Context
    ) -> pb.RegisterBotResponse:
        """Register a version of a bot that dials in."""
        by = self._access.require_organiser(context)
        new, known = _new_version(request), request_of("RegisterBot", request.request_id, request)
        version = await self._change(lambda: self._store.register_version(new, known, by=by))
        bots = await self._bots()
        (bot,) = [message for bot, message in bots if bot.id == version.bot]
        return pb.RegisterBotResponse(bot=bot, version=names.version_name(version.bot, version.id))

    async def IssueBotToken(
        self, request: pb.IssueBotTokenRequest, context: Context
    ) -> pb.IssueBotTokenResponse:
        """Give a version another token."""
        by = self._access.require_organiser(context)
        known = request_of("IssueBotToken", request.request_id, request)
        hashed = token_hash(_read_token(request.token))
        message = await self._set_token(request.version, hashed, known, by=by)
        return pb.IssueBotTokenResponse(version=message)

    async def RevokeBotToken(
        self, request: pb.RevokeBotTokenRequest, context: Context
    ) -> pb.RevokeBotTokenResponse:
        """Revoke the token of a version."""
        by = self._access.require_organiser(context)
        message = await self._set_token(request.version, None, None, by=by)
        return pb.RevokeBotTokenResponse(version=message)

    async def ListBots(self, request: pb.ListBotsRequest, context: Context) -> pb.ListBotsResponse:
        """All bots."""
        self._access.require_onlooker(context)
        scope = f"bots\0{request.display_name}"
        position = self._pages.position(scope, request.page_token)
        bots = await self._bots()
        if request.display_name:
            bots = [(bot, message) for bot, message in bots if bot.name == request.display_name]
        for bot, message in bots:
            if not self._access.looks_after(context, bot.owner):
                messages.hide_own(message)
        page, rest = page_after(bots, position, page_size(request.page_size), lambda b: b[0].id)
        return pb.ListBotsResponse(
            bots=[message for _, message in page],
            next_page_token=self._pages.token(scope, rest) if rest else "",
        )

    async def ListIncidents(
        self, request: pb.ListIncidentsRequest, context: Context
    ) -> pb.ListIncidentsResponse:
        """The faults of a bot."""
        bot = await self._whose(request, self._access.asker(context))
        scope = f"incidents\0{bot}"
        position = self._pages.position(scope, request.page_token)
        before, most = int(position) if position else None, page_size(request.page_size)
        found = await asyncio.to_thread(
            lambda: self._store.incidents(bot, before=before, most=most)
        )
        sets = {one.sequence for one in found}
        return pb.ListIncidentsResponse(
            incidents=map(messages.incident_message, found),
            next_page_token=self._pages.token(scope, str(min(sets))) if len(sets) == most else "",
        )

    async def _whose(self, request: pb.ListIncidentsRequest, asker: VersionId | Bearer) -> BotId:
        """The bot that is asked for, where the caller may ask for it."""
        named = names.parse_bot("parent", request.parent) if request.parent else None
        called = request.display_name
        bots = await asyncio.to_thread(self._store.bots)
        found = [bot for bot in bots if bot.id == named or (named is None and bot.name == called)]
        if not isinstance(asker, Bearer):
            own = (await asyncio.to_thread(self._store.version, asker)).bot
            asked_for = named is not None or bool(called)
            if asked_for and own not in {bot.id for bot in found}:
                raise denied(_OTHERS)
            return own
        if named is None and not called:
            raise invalid("parent", "it must name a bot, where no bot's token is shown")
        if not found:
            raise not_found(f"there is no bot {request.parent or repr(called)}")
        if not asker.looks_after(found[0].owner):
            raise denied(
                f"{found[0].name} belongs to somebody else: its faults and builds are for its "
                "author"
            )
        return found[0].id

    async def _set_token(
        self, name: str, hashed: str | None, known: Request | None, *, by: str
    ) -> pb.BotVersion:
        bot, number = names.parse_version("version", name)
        found = await asyncio.to_thread(self._store.version, number)
        if found.bot != bot:
            raise not_found(f"there is no version {name}")
        version = await self._change(
            lambda: self._store.set_bot_token(number, hashed, known, by=by)
        )
        return messages.version_message(version, online=self._online(version))

    async def _bots(self) -> list[tuple[Bot, pb.Bot]]:
        """All bots in the order of registration, with their messages."""
        bots, versions = await asyncio.to_thread(self._read)
        of_bot = defaultdict(list)
        for version in versions:
            message = messages.version_message(version, online=self._online(version))
            of_bot[version.bot].append(message)
        return [(bot, _message(bot, of_bot[bot.id])) for bot in sorted(bots, key=lambda b: b.id)]

    def _read(self) -> tuple[tuple[Bot, ...], tuple[Version, ...]]:
        return self._store.bots(), self._store.versions()


def _message(bot: Bot, versions: list[pb.BotVersion]) -> pb.Bot:
    return pb.Bot(
        name=names.bot_name(bot.id), display_name=bot.name, owner=bot.owner, versions=versions
    )


def _new_version(request: pb.RegisterBotRequest) -> NewVersion:
    token = _read_token(request.token)
    label = read_name("version_label", request.version_label or LABEL, "version label")
    return NewVersion(
        name=read_name("display_name", request.display_name, "bot name"),
        owner=read_name("owner", request.owner or LOCAL, "owner"),
        kind=VersionKind.REMOTE,
        # What a bot that dials in runs is not known: its label stands for it (design, section 2).
        identity=hashlib.sha256(label.encode()).hexdigest(),
        label=label,
        token_hash=token_hash(token),
    )


def _read_token(text: str) -> str:
    if not _TOKEN.fullmatch(text):
        raise invalid("token", "it must be 64 hexadecimal digits in lower case, of 32 random bytes")
    return text
