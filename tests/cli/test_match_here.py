"""``arena match --in-process`` and ``--reload``: Python files, changes, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.cli import match_reload
from arena.cli.errors import CliError
from arena.cli.match_reload import play_again_and_again, stamp_of, wait_for_change
from arena.cli.match_report import Report
from tests.cli.commands import InProcess, assert_refused

BOT = """from arena.sdk import Bot, run


class Mine(Bot):
    def act(self, view, legal):
        return legal[{place}]


if __name__ == "__main__":
    run(Mine)
"""
MUTE = """class Mute(Exception):
    def __str__(self):
        raise KeyError

raise Mute
"""
SHORT = ("--variant", "double", "--sets", "2", "--seed", "ab" * 32)


def write_bot(folder: Path, *, place: int = 0) -> Path:
    file = folder / "mine.py"
    file.write_text(BOT.format(place=place))
    return file


def test_python_bots_play_in_this_process(arena: InProcess, tmp_path: Path) -> None:
    mine = write_bot(tmp_path)
    done = arena("match", "--bot", mine, "random", *SHORT, "--in-process", "--json")
    assert done.code == 0, done
    report = json.loads(done.out)
    assert [bot["name"] for bot in report["bots"]].count("mine") == 1
    assert (report["finished"], report["complete"]) == (2, True)


def test_records_are_written_and_hold(arena: InProcess, tmp_path: Path) -> None:
    out = tmp_path / "records"
    mine = write_bot(tmp_path)
    assert arena("match", mine, "counting", *SHORT, "--in-process", "--out", out).code == 0
    assert arena("record", "verify", out, "--seed", "ab" * 32).code == 0


@pytest.mark.parametrize(
    ("bots", "code", "sentence"),
    [
        (["sh -c true", "random"], 2, "is no Python file, and --in-process plays nothing else"),
        (["{folder}/empty.py", "random"], 2, "has no class that derives from arena.sdk.Bot"),
        (["{folder}/typo.py", "random"], 1, "typo: cannot be loaded: SyntaxError"),
        (["{folder}/exits.py", "random"], 1, "exits: cannot be loaded: SystemExit: 7"),
        (["{folder}/base.py", "random"], 1, "base: cannot be loaded: BaseException: x"),
        (["{folder}/mute.py", "random"], 1, "mute: cannot be loaded: Mute: its text cannot be"),
        (["{folder}/plays_base.py", "random"], 1, "an error of a bot: BaseException: x"),
        (["{folder}/leaves.py", "random"], 1, "ended by an error of a bot: SystemExit: 0"),
        (["{folder}/broken.py", "random"], 1, "ended by an error of a bot: KeyError: 'gone'"),
    ],
)
def test_what_cannot_be_played_here_is_named(
    arena: InProcess, tmp_path: Path, bots: list[str], code: int, sentence: str
) -> None:
    (tmp_path / "empty.py").write_text("\n")
    (tmp_path / "typo.py").write_text("def act()\n")
    (tmp_path / "exits.py").write_text("import sys; sys.exit(7)\n")
    (tmp_path / "base.py").write_text("raise BaseException('x')\n")
    (tmp_path / "mute.py").write_text(MUTE)
    (tmp_path / "plays_base.py").write_text(BOT.replace("return", "raise BaseException('x')  #"))
    (tmp_path / "leaves.py").write_text(BOT.format(place="exit(0)"))
    broken = BOT.format(place="{}['gone']")
    (tmp_path / "broken.py").write_text(broken)
    named = [bot.format(folder=tmp_path) for bot in bots]
    done = arena("match", *named, *SHORT, "--in-process")
    assert done.code == code
    assert sentence in done.err
    if code == 2:
        assert_refused(done, code, sentence)


@pytest.mark.parametrize("more", [("--out", "records"), ("--json",)])
def test_reload_keeps_nothing(arena: InProcess, tmp_path: Path, more: tuple[str, ...]) -> None:
    done = arena("match", write_bot(tmp_path), "random", "--reload", *more)
    assert done.code == 2
    assert f"--reload and {more[0]} do not go together" in done.err
    assert "commitment" not in done.err


def test_reload_says_which_bots_it_does_not_watch(
    arena: InProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_reload, "play_again_and_again", lambda play, files: None)
    mine = write_bot(tmp_path)
    done = arena("match", "other=sh -c true", mine, *SHORT, "--reload")
    told = "--reload plays again when Python files change, and other has none"
    assert (done.code, done.err) == (0, f"{told}: build it, and start the match again\n")
    assert_refused(
        arena("match", "other=sh -c true", "x=sh", "--reload"), 2, "and other and x have"
    )


def test_a_traceback_has_the_lines_of_the_bot_alone(arena: InProcess, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(BOT.format(place="{}['gone']"))
    done = arena("match", tmp_path / "broken.py", "random", *SHORT, "--in-process")
    assert [line.strip() for line in done.error_lines[1:]] == [
        "Traceback (most recent call last):",
        f'File "{tmp_path}/broken.py", line 6, in act',
        "return legal[{}['gone']]",
        "~~^^^^^^^^",
        "KeyError: 'gone'",
    ]


class Editor:
    """Stands in for the time between two looks: each look something else is done to the files."""

    def __init__(self, *edits: Callable[[], object]) -> None:
        self.edits = list(edits)

    def pause(self, seconds: float) -> None:
        assert seconds == match_reload.SECONDS
        if not self.edits:
            raise KeyboardInterrupt
        self.edits.pop(0)()


def test_the_match_is_played_again_when_the_bot_changes(
    arena: InProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = write_bot(tmp_path)
    editor = Editor(
        lambda: None,
        lambda: mine.write_text("def act()\n"),
        lambda: write_bot(tmp_path, place=-1),
        lambda: (tmp_path / "beside.py").write_text("X = 1\n"),
    )

    def edited(play: Callable[[], Report], files: list[Path]) -> None:
        play_again_and_again(play, files, editor.pause)

    monkeypatch.setattr(match_reload, "play_again_and_again", edited)
    done = arena("match", "--bot", mine, "first_legal", *SHORT, "--in-process", "--reload")
    assert done.code == 0, done
    tables = [line for line in done.out.splitlines() if line.startswith("seed")]
    assert tables == [f"seed       {'ab' * 32}"] * 3
    changes = [line for line in done.out.splitlines() if "\N{RIGHTWARDS ARROW}" in line]
    # The second match failed; the third is compared with the first, the fourth is like the third.
    assert [line.split(":")[0] for line in changes] == ["first_legal", "mine"] * 2
    assert "(+0.00)" not in changes[1]
    assert "(+0.00)" in changes[3]
    assert "-" not in changes[1].partition("W-D-L")[0]
    assert "error: mine: cannot be loaded: SyntaxError" in done.err
    changed = [line for line in done.err.splitlines() if line.startswith("changed")]
    assert changed == ["changed mine.py", "changed mine.py", "changed beside.py"]


def test_files_that_come_and_go_are_changes(tmp_path: Path) -> None:
    before = stamp_of([tmp_path])
    mine = write_bot(tmp_path)
    (tmp_path / "notes.txt").write_text("no Python")
    assert wait_for_change([tmp_path], before, Editor().pause) == [mine]
    with_it = stamp_of([tmp_path])
    assert wait_for_change([tmp_path], with_it, Editor(mine.unlink).pause) == [mine]


def test_links_that_go_round_are_told_and_waited_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link = tmp_path / "round.py"
    link.symlink_to(link)
    before = stamp_of([tmp_path])

    def mend() -> None:
        link.unlink()
        link.write_text("")

    assert wait_for_change([tmp_path], before, Editor(lambda: None, mend).pause) == [link]
    told = capsys.readouterr().err.splitlines()
    assert told[0].startswith(f"{link} cannot be looked at: ")
    assert len(told) == 2


def test_an_error_of_the_system_does_not_end_the_watch(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def play() -> Report:
        raise OSError(5, "no disk", "mine.py")

    play_again_and_again(play, [tmp_path / "mine.py"], Editor().pause)
    assert "error: mine.py: no disk" in capsys.readouterr().err


def test_what_fails_in_a_group_is_told_and_waited_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = write_bot(tmp_path)
    failures = [
        ExceptionGroup("start", [CliError("mine: a typing error", code=1)]),
        CliError("mine.py is gone"),
        ExceptionGroup("ours", [KeyError("x")]),
    ]

    def play() -> Report:
        raise failures.pop(0)

    editor = Editor(mine.unlink, lambda: write_bot(tmp_path))
    with pytest.raises(ExceptionGroup, match="ours"):
        play_again_and_again(play, [mine], editor.pause)
    told = capsys.readouterr().err.splitlines()
    assert [line for line in told if line.startswith("error")] == [
        "error: mine: a typing error",
        "error: mine.py is gone",
    ]
