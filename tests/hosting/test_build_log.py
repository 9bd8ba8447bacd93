"""What a build says: the end of it is kept, the newest of it told."""

from __future__ import annotations

from collections.abc import Sequence

from arena.hosting.build_log import LEFT_OUT, MOST_KEPT, MOST_LINE, MOST_LINES, BuildLog


def test_a_log_keeps_its_end() -> None:
    log = BuildLog()
    line = b"x" * 1000 + b"\n"
    for _ in range(2 * MOST_KEPT // 1000):
        log.add(line)
    log.say("the end")
    text = log.text()
    assert text.startswith("[the beginning is not kept]\n")
    assert text.endswith("x\nthe end\n")
    assert MOST_KEPT - 2000 < len(text) < MOST_KEPT + 100


def test_what_is_for_a_terminal_alone_is_left_out() -> None:
    heard: list[str] = []
    log = BuildLog(heard.extend)
    log.add(b"\x1b[0m\x1b[1;31merror\x1b[0m: \x1b[38;5;9mno\x1b[K such file\x1b(B\n")
    log.add(b"\x1b]8;;http://x\x1b\\link\x1b]8;;\x07 [0m\n")
    log.close()
    assert heard == ["error: no such file", "link [0m"]
    assert log.text() == "error: no such file\nlink [0m\n"


def test_lines_are_told_as_they_come_and_long_ones_in_pieces() -> None:
    heard: list[str] = []
    log = BuildLog(heard.extend)
    log.add(b"on")
    log.tell()
    assert heard == []
    log.add(b"e\r\n\ntwo\xff\n" + b"y" * (MOST_LINE + 5))
    log.tell()
    assert heard == ["one", "", "two\ufffd", "y" * MOST_LINE]
    log.close()
    assert heard[4:] == ["y" * 5]
    assert log.text() == f"one\n\ntwo\ufffd\n{'y' * (MOST_LINE + 5)}\n"


def test_of_a_flood_the_newest_lines_are_told_and_seldom() -> None:
    batches: list[Sequence[str]] = []
    log = BuildLog(batches.append)
    for _ in range(100):
        log.add(b"\n" * 65536)
    log.add(b"the end\n")
    assert batches == [], "nothing is looked at while it comes"
    log.tell()
    log.tell()
    assert [len(lines) for lines in batches] == [MOST_LINES + 1]
    assert (batches[0][0], batches[0][-2:]) == (LEFT_OUT, ["", "the end"])
    log.add(b"x" * 200 * MOST_LINE + b"\nnext\n")
    log.tell()
    assert batches[1] == [LEFT_OUT, "next"]
    assert log.printed == 100 * 65536 + 8 + 200 * MOST_LINE + 6
    assert len(log.text()) <= MOST_KEPT + 100


def test_what_is_no_text_is_kept_within_the_same_bound() -> None:
    log = BuildLog()
    log.add(b"\xff" * (MOST_KEPT // 2) + b"\n\xff\n")
    assert log.text() == "[the beginning is not kept]\n\ufffd\n"
