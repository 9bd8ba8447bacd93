"""Running commands in tests: inside this process where that will do, as a process where not."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.cli.main import run

ROOT = Path(__file__).resolve().parents[2]
ARENA = (sys.executable, "-c", "from arena.cli.main import main; main()")
SEED = "ab" * 32
PLAIN = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"}


@dataclass(frozen=True, slots=True)
class Done:
    """A command that has ended."""

    code: int
    out: str
    err: str

    @property
    def error_lines(self) -> list[str]:
        """What it told of an error, without what it announced before."""
        return [line for line in self.err.splitlines() if not _announcement(line)]


def _announcement(line: str) -> bool:
    return line.startswith(("match ", "commitment ", "next: "))


class InProcess:
    """Runs commands in this process."""

    def __init__(self, capture: pytest.CaptureFixture[str]) -> None:
        self._capture = capture

    def __call__(self, *arguments: str | Path) -> Done:
        """Run one."""
        self._capture.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = self._capture.readouterr()
        return Done(code, out, err)


def process(
    *arguments: str | Path, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> Done:
    """Run a command as a process."""
    done = subprocess.run(
        [*ARENA, *map(str, arguments)],
        env=PLAIN | dict(env or {}),
        cwd=cwd or ROOT,
        capture_output=True,
        check=False,
        timeout=50,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def shell(line: str, *, env: Mapping[str, str] | None = None, cwd: Path | None = None) -> Done:
    """Run a line of bash in which ``$ARENA`` is the command."""
    variables = {"PYTHON": sys.executable, **PLAIN, **(env or {})}
    function = 'arena() { "$PYTHON" -c "from arena.cli.main import main; main()" "$@"; }\n'
    done = subprocess.run(
        ["bash", "-c", function + line],
        env=variables,
        cwd=cwd or ROOT,
        capture_output=True,
        check=False,
        timeout=50,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def assert_refused(done: Done, code: int, *words: str) -> None:
    """One sentence on standard error, perhaps a hint, nothing on standard output."""
    assert done.code == code, done
    assert done.out == ""
    first, *rest = done.error_lines
    assert first.startswith("error: ")
    for word in words:
        assert word in first
    assert all(line.startswith("hint:  ") for line in rest)
    assert len(rest) <= 1
    assert "Traceback" not in done.err
