"""The runner behind `scripts/vectors`: what it prints and how it ends, over the oracle."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.vectors.checks import failures_of
from tests.vectors.files import Case, Given, read_vectors
from tests.vectors.oracle_engine import OracleEngine, OracleHand
from tests.vectors.run import main

HERE = Path(__file__).parent
CASES: list[dict[str, Any]] = json.loads((HERE / "public.json").read_bytes())
GAMES: list[dict[str, Any]] = json.loads((HERE / "games_public.json").read_bytes())


def case_named(case_id: str) -> dict[str, Any]:
    return next(case for case in CASES if case["id"] == case_id)


def changed(element: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """A copy in which the value at `a.b.0` is another one."""
    copy: dict[str, Any] = json.loads(json.dumps(element))
    *way, last = path.split(".")
    inner: Any = copy
    for key in way:
        inner = inner[int(key) if isinstance(inner, list) else key]
    inner[int(last) if isinstance(inner, list) else last] = value
    return copy


def run_on(folder: Path, content: object) -> int:
    file = folder / "vectors.json"
    file.write_text(json.dumps(content))
    return main(["--oracle", str(file)])


def test_all_files_pass_with_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    names = [str(HERE / "public.json"), str(HERE / "games_public.json")]
    assert main(["--oracle", *names]) == 0
    assert capsys.readouterr().out == "83 passed, 0 failed\n"


CASE = case_named("hlm.paid-at-once")
AUCTION = case_named("auction.equal-bid-refused")
GAME = GAMES[0]


@pytest.mark.parametrize(
    ("element", "line"),
    [
        pytest.param(
            changed(CASE, "expect.tokens", [0, 2]),
            "hlm.paid-at-once: tokens: expected [0, 2], came [0, 1]",
            id="a wrong value",
        ),
        pytest.param(
            changed(CASE, "expect.hlm_debt", [False, False]),
            "hlm.paid-at-once: hlm_debt: expected [false, false], came [0, 0]",
            id="false is not zero",
        ),
        pytest.param(
            changed(CASE, "expect.mood", "good"),
            'hlm.paid-at-once: mood: expected "good", came nothing: the runner knows no such key',
            id="a key that the runner does not know",
        ),
        pytest.param(
            changed(AUCTION, "expect.rejected", [[2, "bid 4"]]),
            'auction.equal-bid-refused: rejected: expected a refusal of [2, "bid 4"], came none',
            id="a legal action among the rejected",
        ),
        pytest.param(
            changed(AUCTION, "actions.0", [3, "pass"]),
            'auction.equal-bid-refused: action 0: expected [3, "pass"] to be legal, '
            "came: seat 3 is not to act, 1 is",
            id="an illegal action",
        ),
        pytest.param(
            changed(GAME, "actions.1", [2, "bid 2"]),
            'public-classic-00: action 1: expected [2, "bid 2"] to be legal, came seat 2 with '
            '["bid 3", "bid 4", "bid 5", "bid 6", "bid lone", "bid shoot", "pass"]',
            id="an illegal action of a whole game",
        ),
        pytest.param(
            changed(GAME, "hands.1.dealer", 3),
            "public-classic-00: hand 1 dealer: expected 3, came 1",
            id="a wrong dealer in a whole game",
        ),
        pytest.param(
            changed(GAME, "hands", GAME["hands"][:-1]),
            "public-classic-00: hands: expected 7, came 8",
            id="another number of hands",
        ),
        pytest.param(
            changed(GAME, "final.end", "max_hands"),
            'public-classic-00: final end: expected "max_hands", came "target"',
            id="another end",
        ),
    ],
)
def test_a_failure_is_one_line_and_exit_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], element: dict[str, Any], line: str
) -> None:
    assert run_on(tmp_path, [CASE, element]) == 1
    assert capsys.readouterr().out.splitlines() == [line, "1 passed, 1 failed"]


def test_another_first_deal_is_a_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_on(tmp_path, [changed(GAME, "first_deal", GAMES[1]["first_deal"])]) == 1
    assert "public-classic-00: first_deal: expected" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param({"id": "x"}, "must hold a list", id="no list"),
        pytest.param([], "at least one element", id="an empty list"),
        pytest.param([{"id": "x"}], "element 0: is neither", id="an element of no known shape"),
        pytest.param([CASE, 7], "element 1: is neither", id="an element that is no object"),
        pytest.param(
            [changed(CASE, "given.dealer", "east")], "$.given.dealer", id="a value of a wrong type"
        ),
        pytest.param([changed(CASE, "given.dealer", 4)], "dealer is 4", id="no such dealer"),
        pytest.param(
            [changed(CASE, "given.hands.0.0", "ZZ")], "24 cards of the deck", id="no such card"
        ),
        pytest.param([changed(CASE, "given.hands", [[]] * 4)], "four hands of 6", id="no cards"),
        pytest.param([changed(CASE, "given.wind", 1)], "unknown field", id="an unknown given"),
        pytest.param([changed(CASE, "variant", "whist")], "'whist'", id="no such variant"),
        pytest.param([changed(CASE, "expect.rejected", [3])], "expect.rejected", id="no pairs"),
        pytest.param([changed(GAME, "seed_hex", "00")], "64 hex digits", id="a short seed"),
        pytest.param([changed(GAME, "set_id", "a b")], "set_id", id="a set id with a space"),
        pytest.param([changed(GAME, "first_board", -1)], "first_board", id="a negative board"),
    ],
)
def test_what_cannot_be_run_is_one_sentence_and_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: object, words: str
) -> None:
    assert run_on(tmp_path, content) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1
    assert words in printed.err


@pytest.mark.parametrize(
    "data", [b"", b"[", b"\xff\xfe", b"[1,]", b"[" * 100_000], ids=lambda data: repr(data[:4])
)
def test_a_file_that_is_no_json_is_one_sentence_and_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes
) -> None:
    file = tmp_path / "vectors.json"
    file.write_bytes(data)
    assert main(["--oracle", str(file)]) == 2
    assert "is not JSON" in capsys.readouterr().err


def test_a_missing_file_is_one_sentence_and_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        assert main(["--oracle", str(HERE / "public.json"), str(path)]) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert f"{path}: cannot be read" in printed.err


class ForgetfulHand(OracleHand):
    """Refuses rightly, but changes a score while it does."""

    def apply(self, seat: int, text: str) -> None:
        self.hand.record["given"]["scores"][0] += 1
        super().apply(seat, text)


class ForgetfulEngine(OracleEngine):
    """An engine with a fault that `rejected` is there to find."""

    def hand(self, variant: str, given: Given) -> OracleHand:
        return ForgetfulHand(super().hand(variant, given).hand)


def test_a_refusal_that_changes_something_is_a_failure() -> None:
    case = next(v for v in read_vectors(HERE / "public.json") if v.id == AUCTION["id"])
    assert isinstance(case, Case)
    assert failures_of(case, ForgetfulEngine()) == [
        'rejected: expected [2, "bid 3"] to change nothing, came a change'
    ]
