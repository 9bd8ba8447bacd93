"""What a match has given so far, as the report needs it; records themselves are not held."""

from __future__ import annotations

from array import array
from collections import defaultdict
from statistics import median_low

from arena.cli.match_forfeits import Forfeits
from arena.ids import VersionId
from arena.ratings.proportions import Record
from arena.ratings.results import SetResult
from arena.rules.record import EndingKind, GameRecord, Mover, SetRecord
from arena.schedule.outcomes import result_of_set
from arena.schedule.pairings import Job


class Tally:
    """Results, games and times of a match.

    Attributes:
        results: the finished sets as the ratings see them.
        forfeits: those that were forfeited.
    """

    def __init__(self) -> None:
        self.results: list[SetResult] = []
        self.forfeits = Forfeits()
        self._words: dict[VersionId, str] = {}
        self._games: defaultdict[VersionId, list[int]] = defaultdict(lambda: [0, 0, 0])
        self._times: defaultdict[VersionId, array[int]] = defaultdict(lambda: array("L"))

    def add(self, job: Job, record: SetRecord) -> None:
        """Count a finished set."""
        self.results.append(result_of_set(job, record))
        self.forfeits = self.forfeits.with_set(job, record)
        versions = (VersionId(job.first), VersionId(job.second))
        for half in record.halves:
            self._count_game(half, versions)
            self._count_times(half, versions)

    def hear(self, version: VersionId, words: str) -> None:
        """Keep the last words of a process of a bot; of several that of the first that had any."""
        self._words[version] = self._words.get(version) or words

    def last_words(self, version: VersionId) -> str | None:
        """What a process of the bot wrote to standard error before it ended; None if none did."""
        return self._words.get(version)

    def games(self, version: VersionId) -> Record:
        """Games won, drawn and lost; a half stopped for a forfeit in the other is none."""
        return Record(*self._games[version])

    def median_us(self, version: VersionId) -> int | None:
        """The median time of the decisions that the bot itself took, in microseconds."""
        times = self._times[version]
        return median_low(times) if times else None

    def decisions(self, version: VersionId) -> int:
        """How many decisions the bot itself took."""
        return len(self._times[version])

    def _count_game(self, half: GameRecord, versions: tuple[VersionId, VersionId]) -> None:
        kind = half.ending.kind
        if kind is not EndingKind.COMPLETED and not kind.is_forfeit:
            return
        for side in (0, 1):
            won = half.winner
            place = 1 if won is None else 0 if won == side else 2
            self._games[versions[half.seats[side].entrant]][place] += 1

    def _count_times(self, half: GameRecord, versions: tuple[VersionId, VersionId]) -> None:
        of_seat = [self._times[versions[seat.entrant]] for seat in half.seats]
        for hand in half.hands:
            for move, spent in zip(hand.moves, hand.times_us, strict=True):
                if move.mover is Mover.BOT:
                    of_seat[move.seat].append(spent)
