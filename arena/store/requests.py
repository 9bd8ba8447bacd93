"""Requests that were met, within a transaction: a repeat gets the first answer, nothing twice."""

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.store.errors import Conflict
from arena.store.schema import RequestRow
from arena.store.values import Request


def answer(session: Session, request: Request | None) -> int | None:
    """The id that the request led to before; None for a new one, or where there is none to look up.

    Raises:
        Conflict: the request's id stands for another content.
    """
    if request is None:
        return None
    query = sa.select(RequestRow).where(
        RequestRow.method == request.method, RequestRow.request_id == request.id
    )
    row = session.scalar(query)
    if row is None:
        return None
    if row.content_hash != request.content_hash:
        raise Conflict(
            f"request {request.id!r} was met before with another content: use a new request id"
        )
    return row.result


def remember(session: Session, request: Request | None, result: int, now_us: int) -> None:
    """Keep what a request led to, in the transaction that does it."""
    if request is not None:
        session.add(
            RequestRow(
                method=request.method,
                request_id=request.id,
                content_hash=request.content_hash,
                result=result,
                created_us=now_us,
            )
        )
