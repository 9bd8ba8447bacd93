"""Who may do what, and what was done: roles, access tokens and the entries of the audit log.

Times are microseconds since 1970-01-01T00:00:00Z. A token itself is never here, only its SHA-256.
"""

import re
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from arena.store.errors import Rejected

ORGANISER: Final = "organiser"
"""The name of the token in the data folder's own file; no other token can have it."""

LOCAL: Final = "local"
"""Whose the bots are that commands have registered; a token of that name would own them."""

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}", re.ASCII)


class Role(Enum):
    """What the bearer of an access token may do; bots have tokens of their own."""

    ORGANISER = "organiser"
    """Everything over gRPC: what changes something, and reading."""
    AUTHOR = "author"
    """Submitting bots, looking after one's own, and reading."""
    ONLOOKER = "onlooker"
    """Reading."""


class Action(Enum):
    """What organisers and authors do; the values stand in the audit log for ever."""

    REGISTER_BOT = "register bot"
    RENEW_BOT = "new bot token"
    REVOKE_BOT = "revoke bot token"
    CREATE_TOURNAMENT = "create tournament"
    CANCEL_TOURNAMENT = "cancel tournament"
    MAKE_TOKEN = "new token"
    REVOKE_TOKEN = "revoke token"
    SUBMIT_BOT = "submit bot"
    RESUME_BOT = "resume bot"
    RETIRE_BOT = "retire bot"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessToken:
    """A token of an organiser, author or onlooker.

    Attributes:
        name: whose it is; unique, also among those that are revoked.
        role: what it allows.
        token_hash: its SHA-256.
        created_us: when it was made.
        revoked_us: when it was revoked, None while it is good.
    """

    name: str
    role: Role
    token_hash: str = field(repr=False)
    created_us: int
    revoked_us: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One line of the audit log.

    Attributes:
        sequence: rises with every entry.
        at_us: when.
        who: the name of the token, or `local:USER` for a command on this machine.
        action: what was done or tried.
        subject: on what, in words.
        outcome: `done`, `unchanged`, or `refused: ` and why.
    """

    sequence: int
    at_us: int
    who: str
    action: str
    subject: str
    outcome: str


def check_token_name(name: str) -> None:
    """Refuse a name that an access token cannot have.

    Raises:
        Rejected: it stands for somebody else, or has other characters than small letters, digits,
            `.`, `_` and `-`.
    """
    if name == ORGANISER:
        raise Rejected(f"{ORGANISER!r} is the token in the data folder: choose another name")
    if name == LOCAL:
        raise Rejected(f"{LOCAL!r} is whose the bots of commands are: choose another name")
    if not _NAME.fullmatch(name):
        raise Rejected(
            f"{name[:64]!a} is no name of a token: 1 to 32 of a-z, 0-9, '.', '_' and '-', "
            "beginning with a letter or digit"
        )
