"""Pipes, closed and full streams, encodings and terminals (the streams of real processes)."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path

import pytest

from tests.cli.commands import ARENA, PLAIN, ROOT, process, shell


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
def test_a_reader_that_had_enough_is_no_failure(record_path: Path, unbuffered: str) -> None:
    done = shell(
        f'arena record show {record_path} | head -1; echo "${{PIPESTATUS[0]}}"',
        env={"PYTHONUNBUFFERED": unbuffered},
    )
    first, status = done.out.splitlines()
    assert first.startswith("set r1:1-2:1")
    assert (done.err, status in ("0", "141")) == ("", True)


@pytest.mark.parametrize("command", ["--help", "variants list --json"])
def test_a_reader_that_reads_nothing_is_no_failure(command: str) -> None:
    done = shell(
        f'arena {command} | true; echo "${{PIPESTATUS[0]}}"', env={"PYTHONUNBUFFERED": "1"}
    )
    assert (done.err, done.out.strip() in ("0", "141")) == ("", True)


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("target", [">&-", "> /dev/full"], ids=["closed", "full"])
@pytest.mark.parametrize("command", ["variants list", "variants list --json", "--help"])
def test_a_lost_answer_is_a_failure(command: str, target: str, unbuffered: str) -> None:
    done = shell(f"arena {command} {target}", env={"PYTHONUNBUFFERED": unbuffered})
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)


def test_a_match_whose_answer_would_get_lost_does_not_begin(tmp_path: Path) -> None:
    done = shell(f"arena match random first_legal --out {tmp_path / 'out'} >&-")
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("target", ["2>&-", "2> /dev/full"], ids=["closed", "full"])
def test_an_error_that_nobody_hears_keeps_its_exit_code(target: str) -> None:
    assert shell(f"arena variants show nothing {target}").code == 2


_ENCODINGS = [
    pytest.param({"PYTHONIOENCODING": "ascii"}, id="an ASCII stream"),
    pytest.param(
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, id="an ASCII locale"
    ),
]


@pytest.mark.parametrize("env", _ENCODINGS)
def test_without_utf_8_everything_is_ascii(record_path: Path, env: dict[str, str]) -> None:
    done = process("record", "show", record_path, env=env)
    assert (done.code, done.err, done.out.isascii()) == (0, "", True)
    assert "  -> " in done.out


def test_with_an_empty_environment() -> None:
    command = '"$PYTHON" -c "from arena.cli.main import main; main()" variants list'
    done = shell(f'env -i PATH="$PATH" PYTHONPATH="$PYTHONPATH" {command}')
    assert (done.code, done.err) == (0, "")


def _on_terminal(*arguments: str | Path, env: dict[str, str]) -> str:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*ARENA, *map(str, arguments)],
        env=PLAIN | env,
        cwd=ROOT,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as command:
        os.close(theirs)
        seen = b""
        while chunk := _read(ours):
            seen += chunk
        assert command.wait(timeout=30) == 0
    os.close(ours)
    return seen.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # how Linux says that the other side is gone
        return b""


_MATCH = ("match", "random", "first_legal", "--variant", "double", "--sets", "1")


def test_a_terminal_gets_a_bar_and_colours() -> None:
    seen = _on_terminal(*_MATCH, env={"TERM": "xterm"})
    assert "0/1" in seen
    assert "\x1b[1mbot" in seen


def test_no_color_keeps_the_bar() -> None:
    seen = _on_terminal(*_MATCH, env={"TERM": "xterm", "NO_COLOR": "1"})
    assert "0/1" in seen
    assert "\x1b[1m" not in seen
    assert "\x1b[3" not in seen


def test_a_dumb_terminal_gets_plain_lines() -> None:
    seen = _on_terminal(*_MATCH, env={"TERM": "dumb"})
    assert "first_legal" in seen
    assert not {"\x1b", "\r"} & set(seen)


def test_suits_have_colours_on_a_terminal_only(record_path: Path) -> None:
    shown = ("record", "show", record_path, "--hand", "1")
    assert "\x1b[1;91mAH\x1b[0m" in _on_terminal(*shown, env={"TERM": "xterm"})
    assert "\x1b" not in process(*shown, env={"TERM": "xterm", "FORCE_COLOR": "1"}).out
