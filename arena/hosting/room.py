"""A disk that takes nothing more: known again in an error, and told in a sentence."""

from __future__ import annotations

import errno
from typing import Final

NO_ROOM: Final = "the arena has no room for it now: tell its organiser, and send it again later"
"""What who sends something is told."""

_WITHOUT: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS})


def is_no_room(error: BaseException) -> bool:
    """Whether an error says that the disk is full or read-only, or what its user may have is."""
    return isinstance(error, OSError) and error.errno in _WITHOUT
