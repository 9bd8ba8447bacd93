"""What goes into a store and comes out of it: frozen values, free of the database.

Times are microseconds since 1970-01-01T00:00:00Z. Hashes are 64 lower-case hexadecimal digits.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from arena.ids import BotId, EntryNumber, SubmissionId, TournamentId, VersionId
from arena.ratings.results import FaultCounts, Outcome
from arena.referee.incident import Incident
from arena.rules import Variant
from arena.schedule.pairings import Job
from arena.store.errors import Rejected

MAX_NAME: Final = 64
"""Characters of a name, owner or label."""

NO_FAULTS: Final = FaultCounts()


class VersionKind(Enum):
    """How a version takes part."""

    COMMAND = "command"
    """A command line that the arena starts."""
    REMOTE = "remote"
    """A bot that dials in and shows a token."""
    SUBMITTED = "submitted"
    """A folder that its author has sent, and the arena has built: the arena starts it."""

    @property
    def is_hosted(self) -> bool:
        """Whether the arena starts its processes."""
        return self is not VersionKind.REMOTE


class VersionState(Enum):
    """Whether a version is scheduled."""

    ACTIVE = "active"
    PAUSED = "paused"
    """It crashed again and again; its author has been told, and can have it go on."""
    RETIRED = "retired"
    """Never again; its results stay."""


class SubmissionState(Enum):
    """How far a submission has come."""

    RECEIVED = "received"
    BUILDING = "building"
    CHECKING = "checking"
    READY = "ready"
    FAILED = "failed"

    @property
    def is_over(self) -> bool:
        """Whether nothing more will become of it."""
        return self in (SubmissionState.READY, SubmissionState.FAILED)


class ScheduleKind(Enum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"


class PlayFormat(Enum):
    """What is played in each half of a set."""

    GAMES = "games"


class TournamentState(Enum):
    """Where a tournament stands."""

    CREATED = "created"
    RUNNING = "running"
    SUSPENDED = "suspended"
    FINISHED = "finished"
    CANCELLED = "cancelled"

    @property
    def is_over(self) -> bool:
        """Whether nothing more will be played: then the seed is public."""
        return self in (TournamentState.FINISHED, TournamentState.CANCELLED)


class Added(Enum):
    """What became of a finished set; it is stored either way."""

    NEW = "new"
    ALREADY = "already"
    """The same content was there before: the sender may forget it."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A name with an owner."""

    id: BotId
    name: str
    owner: str
    created_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVersion:
    """A version to register, with its bot.

    Attributes:
        name: the bot's; made if it is new.
        owner: the bot's owner.
        kind: how it takes part.
        identity: the hash that tells versions of this bot apart: of content, of argv and files, or
            of a remote bot's label.
        label: for people, unique per bot; None for the next free number.
        command: the argv to start it with, of a submitted one the words of its ``bot.toml``;
            empty where it dials in.
        directory: where to start it; of a submitted one its folder, relative to the data folder.
        token_hash: the SHA-256 of a remote bot's token.

    Raises Rejected for a name, owner, label or hash that is none.
    """

    name: str
    owner: str
    kind: VersionKind
    identity: str
    label: str | None = None
    command: tuple[str, ...] = ()
    directory: str | None = None
    token_hash: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Refuse what no page, file or terminal could show safely."""
        check_name(self.name, "bot name")
        check_name(self.owner, "owner")
        if self.label is not None:
            check_name(self.label, "version label")
        _check_hash(self.identity, "identity")
        if self.token_hash is not None:
            _check_hash(self.token_hash, "token hash")


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A registered version; see `NewVersion`. A higher id of the same bot is newer."""

    id: VersionId
    bot: BotId
    name: str
    label: str
    kind: VersionKind
    identity: str
    command: tuple[str, ...]
    directory: str | None
    token_hash: str | None = field(repr=False)
    created_us: int
    state: VersionState = VersionState.ACTIVE
    note: str = ""
    """Why it is paused, for its author."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSubmission:
    """A bot's folder that was received.

    Attributes:
        name: the bot's.
        owner: who sent it: the name of a token.
        content_hash: of its files.

    Raises Rejected for a name, owner or hash that is none.
    """

    name: str
    owner: str
    content_hash: str

    def __post_init__(self) -> None:
        """Refuse what no page, file or terminal could show safely."""
        check_name(self.name, "bot name")
        check_name(self.owner, "owner")
        _check_hash(self.content_hash, "content hash")


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A submission and what became of it; see `NewSubmission`.

    Attributes:
        reason: why it failed, one sentence; empty while it has not.
        version: what it is, once it is ready.
        bot: whose version that is.
        changed_us: when its state last changed.
    """

    id: SubmissionId
    name: str
    owner: str
    content_hash: str
    state: SubmissionState
    reason: str
    version: VersionId | None
    bot: BotId | None
    created_us: int
    changed_us: int


@dataclass(frozen=True, slots=True)
class Request:
    """What makes a repeat known: which method was called, under which id, with which content.

    Raises Rejected for an id or hash that is none.
    """

    method: str
    id: str
    content_hash: str

    def __post_init__(self) -> None:
        """Refuse what could not be looked up again."""
        check_name(self.id, "request id")
        _check_hash(self.content_hash, "content hash")


@dataclass(frozen=True, slots=True)
class Entry:
    """A version in a tournament; its number is given once, from 1."""

    number: EntryNumber
    version: Version


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSpec:
    """A tournament to create.

    Attributes:
        name: unique in the store.
        variant: the rules; their hash is the ladder.
        seed: 32 bytes; secret until the tournament is over.
        entries: the versions, each once; numbered from 1 in this order.
        settings: all else that a resume must find again (rounds, sets, time control, ...), as plain
            JSON data. The store keeps them without looking inside.

    Raises Rejected for a name that is none.
    """

    name: str
    variant: Variant
    seed: bytes = field(repr=False)
    entries: tuple[VersionId, ...]
    settings: Mapping[str, object]
    schedule: ScheduleKind = ScheduleKind.ROUND_ROBIN
    format: PlayFormat = PlayFormat.GAMES

    def __post_init__(self) -> None:
        """Refuse what no page, file or terminal could show safely."""
        check_name(self.name, "tournament name")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """A tournament as stored; see `TournamentSpec`.

    Attributes:
        id: the creation number.
        variant_hash: the ladder.
        commitment: the public commitment to the seed (rules S1).
        revealed_seed: the seed, None until the tournament is over.
        finished_us: when it was over, else None.
        entries: by number.
    """

    id: TournamentId
    name: str
    variant: Variant
    variant_hash: str
    schedule: ScheduleKind
    format: PlayFormat
    settings: Mapping[str, object]
    commitment: str
    revealed_seed: bytes | None
    state: TournamentState
    created_us: int
    finished_us: int | None
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedSet:
    """A finished mirrored set, ready for the journal. A set without an outcome is none.

    Attributes:
        job: its place in the schedule.
        outcome: who won; first and second are those of the job.
        points: the point difference of both halves, first minus second.
        hands: of both halves together.
        counts_points: false after a forfeit.
        record: the full record: a JSON object. Two records are the same content when they agree in
            all but the top-level field `timing`.
        faults_first: of the first entry, by kind.
        faults_second: of the second.
        incidents: what is kept of these faults for the authors of the bots.

    Raises ValueError for a set that cannot have been played.
    """

    job: Job
    outcome: Outcome
    points: int
    hands: int
    counts_points: bool
    record: bytes = field(repr=False)
    faults_first: FaultCounts = NO_FAULTS
    faults_second: FaultCounts = NO_FAULTS
    incidents: tuple[Incident, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        """Refuse here what would make every later leaderboard fail."""
        least = 1 if self.counts_points else 0
        if self.hands < least:
            raise ValueError(f"set {self.job.key} has {self.hands} hands, at least {least} needed")


def check_name(text: str, what: str) -> None:
    """Refuse what no page, file or terminal could show safely.

    Raises:
        Rejected: it is empty, too long, begins or ends with a space, or holds characters that
            do not print (control characters and those that change the direction of writing).
    """
    if not 1 <= len(text) <= MAX_NAME:
        raise Rejected(f"a {what} has 1 to {MAX_NAME} characters, this one has {len(text)}")
    if not text.isprintable() or text != text.strip():
        raise Rejected(
            f"{text!a} is no {what}: it must print, and neither begin nor end with a space"
        )


def _check_hash(text: str, what: str) -> None:
    if len(text) != 64 or not set(text) <= set("0123456789abcdef"):
        raise Rejected(f"{what} {text!a} is no hash of 64 hexadecimal digits in lower case")
