"""Bots and versions within a transaction. Registering twice gives what was there."""

import json

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.ids import BotId, VersionId
from arena.store import tokens
from arena.store.errors import Conflict
from arena.store.schema import BotRow, VersionRow
from arena.store.values import Bot, NewVersion, Version, VersionState


def register_bot(session: Session, name: str, owner: str, now_us: int) -> Bot:
    """The bot of that name and owner. Raises Conflict when another owner has the name."""
    row = session.scalar(sa.select(BotRow).where(BotRow.name == name))
    if row is None:
        row = BotRow(name=name, owner=owner, created_us=now_us)
        session.add(row)
        session.flush()
    if row.owner != owner:
        raise Conflict(f"the bot name {name!r} belongs to somebody else: choose another")
    return _bot(row)


def register_version(session: Session, new: NewVersion, now_us: int) -> Version:
    """The version of that bot and identity.

    Raises:
        Conflict: another owner has the bot's name, the label stands for other content, the
            version is there with another token, or the token is another version's.
    """
    bot = register_bot(session, new.name, new.owner, now_us)
    of_bot = session.scalars(sa.select(VersionRow).where(VersionRow.bot_id == bot.id)).all()
    same = next((row for row in of_bot if row.identity == new.identity), None)
    if same is not None:
        _check_token(same, new)
        if new.command:  # the same content may have moved; it is started where it is now
            same.command, same.directory = json.dumps(new.command), new.directory
        return version_of(same, bot.name)
    labels = {row.label for row in of_bot}
    if new.label in labels:
        raise Conflict(
            f"bot {new.name!r} has a version {new.label!r} with other content: choose another label"
        )
    if new.token_hash is not None:
        tokens.check_free(session, new.token_hash)
    row = _new_row(new, bot.id, new.label or _free_label(labels), now_us)
    session.add(row)
    session.flush()
    return version_of(row, bot.name)


def bots(session: Session) -> tuple[Bot, ...]:
    """All bots, by name."""
    return tuple(map(_bot, session.scalars(sa.select(BotRow).order_by(BotRow.name))))


def versions(session: Session, *conditions: sa.ColumnElement[bool]) -> dict[VersionId, Version]:
    """The versions that meet the conditions, oldest first."""
    query = (
        sa.select(VersionRow, BotRow.name)
        .join(BotRow, BotRow.id == VersionRow.bot_id)
        .where(*conditions)
        .order_by(VersionRow.id)
    )
    found = (version_of(row, name) for row, name in session.execute(query))
    return {version.id: version for version in found}


def newest_version(session: Session) -> VersionId | None:
    """The version that was registered last."""
    newest = session.scalar(sa.select(sa.func.max(VersionRow.id)))
    return None if newest is None else VersionId(newest)


def version_of(row: VersionRow, name: str) -> Version:
    """The value of a row; `name` is its bot's."""
    return Version(
        id=VersionId(row.id),
        bot=BotId(row.bot_id),
        name=name,
        label=row.label,
        kind=row.kind,
        identity=row.identity,
        command=tuple(json.loads(row.command)),
        directory=row.directory,
        token_hash=row.token_hash,
        created_us=row.created_us,
        state=row.state,
        note=row.note,
    )


def _check_token(row: VersionRow, new: NewVersion) -> None:
    if row.token_hash != new.token_hash:
        raise Conflict(
            f"version {row.label!r} of bot {new.name!r} is registered with another token: "
            "choose another label"
        )


def _free_label(taken: set[str]) -> str:
    """The number of the version among its bot's, or the next that no label has taken."""
    number = len(taken) + 1
    while str(number) in taken:
        number += 1
    return str(number)


def _new_row(new: NewVersion, bot: BotId, label: str, now_us: int) -> VersionRow:
    return VersionRow(
        bot_id=bot,
        label=label,
        kind=new.kind,
        identity=new.identity,
        command=json.dumps(new.command),
        directory=new.directory,
        token_hash=new.token_hash,
        created_us=now_us,
        state=VersionState.ACTIVE,
        note="",
    )


def _bot(row: BotRow) -> Bot:
    return Bot(BotId(row.id), row.name, row.owner, row.created_us)
