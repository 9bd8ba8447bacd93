"""What an arena says is one harmless line."""

from __future__ import annotations

import pytest

from arena.sdk.printable import printable
from arena.sdk.program import say


def test_control_characters_are_escaped() -> None:
    assert printable("a\x00\t\r\nb\x1b[31m\x7f\x80\x9b") == (
        r"a\x00\x09\x0d\x0ab\x1b[31m\x7f\x80\x9b"
    )


def test_all_else_stays() -> None:
    text = "the 9♣ of 'Zoë' ~ \u00a0 🂡"
    assert printable(text) == text


def test_a_long_text_is_cut() -> None:
    assert printable("é" * 500) == "é" * 500
    assert printable("é" * 501) == "é" * 500 + "..."


def test_what_is_said_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    say("the arena says: \x1b[2J\nall is well")
    assert capsys.readouterr().err == "the arena says: \\x1b[2J\\x0aall is well\n"
