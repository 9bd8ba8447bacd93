"""``arena record``: true records hold, changed ones break where they were changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from arena.cli.record_text import record_lines
from arena.cli.records import read_record_file
from arena.cli.screen import Screen
from arena.rules.record import SetOutcome
from tests.cli.commands import SEED, InProcess, assert_refused

Data = dict[str, Any]


def test_true_records_hold(arena: InProcess, match_folder: Path) -> None:
    files = sorted(match_folder.glob("*.json"))
    done = arena("record", "verify", *files, "--seed", SEED)
    lines = done.out.splitlines()
    assert (done.code, done.err) == (0, "")
    assert [line.split()[:2] for line in lines[:-1]] == [["ok", str(file)] for file in files]
    assert lines[-1] == "2 records: all hold (deals checked against the seed)"


def test_checks_as_json(arena: InProcess, record_path: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.json"
    empty.touch()
    done = arena("record", "verify", record_path, empty, "--json")
    checks = json.loads(done.out)
    assert done.code == 1
    assert (checks["checked"], checks["failed"]) == (2, 1)
    assert [(c["ok"], c["problem"]) for c in checks["files"]] == [
        (True, None),
        (False, "it is empty"),
    ]
    assert checks["files"][0]["hands"] == 16


def _action(record: Data) -> None:
    hand = record["halves"][1]["hands"][6]
    lead = next(move for move in hand["moves"] if move["action"].startswith("play"))
    own = hand["dealt"][lead["seat"]]["cards"]
    others = hand["dealt"][(lead["seat"] + 1) % 4]["cards"]
    lead["action"] = f"play {next(card for card in others if card not in own)}"


def _score(record: Data) -> None:
    record["halves"][0]["hands"][2]["result"]["scores"][0] += 1


def _mover(record: Data) -> None:
    moves = record["halves"][0]["hands"][0]["moves"]
    last = next(m for m in reversed(moves) if m["mover"] == "MOVER_FORCED")
    last["mover"] = "MOVER_BOT"


def _winner(record: Data) -> None:
    record["halves"][0]["winner"] = 1 - record["halves"][0]["winner"]


def _outcome(record: Data) -> None:
    record["outcome"] = "SET_OUTCOME_DRAW"


def _dealer(record: Data) -> None:
    record["halves"][0]["hands"][0]["dealer"] = 1


def _dealt(record: Data) -> None:
    cards = record["halves"][0]["hands"][0]["dealt"][0]["cards"]
    cards[0], cards[1] = cards[1], cards[0]


def _hands(record: Data) -> None:
    del record["halves"][0]["hands"][-1]


def _deal_lost(record: Data) -> None:
    del record["halves"][0]["hands"][0]["dealt"][3]


def _guilty(record: Data) -> None:
    record["halves"][0]["ending"]["seat"] = 2


def _rule(record: Data) -> None:
    record["variant"]["defenders_score"] = False


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (_action, ["half b, hand 7, action"]),
        (_score, ["half a, hand 3", "scores"]),
        (_mover, ["half a, hand 1, action", "marked bot"]),
        (_winner, ["half a", "winner"]),
        (_outcome, ["the set's result", "draw"]),
        (_dealer, ["half a, hand 1", "dealer"]),
        (_dealt, ["half a, hand 1", "deal-v1"]),
        (_hands, ["half a", "not over"]),
        (_deal_lost, ["half a, hand 1", "four hands"]),
        (_guilty, ["half a", "no seat is at fault"]),
        (_rule, ["half a, hand 1", "points"]),
    ],
    ids=lambda value: value.__name__.strip("_") if callable(value) else "",
)
def test_a_changed_record_breaks_where_it_was_changed(
    arena: InProcess,
    record_path: Path,
    tmp_path: Path,
    change: Callable[[Data], None],
    where: list[str],
) -> None:
    record = json.loads(record_path.read_bytes())
    change(record)
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(record))
    done = arena("record", "verify", changed, "--seed", SEED)
    verdict, counts = done.out.splitlines()
    assert (done.code, done.err) == (1, "")
    assert verdict.startswith("FAIL")
    for words in where:
        assert words in verdict
    assert counts.startswith("1 record: 0 hold, 1 FAIL")


def test_a_refused_action_is_told_with_its_paragraph(
    arena: InProcess, record_path: Path, tmp_path: Path
) -> None:
    record = json.loads(record_path.read_bytes())
    hand = record["halves"][0]["hands"][0]
    play = next(i for i, m in enumerate(hand["moves"]) if m["action"].startswith("play"))
    hand["moves"][play]["seat"] = (hand["moves"][play]["seat"] + 1) % 4
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(record))
    assert arena("record", "verify", changed).out.splitlines()[0].endswith(")")


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda text: text[: len(text) // 2], "cut off at byte"),
        (lambda text: b"", "it is empty"),
        (lambda text: b"hello", "it is no JSON"),
        (lambda text: b"[1, 2]", "it is no record"),
        (lambda text: b'{"format": 99}', "format 99"),
        (lambda text: b"[" * 100_000, "nested"),
        (lambda text: text.replace(b'"set_id"', b'"set"'), "set"),
    ],
    ids=["cut", "empty", "no JSON", "foreign JSON", "a later format", "deeply nested", "a field"],
)
def test_a_file_that_is_no_record_is_told_in_one_sentence(
    arena: InProcess,
    record_path: Path,
    tmp_path: Path,
    spoil: Callable[[bytes], bytes],
    words: str,
) -> None:
    spoilt = tmp_path / "spoilt.json"
    spoilt.write_bytes(spoil(record_path.read_bytes()))
    checked = arena("record", "verify", spoilt)
    assert (checked.code, checked.err) == (1, "")
    assert words in checked.out.splitlines()[0]
    assert_refused(arena("record", "show", spoilt), 1, words)


def test_windows_line_ends_do_not_matter(
    arena: InProcess, record_path: Path, tmp_path: Path
) -> None:
    record = json.dumps(json.loads(record_path.read_bytes()), indent=1)
    file = tmp_path / "windows.json"
    file.write_bytes(b"\xef\xbb\xbf" + record.replace("\n", "\r\n").encode())
    assert arena("record", "verify", file).code == 0


@pytest.mark.parametrize("seed", ["ab", "zz" * 32, "ab" * 33])
def test_a_seed_that_is_none_is_refused(arena: InProcess, record_path: Path, seed: str) -> None:
    assert_refused(arena("record", "verify", record_path, "--seed", seed), 2, "a seed is 64")


def test_another_seed_does_not_match(arena: InProcess, record_path: Path) -> None:
    done = arena("record", "verify", record_path, "--seed", "cd" * 32)
    assert done.code == 1
    assert done.out.count("does not match the commitment") == 1
    assert "against the seed" not in done.out


def test_a_shown_record_has_deals_calls_tricks_and_results(
    arena: InProcess, record_path: Path
) -> None:
    done = arena("record", "show", record_path)
    record = json.loads(record_path.read_bytes())
    hand = record["halves"][0]["hands"][0]
    block = done.out.split("half a, hand 1 ")[1].split("half a, hand 2 ")[0]
    for seat, dealt in enumerate(hand["dealt"]):
        assert f"seat {seat}    {' '.join(dealt['cards'])}" in block
    assert "auction   1 " in block
    assert block.count("  trick ") == 8
    assert f"scores {hand['result']['scores'][0]} : {hand['result']['scores'][1]}" in block
    assert (done.code, done.err, "\x1b" in done.out) == (0, "", False)


def test_a_trick_goes_to_whom_the_next_lead_belongs(arena: InProcess, record_path: Path) -> None:
    lines = arena("record", "show", record_path, "--hand", "1").out.splitlines()
    tricks = [line.split() for line in lines if line.startswith("  trick ")]
    for trick, following in pairwise(tricks):
        if following[1] != "1":  # the other half begins anew
            assert trick[-1] == following[2]


def test_one_hand_can_be_asked_for(arena: InProcess, record_path: Path) -> None:
    out = arena("record", "show", record_path, "--hand", "3").out
    assert "half a, hand 3 " in out
    assert "half b, hand 3 " in out
    assert "hand 2 " not in out
    assert_refused(arena("record", "show", record_path, "--hand", "99"), 2, "no hand 99")


def test_a_record_as_json_is_the_record(arena: InProcess, record_path: Path) -> None:
    shown = json.loads(arena("record", "show", record_path, "--json").out)
    assert shown["records"][0]["record"] == json.loads(record_path.read_bytes())


def test_a_missing_file_is_refused(arena: InProcess) -> None:
    assert_refused(arena("record", "show", "nowhere.json"), 2, "nowhere.json: No such file")
    checked = arena("record", "verify", "nowhere.json")
    assert (checked.code, checked.out.splitlines()[0]) == (
        1,
        "FAIL  nowhere.json  No such file or directory",
    )


def test_names_cannot_move_the_cursor(arena: InProcess, record_path: Path, tmp_path: Path) -> None:
    record = json.loads(record_path.read_bytes())
    record["entrants"][0]["name"] = "a\x1b[2J\r\u202eb"
    named = tmp_path / "named.json"
    named.write_text(json.dumps(record))
    out = arena("record", "show", named).out
    assert r"a\x1b[2J\x0d\u202eb" in out
    assert not {"\x1b", "\r", "\u202e"} & set(out)


def test_the_result_is_told_as_the_winner_sees_it(
    arena: InProcess, match_folder: Path, tmp_path: Path
) -> None:
    seen = set()
    for file in sorted(match_folder.glob("*.json")):
        record = read_record_file(file)
        for outcome in (SetOutcome.FIRST_WINS, SetOutcome.SECOND_WINS):
            verdict = record.verdict._replace(outcome=outcome, points=-1, hands=1)
            (line,) = [
                one
                for one in record_lines(replace(record, verdict=verdict), Screen())
                if one.startswith("result")
            ]
            seen.add((outcome, line.rpartition(", ")[2]))
    assert seen == {
        (SetOutcome.FIRST_WINS, "-1 point in 1 hand"),
        (SetOutcome.SECOND_WINS, "+1 point in 1 hand"),
    }
