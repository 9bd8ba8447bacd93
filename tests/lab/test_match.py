"""Matches in this process: figures, repeatability, async bots, what bots are told, errors."""

from __future__ import annotations

import asyncio
import json
import typing
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from arena.lab import play_match
from arena.rules import DOUBLE, VARIANTS
from arena.rules.record import EndingKind, SetRecord
from arena.rules.verify import verify
from arena.sdk import Action, Bot, FinishedGame, FinishedHand, LoadError, Phase, View, load_bot
from arena.sdk.session import BotError
from arena.wire.records import record_json
from tests.cli.commands import process

SEED = bytes(range(32))
SAMPLES = Path(__file__).resolve().parents[2] / "sample_bots" / "python"
SHORT = replace(DOUBLE, hands=1)


class First(Bot):
    def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        return legal[0]


class Any(Bot):
    def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        return legal[self.rng.randrange(len(legal))]


class Waiting(Any):
    async def act(self, view: View, legal: tuple[Action, ...]) -> Action:  # type: ignore[override]
        await asyncio.sleep(0)
        return legal[self.rng.randrange(len(legal))]


@pytest.mark.parametrize("variant", VARIANTS)
def test_records_are_those_of_the_arena(variant: str, tmp_path: Path) -> None:
    """The same bots by ``arena match``, as processes over gRPC, give the same records."""
    bots = [str(SAMPLES / name / "bot.py") for name in ("rule_of_thumb", "random")]
    done = process(
        "match", *bots, "--variant", variant, "--sets", "2", "--seed", SEED.hex(), "--out", tmp_path
    )
    assert done.code == 0, done
    here = play_match(*bots, variant=variant, sets=2, seed=SEED)
    there = {json.loads(path.read_bytes())["set_id"]: path for path in tmp_path.glob("*.json")}
    assert len(there) == len(here.records) == 2
    for record in here.records:
        assert without_names(record_json(record)) == without_names(
            there[record.set_id].read_bytes()
        )


def without_names(data: bytes) -> dict[str, object]:
    document = json.loads(data)
    del document["timing"], document["entrants"]
    return dict(document)


def test_the_same_seed_is_the_same_match() -> None:
    one, other = (play_match(Any, First, variant="double", sets=3, seed=SEED) for _ in range(2))
    assert one.records == other.records
    assert str(one) == str(other)
    assert str(one).startswith("Any against First: W-D-L ")
    assert play_match(Any, First, variant=SHORT, sets=1).seed != SEED


def test_records_can_be_verified() -> None:
    for record in play_match(Any, First, variant="token", sets=1, seed=SEED).records:
        verify(record, seed=SEED)


def test_figures_are_those_of_the_sets() -> None:
    match = play_match(Any, First, variant="double", sets=4, seed=SEED)
    meeting = match.meeting()
    assert meeting.record.sets == 4
    assert meeting.points is not None
    assert meeting.points.interval is not None
    values = [signed_points(record) / record.verdict.hands for record in match.records]
    assert meeting.points.mean == pytest.approx(sum(values) / 4)
    other = match.meeting(1, 0).points
    assert other is not None
    assert other.mean == -meeting.points.mean


def signed_points(record: SetRecord) -> int:
    points = record.verdict.points
    return points if record.entrants[0].name == "Any" else -points


def test_every_pair_meets_and_twins_have_names() -> None:
    match = play_match(First, First, Any, variant=SHORT, sets=2, seed=SEED)
    assert match.names == ("First 1", "First 2", "Any")
    assert len(match.results) == 6
    assert match.meeting(0, 2).record.sets == 2
    assert "First 1 against First 2" in str(match)


def test_an_async_bot_plays_as_its_twin_does() -> None:
    plain = play_match(Any, First, variant=SHORT, sets=2, seed=SEED)
    waiting = play_match(Waiting, First, variant=SHORT, sets=2, seed=SEED)
    assert [r.halves for r in plain.records] == [r.halves for r in waiting.records]


async def test_it_can_be_used_where_a_loop_runs() -> None:
    assert play_match(Waiting, First, variant=SHORT, sets=1, seed=SEED).results


class Noting(Bot):
    told: ClassVar[list[object]] = []

    def game_started(self) -> None:
        self.told.append(self.seat)

    def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        assert self.match.max_faults == 3
        assert view.bank_left_ms >= 60_000
        assert view.time_left_ms == 10_000
        assert (view.phase is Phase.PLAY) or view.trick == ()
        with pytest.raises(AttributeError, match="a view has no 'hand'"):
            _ = view.hand  # type: ignore[attr-defined]
        return legal[0]

    def hand_finished(self, hand: FinishedHand) -> None:
        self.told.append(hand)

    def game_finished(self, game: FinishedGame) -> None:
        self.told.append(game)


def test_bots_are_told_as_over_the_wire() -> None:
    Noting.told.clear()
    record = play_match(Noting, First, variant=SHORT, sets=1, seed=SEED).records[0]
    seats = [seat for seat in Noting.told if isinstance(seat, int)]
    assert sorted(seats) == [0, 1, 2, 3]  # two in each half
    hands = [hand for hand in Noting.told if isinstance(hand, FinishedHand)]
    games = [game for game in Noting.told if isinstance(game, FinishedGame)]
    assert len(hands) == len(games) == 4
    result = record.halves[0].hands[0].result
    assert result is not None
    assert hands[0].points == result.points
    assert [move.action.text for move in hands[0].moves] == [
        move.action for move in record.halves[0].hands[0].moves
    ]
    assert games[0].scores == record.halves[0].scores


class Reneging(Bot):
    """Does what is not legal, whenever it must follow."""

    def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        return self.tables.parse("pass") if view.phase is Phase.PLAY else legal[0]


def test_illegal_answers_are_faults_that_forfeit() -> None:
    record = play_match(Reneging, First, variant="double", sets=1, seed=SEED).records[0]
    lost = record.entrants[0].name == "Reneging"
    assert record.faults_of(0 if lost else 1).illegal >= 3  # of a seat
    kinds = [half.ending.kind for half in record.halves]
    assert EndingKind.ILLEGAL in kinds
    assert EndingKind.STOPPED in kinds


class Silent(Bot):
    def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        return None  # type: ignore[return-value]


class Broken(Bot):
    def act(self, view: View, legal: tuple[Action, ...]) -> Action:
        raise ZeroDivisionError("broken")


def test_a_bots_own_errors_are_seen() -> None:
    with pytest.raises(BotError, match=r"Silent\.act returned None"):
        play_match(Silent, First, sets=1)
    with pytest.raises(ZeroDivisionError, match="broken"):
        play_match(Broken, First, sets=1)


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="'chess' is no variant"):
        play_match(First, Any, variant="chess")
    with pytest.raises(LoadError, match=r"no\.py is no file"):
        play_match("no.py", First)


def test_modules_beside_a_bot_are_its_own(tmp_path: Path) -> None:
    for name, choice in (("one", "0"), ("two", "-1")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "choice.py").write_text(f"PLACE = {choice}\n")
        (tmp_path / name / "bot.py").write_text(
            "from choice import PLACE\nfrom arena.sdk import Bot, run\n"
            "class Own(Bot):\n    place = PLACE\n"
            "if __name__ == '__main__':\n    run(Own)\n"
        )
    one, two = (load_bot(tmp_path / name / "bot.py") for name in ("one", "two"))
    assert (vars(one)["place"], vars(two)["place"]) == (0, -1)


@pytest.mark.parametrize(
    ("code", "name", "sentence"),
    [
        ("", "", "has no class that derives from"),
        (
            "class A(Bot): pass\nclass B(Bot): pass",
            "",
            r"several bots \(A, B\): say which, as .*:A",
        ),
        ("class A(Bot): pass", ":B", "has no bot called B"),
    ],
)
def test_a_file_without_its_bot_is_named(
    code: str, name: str, sentence: str, tmp_path: Path
) -> None:
    (tmp_path / "bot.py").write_text(f"from arena.sdk import Bot\n{code}\n")
    with pytest.raises(LoadError, match=sentence):
        load_bot(f"{tmp_path / 'bot.py'}{name}")


def test_the_last_class_of_a_line_is_the_bot(tmp_path: Path) -> None:
    code = "from arena.sdk import Bot\nclass Base(Bot): pass\nclass Mine(Base): pass\n"
    (tmp_path / "bot.py").write_text(code)
    assert load_bot(tmp_path / "bot.py").__name__ == "Mine"
    assert load_bot(f"{tmp_path / 'bot.py'}:Base").__name__ == "Base"


WRONG: dict[str, tuple[tuple[object, ...], dict[str, object], str]] = {
    "no bot": ((), {}, "takes at least 2 bots, not 0"),
    "one bot": ((First,), {}, "takes at least 2 bots, not 1"),
    "a number for a bot": ((First, 3), {}, "3 is no bot: give a class"),
    "a class that is no bot": ((First, int), {}, "is no bot: give a class"),
    "an unknown variant": ((First, Any), {"variant": "chess"}, "'chess' is no variant"),
    "a list of variants": ((First, Any), {"variant": ["token"]}, r"\['token'\] is no variant"),
    "no sets": ((First, Any), {"sets": 0}, "0 is no number of sets"),
    "half a set": ((First, Any), {"sets": 0.5}, "0.5 is no number of sets"),
    "a number for a seed": ((First, Any), {"seed": 7}, "a seed is 32 bytes"),
    "a short seed": ((First, Any), {"seed": b"7"}, "a seed is 32 bytes"),
}


@pytest.mark.parametrize(("bots", "settings", "words"), WRONG.values(), ids=WRONG)
def test_each_wrong_argument_is_one_sentence(
    bots: tuple[type[Bot], ...], settings: dict[str, typing.Any], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        play_match(*bots, **settings)
