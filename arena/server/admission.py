"""Who may play: tokens, and what each of them fixes."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Generic, NamedTuple, NewType, TypeVar

from arena.ids import VersionId
from arena.store.access import Role


class Chair(IntEnum):
    """Which of its side's two seats; the numbers are those of the wire."""

    FIRST = 1
    SECOND = 2


class Lane(IntEnum):
    """Which half of a set; the numbers are those of the wire."""

    A = 1
    B = 2


EntranceNumber = NewType("EntranceNumber", int)
"""Which of the sockets that serve one process each."""

GameNumber = NewType("GameNumber", int)
"""Which set a process is started for, where it plays in one alone; never given twice."""

ANY_GAME: Final = GameNumber(0)
"""A process plays one game after the other."""


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
        game: what alone the process plays.
        entrance: where alone the token is good; None for the addresses that all may dial.
    """

    version: VersionId
    name: str
    label: str
    chair: Chair | None = None
    lane: Lane | None = None
    hosted: bool = False
    game: GameNumber = ANY_GAME
    entrance: EntranceNumber | None = None


class Place(NamedTuple):
    """What a session plays; lane None is a session that plays both."""

    version: VersionId
    chair: Chair
    lane: Lane | None
    game: GameNumber = ANY_GAME


def new_token() -> str:
    """A token nobody can guess: 32 random bytes in hex."""
    return secrets.token_hex(32)


def token_hash(token: str) -> str:
    """What is kept of a token: its hex SHA-256."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Bearer:
    """Who shows a token.

    Attributes:
        name: of the token, for the audit log; of a bot, its own.
        role: what the token allows; None is a bot, which may play.
    """

    name: str
    role: Role | None

    @property
    def title(self) -> str:
        """The role in a word."""
        return "bot" if self.role is None else self.role.value

    @property
    def may_read(self) -> bool:
        """Whether the bearer may read what a private arena shows."""
        return self.role is not None

    @property
    def may_submit(self) -> bool:
        """Whether the bearer may submit bots."""
        return self.role in (Role.ORGANISER, Role.AUTHOR)

    def looks_after(self, owner: str) -> bool:
        """Whether the bearer may see and change what belongs to an owner."""
        return self.role is Role.ORGANISER or (self.role is Role.AUTHOR and self.name == owner)

    @property
    def phrase(self) -> str:
        """The same with its article."""
        return "a bot" if self.role is None else f"an {self.title}"


T = TypeVar("T")


class _Safe(Generic[T]):
    """Values by the hashes of tokens.

    How long a look-up takes says nothing of the tokens in it: they are kept under a keyed hash,
    whose key nobody outside has, and what is found is compared in constant time once more.
    """

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._values: dict[bytes, tuple[str, T]] = {}

    def put(self, hashed: str, value: T) -> None:
        self._values[self._blind(hashed)] = hashed, value

    def get(self, hashed: str) -> T | None:
        found = self._values.get(self._blind(hashed))
        if found is None or not hmac.compare_digest(found[0], hashed):
            return None
        return found[1]

    def remove(self, hashed: str) -> None:
        self._values.pop(self._blind(hashed), None)

    def _blind(self, hashed: str) -> bytes:
        return hashlib.blake2b(hashed.encode(), key=self._key, digest_size=32).digest()


async def _nothing_new() -> None:
    pass


class Tokens:
    """Tokens known to a server, by hash: those of bots, and those of people.

    Attributes:
        learn: looks for tokens that have been made since the last look.
    """

    def __init__(self) -> None:
        self.learn: Callable[[], Awaitable[None]] = _nothing_new
        self._admissions: _Safe[Admission] = _Safe()
        self._people: _Safe[Bearer] = _Safe()
        self._of_version: dict[VersionId, str] = {}
        self._revoked: set[VersionId] = set()
        self._spent: set[str] = set()

    def add(self, hashed: str, admission: Admission) -> None:
        """Admit whoever shows the token with that hash."""
        self._admissions.put(hashed, admission)

    def remove(self, hashed: str) -> None:
        """Admit it no more."""
        self._admissions.remove(hashed)
        self._spent.discard(hashed)

    def renew(self, hashed: str | None, admission: Admission) -> bool:
        """Have a version that dials in admitted with this token and no other, or with none.

        Returns:
            Whether it was admitted with another one before: that is now revoked.
        """
        before = self._of_version.pop(admission.version, None)
        if hashed is None:
            self._revoked.add(admission.version)
        else:
            self._revoked.discard(admission.version)
            self._of_version[admission.version] = hashed
            self.add(hashed, admission)
        if before in (None, hashed):
            return False
        self.remove(before)
        return True

    def is_revoked(self, version: VersionId) -> bool:
        """Whether a version that dials in has no token that is good."""
        return version in self._revoked

    def set_people(self, people: Iterable[tuple[str, Bearer]]) -> None:
        """Know these organisers and onlookers, by hash, and no others."""
        safe: _Safe[Bearer] = _Safe()
        for hashed, bearer in people:
            safe.put(hashed, bearer)
        self._people = safe

    def spend(self, token: str) -> bool:
        """Use a token for a new session; False where it serves one only and has been used."""
        hashed = token_hash(token)
        if hashed in self._spent:
            return False
        admission = self._admissions.get(hashed)
        if admission is not None and admission.hosted:
            self._spent.add(hashed)
        return True

    async def meet(self, token: str) -> None:
        """Look for a token that is not known: a command may have made it a moment ago."""
        if self.bearer(token) is None:
            await self.learn()

    def find(self, token: str) -> Admission | None:
        """What the token allows a bot, None where it is no bot's."""
        return self._admissions.get(token_hash(token))

    def bearer(self, token: str) -> Bearer | None:
        """Who shows the token, None where it is not known."""
        hashed = token_hash(token)
        admission = self._admissions.get(hashed)
        return Bearer(admission.name, None) if admission else self._people.get(hashed)
