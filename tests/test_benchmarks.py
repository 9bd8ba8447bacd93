"""`scripts/bench`: what it refuses, and that the rules bench prints what it promises."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

MAIN = Path(__file__).resolve().parent.parent / "scripts" / "benchmarks" / "main.py"


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(MAIN), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param([], "name a measurement: one of memory, rules, wire", id="no name"),
        pytest.param(["speed"], "there is no measurement 'speed'", id="an unknown name"),
        pytest.param(["rules", "--repetitions", "0"], "must be at least 1", id="no repetitions"),
        pytest.param(["rules", "--fast"], "unrecognized arguments: --fast", id="an option"),
    ],
)
def test_a_wrong_command_line_gets_a_sentence(arguments: list[str], sentence: str) -> None:
    run = bench(*arguments)
    assert (run.returncode, run.stdout) == (2, "")
    assert sentence in run.stderr
    assert "Traceback" not in run.stderr


def test_help_names_the_measurements() -> None:
    run = bench("--help")
    assert run.returncode == 0
    assert "scripts/bench rules" in run.stdout
    assert "scripts/bench wire" in run.stdout


def test_the_rules_bench_as_json_holds_every_wanted_ratio() -> None:
    run = bench("rules", "--json", "--repetitions", "1")
    assert run.returncode == 0, run.stderr
    data = json.loads(run.stdout)
    assert len(data["ratios"]) == 9
    for row in data["ratios"]:
        above = row["measured"] >= row["wanted"]
        assert row["met"] == (above if row["at_least"] else row["measured"] <= row["wanted"])
    assert data["versions"]["open_spiel"]
    assert data["steps_a_hand"]["double"] > data["steps_a_hand"]["classic"] > 20


def test_the_rules_bench_as_tables_says_how_each_side_was_driven() -> None:
    run = bench("rules", "--repetitions", "1")
    assert run.returncode == 0, run.stderr
    assert "How each side was driven" in run.stdout
    assert run.stdout.count(" met") + run.stdout.count("NOT MET") == 9
