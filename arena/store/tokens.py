"""Access tokens within a transaction, and the token of a bot's version."""

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.ids import VersionId
from arena.store.access import AccessToken, Role
from arena.store.errors import Conflict, Rejected, Unknown
from arena.store.schema import AccessTokenRow, VersionRow
from arena.store.values import VersionKind


def check_free(session: Session, token_hash: str) -> None:
    """Refuse a token that somebody has or had. Raises Conflict."""
    bots = sa.select(VersionRow.id).where(VersionRow.token_hash == token_hash)
    people = sa.select(AccessTokenRow.id).where(AccessTokenRow.token_hash == token_hash)
    if session.scalar(bots) is not None:
        raise Conflict("this token belongs to another version: make a new one for each version")
    if session.scalar(people) is not None:
        raise Conflict("this token belongs to a person: make a new one")


def make(session: Session, name: str, role: Role, token_hash: str, now_us: int) -> None:
    """Store an access token. Raises Conflict when the name or the token is taken."""
    if _row(session, name) is not None:
        raise Conflict(f"there is or was a token {name!r} already: choose another name")
    check_free(session, token_hash)
    session.add(
        AccessTokenRow(
            name=name, role=role, token_hash=token_hash, created_us=now_us, revoked_us=None
        )
    )


def revoke(session: Session, name: str, now_us: int) -> bool:
    """Revoke an access token; False where it was already. Raises Unknown when there is none."""
    row = _row(session, name)
    if row is None:
        raise Unknown(f"there is no token {name!r}")
    if row.revoked_us is not None:
        return False
    row.revoked_us = now_us
    return True


def tokens(session: Session) -> tuple[AccessToken, ...]:
    """All access tokens, the revoked ones too, oldest first."""
    rows = session.scalars(sa.select(AccessTokenRow).order_by(AccessTokenRow.id))
    return tuple(
        AccessToken(
            name=row.name,
            role=row.role,
            token_hash=row.token_hash,
            created_us=row.created_us,
            revoked_us=row.revoked_us,
        )
        for row in rows
    )


def set_bot_token(session: Session, version: VersionId, token_hash: str | None) -> bool:
    """Give a version another token, or none; False where that is what it has.

    Raises:
        Unknown: there is no such version.
        Rejected: the arena starts it, so it has no token of its own.
        Conflict: the token is somebody else's.
    """
    row = session.get(VersionRow, version)
    if row is None:
        raise Unknown(f"there is no version {version}")
    if row.kind is not VersionKind.REMOTE:
        raise Rejected(f"version {row.label!r} is started by the arena and has no token to revoke")
    if row.token_hash == token_hash:
        return False
    if token_hash is not None:
        check_free(session, token_hash)
    row.token_hash = token_hash
    return True


def _row(session: Session, name: str) -> AccessTokenRow | None:
    return session.scalar(sa.select(AccessTokenRow).where(AccessTokenRow.name == name))
