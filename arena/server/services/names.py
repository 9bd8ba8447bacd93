"""Resource names: `bots/3/versions/7`, `tournaments/3/records/r1:1-2:1`, `variants/HASH`."""

from __future__ import annotations

import re
from typing import Final

from arena.ids import BotId, JobKey, SubmissionId, TournamentId, VersionId
from arena.server.services.errors import invalid

_NUMBER: Final = r"([1-9]\d{0,17})"
_VERSION: Final = re.compile(rf"bots/{_NUMBER}/versions/{_NUMBER}", re.ASCII)
_BOT: Final = re.compile(rf"bots/{_NUMBER}", re.ASCII)
_SUBMISSION: Final = re.compile(rf"submissions/{_NUMBER}", re.ASCII)
_TOURNAMENT: Final = re.compile(rf"tournaments/{_NUMBER}", re.ASCII)
_RECORD: Final = re.compile(rf"tournaments/{_NUMBER}/records/([r0-9:-]{{1,64}})", re.ASCII)
_VARIANT: Final = re.compile(r"variants/([a-z0-9-]{1,64})")
_LADDER_BOARD: Final = re.compile(rf"{_VARIANT.pattern}/leaderboard")
_TOURNAMENT_BOARD: Final = re.compile(rf"{_TOURNAMENT.pattern}/leaderboard", re.ASCII)


def bot_name(bot: BotId) -> str:
    """`bots/3`."""
    return f"bots/{bot}"


def version_name(bot: BotId, version: VersionId) -> str:
    """`bots/3/versions/7`."""
    return f"bots/{bot}/versions/{version}"


def submission_name(submission: SubmissionId) -> str:
    """`submissions/7`."""
    return f"submissions/{submission}"


def tournament_name(tournament: TournamentId) -> str:
    """`tournaments/3`."""
    return f"tournaments/{tournament}"


def record_name(tournament: TournamentId, key: JobKey) -> str:
    """`tournaments/3/records/r1:1-2:1`."""
    return f"tournaments/{tournament}/records/{key}"


def variant_name(ladder: str) -> str:
    """`variants/HASH`."""
    return f"variants/{ladder}"


def parse_bot(field: str, text: str) -> BotId:
    """The bot of a name. Raises CallError where it is none."""
    (number,) = _parsed(_BOT, field, text, "bots/3")
    return BotId(int(number))


def parse_version(field: str, text: str) -> tuple[BotId, VersionId]:
    """The bot and version of a name. Raises CallError where it is none."""
    bot, version = _parsed(_VERSION, field, text, "bots/3/versions/7")
    return BotId(int(bot)), VersionId(int(version))


def parse_submission(field: str, text: str) -> SubmissionId:
    """The submission of a name. Raises CallError where it is none."""
    (number,) = _parsed(_SUBMISSION, field, text, "submissions/7")
    return SubmissionId(int(number))


def parse_tournament(field: str, text: str) -> TournamentId:
    """The tournament of a name. Raises CallError where it is none."""
    (number,) = _parsed(_TOURNAMENT, field, text, "tournaments/3")
    return TournamentId(int(number))


def parse_record(field: str, text: str) -> tuple[TournamentId, JobKey]:
    """The tournament and job key of a name. Raises CallError where it is none."""
    number, key = _parsed(_RECORD, field, text, "tournaments/3/records/r1:1-2:1")
    return TournamentId(int(number)), JobKey(key)


def parse_variant(field: str, text: str) -> str:
    """The hash, or the name of a variant that ships. Raises CallError where it is neither."""
    (variant,) = _parsed(_VARIANT, field, text, "variants/classic or variants/HASH")
    return variant


def parse_board(field: str, text: str) -> str | TournamentId:
    """What a leaderboard is of: a variant as in `parse_variant`, or a tournament.

    Raises CallError where it is the name of no leaderboard.
    """
    found = _TOURNAMENT_BOARD.fullmatch(text)
    if found is not None:
        return TournamentId(int(found[1]))
    example = "variants/classic/leaderboard or tournaments/3/leaderboard"
    (variant,) = _parsed(_LADDER_BOARD, field, text, example)
    return variant


def _parsed(pattern: re.Pattern[str], field: str, text: str, example: str) -> tuple[str, ...]:
    found = pattern.fullmatch(text)
    if found is None:
        raise invalid(field, f"{text[:80]!a} is no name of the form {example}")
    return found.groups()
