"""What is kept for one author: so many bytes, the newest logs, and nothing that nobody needs."""

from __future__ import annotations

from typing import Final

from arena.hosting.shelf import Shelf
from arena.ids import SubmissionId
from arena.store import Store

MOST_LOGS: Final = 20
"""Logs of builds that came to nothing, of one owner; older ones are removed."""


def room_of(owner: str, most: int, store: Store, shelf: Shelf) -> int:
    """How many bytes may be kept besides for an owner; below zero where there are too many.

    What is needed no more is removed first. To be called while no submission is made a version.

    Args:
        owner: whose bots are looked at.
        most: bytes that may be kept.
        store: knows whose they are.
        shelf: has them.

    Raises:
        OSError: something cannot be removed.
        StoreError: the store cannot be read.
    """
    for content in filter(shelf.has, store.needless_contents(owner)):
        shelf.discard(content)
    return most - sum(map(shelf.size, filter(shelf.has, store.contents_of(owner))))


def forget_old_logs(owner: str, store: Store, shelf: Shelf) -> None:
    """Remove all but the newest logs of an owner's builds that came to nothing.

    Raises:
        OSError: one cannot be removed.
        StoreError: the store cannot be read.
    """
    kept = map(SubmissionId, shelf.failed())
    of_owner = store.submissions(owner=owner, among=tuple(kept))
    for submission in of_owner[MOST_LOGS:]:
        shelf.discard_failed(submission.id)
