"""Who may play: tokens, and what each of them fixes."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from arena.ids import VersionId


class Chair(IntEnum):
    """Which of its side's two seats; the numbers are those of the wire."""

    FIRST = 1
    SECOND = 2


class Lane(IntEnum):
    """Which half of a set; the numbers are those of the wire."""

    A = 1
    B = 2


@dataclass(frozen=True, slots=True)
class Admission:
    """What a token allows.

    Attributes:
        version: whose token it is.
        name: the bot's name.
        label: its version label.
        chair: fixed by the token, or None where Hello chooses.
        lane: fixed by the token, or None where Hello may choose.
        hosted: whether the arena started the process; its token then serves one session.
    """

    version: VersionId
    name: str
    label: str
    chair: Chair | None = None
    lane: Lane | None = None
    hosted: bool = False


class Place(NamedTuple):
    """What a session plays; lane None is a session that plays both."""

    version: VersionId
    chair: Chair
    lane: Lane | None


def new_token() -> str:
    """A token nobody can guess: 32 random bytes in hex."""
    return secrets.token_hex(32)


def token_hash(token: str) -> str:
    """What is kept of a token: its hex SHA-256."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


class Tokens:
    """Tokens known to a server, by hash."""

    def __init__(self) -> None:
        self._admissions: dict[str, Admission] = {}
        self._spent: set[str] = set()

    def add(self, hashed: str, admission: Admission) -> None:
        """Admit whoever shows the token with that hash."""
        self._admissions[hashed] = admission

    def remove(self, hashed: str) -> None:
        """Admit it no more."""
        self._admissions.pop(hashed, None)
        self._spent.discard(hashed)

    def spend(self, token: str) -> bool:
        """Use a token for a new session; False where it serves one only and has been used."""
        hashed = token_hash(token)
        if hashed in self._spent:
            return False
        if self._admissions[hashed].hosted:
            self._spent.add(hashed)
        return True

    def find(self, token: str) -> Admission | None:
        """What the token allows, None where it is not known.

        The look-up is by the token's hash: what its time gives away is about a hash, from which
        no token can be guessed.
        """
        return self._admissions.get(token_hash(token))
