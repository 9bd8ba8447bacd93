"""What a person is told of a submission while it goes on."""

from __future__ import annotations

import pytest

from arena.cli.submission_text import Told
from arena.v1 import bot_service_pb2 as pb


def test_who_joins_again_is_told_so_each_time(capsys: pytest.CaptureFixture[str]) -> None:
    told = Told("tutor", as_json=False)
    for _ in range(2):
        told.joining(60)
        told.joining(60)
        told.joined()
    lost, back = "has lost the arena, and joins again within 60 s", "has joined again: "
    said = capsys.readouterr().err.splitlines()
    assert [line.removeprefix("tutor ")[: len(lost)] for line in said][::2] == [lost] * 2
    assert all(back in line for line in said[1::2])


def test_who_leaves_is_told_where_to_look(capsys: pytest.CaptureFixture[str]) -> None:
    told = Told("tutor", as_json=False)
    told.leave("arena bot logs tutor --build")
    assert capsys.readouterr().err == ""
    told.hear(pb.SubmitBotResponse(received=pb.SubmissionReceived(submission="submissions/3")))
    told.leave("arena bot logs tutor --build")
    said = capsys.readouterr().err.splitlines()
    assert said[-1] == "submissions/3 goes on without you: arena bot logs tutor --build"


@pytest.mark.parametrize(
    ("ahead", "worked", "words"),
    [
        (1, 0, "waits for 1 other"),
        (3, 0, "waits for 3 others"),
        (1, 59, "waits for 1 other; that one has been worked on for 59 s"),
        (2, 130, "waits for 2 others; one of them has been worked on for 2 min 10 s"),
    ],
)
def test_who_waits_is_told_for_whom_and_how_long(
    capsys: pytest.CaptureFixture[str], ahead: int, worked: int, words: str
) -> None:
    told = Told("tutor", as_json=False)
    waiting = pb.SubmissionWaiting(ahead=ahead, worked_seconds=worked)
    assert told.hear(pb.SubmitBotResponse(waiting=waiting)) is None
    assert capsys.readouterr().err == f"tutor {words}\n"
