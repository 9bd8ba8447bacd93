"""`scripts/bench`: what it refuses, and that it prints what it promises; never how much."""

import asyncio
import importlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hosting.bots import until

MAIN = Path(__file__).resolve().parent.parent / "scripts" / "benchmarks" / "main.py"


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(MAIN), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param([], "name a measurement: one of memory, rules, sandbox, wire", id="no name"),
        pytest.param(["speed"], "there is no measurement 'speed'", id="an unknown name"),
        pytest.param(["rules", "--repetitions", "0"], "must be at least 1", id="no repetitions"),
        pytest.param(["sandbox", "--tables", "0"], "must be at least 1", id="no tables"),
        pytest.param(["sandbox", "--runner", "trust"], "invalid choice", id="no such runner"),
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


def test_the_sandbox_bench_says_in_a_sentence_that_there_is_no_such_bot() -> None:
    run = bench("sandbox", "--bot", "nobody")
    assert (run.returncode, run.stdout) == (1, "")
    last = run.stderr.splitlines()[-1]
    assert last.startswith("scripts/bench sandbox: 'nobody' is neither a program")
    assert "Traceback" not in run.stderr


@pytest.mark.bubblewrap
@pytest.mark.timeout(300)
def test_the_sandbox_bench_compares_starts_and_matches_with_the_bare_process() -> None:
    options = ("--bot", "random", "--tables", "1", "--starts", "1", "--rounds", "1")
    run = bench("sandbox", "--json", "--seconds", "0.5", *options)
    assert run.returncode == 0, run.stderr
    data = json.loads(run.stdout)
    assert set(data["load"]) == {"before", "after"}
    assert [row["what"] for row in data["rows"]] == [
        "start, ms",
        "1 table: decisions a second",
        "1 table: server us a decision",
        "1 table: bots us a decision",
        "1 table: CPU us a decision",
    ]
    for row in data["rows"]:
        bare, contained = row["figures"]["process"], row["figures"]["bubblewrap"]
        assert row["ratios"] == {"bubblewrap": contained / bare if bare else 0.0}
    assert min(data["rows"][0]["figures"].values()) > 0


async def test_the_sandbox_bench_weighs_all_that_a_process_has_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(MAIN.parent))
    arena = importlib.import_module("sandbox_arena")
    line = "sh -c 'sleep 100 & wait' & wait"
    process = await asyncio.create_subprocess_exec("sh", "-c", line, start_new_session=True)
    try:
        await until(lambda: len(arena.family([process.pid])) == 3)
        assert arena.family([process.pid])[0] == process.pid
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
