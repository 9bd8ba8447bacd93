"""The Python sample bots keep the contract."""

from __future__ import annotations

import json
import subprocess

import pytest

from arena.hosting.command import sample_names
from tests.cli.commands import ARENA, PLAIN, ROOT


@pytest.mark.timeout(180)
def test_all_sample_bots_pass_every_step() -> None:
    """Side by side: most of a check is waiting."""
    command = [*ARENA, "bot", "check", "--json", "--games", "12"]
    checks = {
        name: subprocess.Popen(
            [*command, name], env=PLAIN, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        for name in sample_names()
    }
    reports = {name: json.loads(check.communicate()[0]) for name, check in checks.items()}
    failed = {
        (name, step["name"], step["note"])
        for name, report in reports.items()
        for step in report["steps"]
        if step["verdict"] != "passed"
    }
    assert failed == set()
    assert len(reports) >= 4
