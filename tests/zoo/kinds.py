"""Every kind of bad bot, and what must come of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from arena.referee.policy import Policy, TimeControl
from arena.rules.record import EndingKind

PATIENT = Policy(time=TimeControl(startup_ms=30_000, decision_ms=30_000), reveal_names=True)
HASTY = Policy(
    time=TimeControl(bank_ms=1500, increment_ms=10, decision_ms=500, startup_ms=30_000),
    reveal_names=True,
)
SHORT_BANK = Policy(
    time=TimeControl(bank_ms=600, increment_ms=0, decision_ms=30_000, startup_ms=30_000),
    reveal_names=True,
)
SHORT_START = Policy(time=TimeControl(startup_ms=500, decision_ms=30_000), reveal_names=True)


class Coming(Enum):
    """How a bad bot comes to the arena."""

    DIALS_IN = "dials in"
    HOSTED = "hosted"
    TCP_VISITOR = "visitor (TCP)"
    UNIX_VISITOR = "visitor (Unix)"

    @property
    def plays(self) -> bool:
        """Whether it has a place at a table."""
        return self in (Coming.DIALS_IN, Coming.HOSTED)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind.

    Attributes:
        program: what ``beast`` is to do.
        ending: how its game ends; None for a visitor, which has none.
        sentence: a pattern for the whole sentence about that.
        coming: how it comes.
        policy: clocks of its tables.
        said: a pattern for how the arena ended its streams, as it tells itself.
    """

    program: str
    ending: EndingKind | None
    sentence: str = ""
    coming: Coming = Coming.DIALS_IN
    policy: Policy = PATIENT
    said: str = ""

    @property
    def title(self) -> str:
        """Its name for people."""
        return f"{self.program.replace('_', ' ')} ({self.coming.value})"

    @property
    def plays_on(self) -> bool:
        """Whether it does the others no harm that costs it the game."""
        return self.ending is EndingKind.COMPLETED


END = "played to the end"
ABSENT = r"the bot did not come"
OUT_OF_TIME = r"seat \d: (the time for a decision|its bank) ran out"
OUT_OF_REACH = OUT_OF_TIME + " while the bot was not connected"
USELESS = r"seat \d: the bot sent more than 1024 messages that answer nothing"
BROKE = r"seat \d: the bot broke the contract: "
LIVE = "this bot already has a live session for this chair and lane"


def at_a_table() -> tuple[Kind, ...]:
    """Those that dial in and play badly."""
    done, late = EndingKind.COMPLETED, EndingKind.TIMEOUT
    gone, broke = EndingKind.DISCONNECT, EndingKind.PROTOCOL
    return (
        Kind("answers_illegally", EndingKind.ILLEGAL, r"seat \d: illegal answer: .*9C.*"),
        Kind(
            "answers_with_an_unknown_action",
            EndingKind.ILLEGAL,
            r"seat \d: illegal answer: the answer names no action of this variant",
        ),
        Kind("sends_an_unknown_arm_too", done, END),
        Kind("answers_other_questions", late, OUT_OF_TIME, policy=HASTY),
        Kind("answers_twice", done, END),
        Kind("answers_late", late, OUT_OF_TIME, policy=HASTY),
        Kind("answers_nothing", late, OUT_OF_TIME, policy=HASTY),
        Kind("sleeps", late, OUT_OF_TIME, policy=SHORT_BANK),
        Kind("closes_its_half", gone, OUT_OF_REACH, policy=HASTY, said="ended OK"),
        Kind("exits_in_a_game", gone, OUT_OF_REACH, policy=HASTY),
        Kind("says_goodbye", gone, r"seat \d: the bot said goodbye", said="ended OK"),
        Kind("says_hello_again", broke, BROKE + "a stream has one Hello, its first message"),
        Kind(
            "sends_too_many_answers",
            broke,
            BROKE + "a message holds at most 1024 answers",
            said="ended RESOURCE_EXHAUSTED",
        ),
        Kind(
            "acknowledges_what_was_never_sent",
            broke,
            BROKE + "item 4294967295 was never sent",
            said="ended INVALID_ARGUMENT",
        ),
        Kind(
            "sends_five_megabytes",
            gone,
            OUT_OF_REACH,
            policy=HASTY,
            said="ended RESOURCE_EXHAUSTED: .*larger than max",
        ),
        Kind("floods_answers", broke, USELESS, said="RESOURCE_EXHAUSTED: the bot sent more than"),
        Kind("floods_answers_unread", broke, USELESS),
        Kind("floods_empty_lists", broke, USELESS, said="RESOURCE_EXHAUSTED: the bot sent more"),
        Kind("floods_nothing", broke, USELESS, said="RESOURCE_EXHAUSTED: the bot sent more than"),
        Kind("floods_nothing_unread", broke, USELESS),
        Kind("never_reads", late, OUT_OF_TIME, policy=HASTY),
    )


def at_the_door() -> tuple[Kind, ...]:
    """Those that dial in as they may not, or as somebody else, or again and again."""
    done, late, gone = EndingKind.COMPLETED, EndingKind.TIMEOUT, EndingKind.DISCONNECT
    return (
        Kind("wrong_token", gone, ABSENT, said="refused UNAUTHENTICATED: the token is not known"),
        Kind(
            "other_version",
            gone,
            ABSENT,
            said="refused FAILED_PRECONDITION: the bot speaks protocol version 2, this server",
        ),
        Kind("too_many_tables", gone, ABSENT, said="refused INVALID_ARGUMENT: tables is 5000"),
        Kind("opens_a_second_session", done, END, said=f"refused FAILED_PRECONDITION: {LIVE}"),
        Kind("steals_its_partners_session", late, OUT_OF_TIME, policy=HASTY, said="robbed OK"),
        Kind(
            "steals_anothers_session",
            done,
            END,
            said="refused FAILED_PRECONDITION: the session cannot be resumed",
        ),
        Kind("resumes_at_every_question", done, END),
        Kind("resumes_and_answers_nothing", late, OUT_OF_TIME, policy=HASTY),
    )


def hosted() -> tuple[Kind, ...]:
    """Those that the arena starts."""
    return tuple(
        Kind(program, ending, sentence, Coming.HOSTED, policy)
        for program, ending, sentence, policy in (
            ("exits_at_start", EndingKind.CRASH, ".*the bot's process exited with status 3", None),
            (
                "exits_in_a_game",
                EndingKind.CRASH,
                r"seat \d: the bot's process exited with status 4",
                None,
            ),
            ("stops_itself", EndingKind.TIMEOUT, OUT_OF_TIME, HASTY),
            (
                "starts_slowly",
                EndingKind.TIMEOUT,
                r".* did not dial in within 0\.5 s of its start",
                SHORT_START,
            ),
            ("forks", EndingKind.COMPLETED, END, None),
            ("prints_megabytes", EndingKind.COMPLETED, END, None),
        )
        for policy in (policy or PATIENT,)
    )


def visiting() -> tuple[Kind, ...]:
    """Those that come to the port and are no bots."""
    both = (Coming.TCP_VISITOR, Coming.UNIX_VISITOR)
    programs = (
        "sends_random_bytes",
        "sends_random_frames",
        "speaks_http_1",
        "says_its_preface_only",
        "opens_thousands_of_connections",
        "opens_streams_without_a_word",
    )
    return tuple(Kind(program, None, coming=coming) for program in programs for coming in both)


CONTROL = Kind("plays_on", EndingKind.COMPLETED, END)
"""Not bad at all: what the others are measured against."""

KINDS = (CONTROL, *at_a_table(), *at_the_door(), *hosted(), *visiting())
