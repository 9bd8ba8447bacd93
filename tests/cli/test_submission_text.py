"""What a person is told of a submission while it goes on."""

from __future__ import annotations

import pytest

from arena.cli.submission_text import Told
from arena.v1 import bot_service_pb2 as pb


@pytest.mark.parametrize(
    ("ahead", "words"), [(1, "ann waits for 1 other\n"), (2, "ann waits for 2 others\n")]
)
def test_the_place_is_told(capsys: pytest.CaptureFixture[str], ahead: int, words: str) -> None:
    told = Told("ann", as_json=False)
    told.hear(pb.SubmitBotResponse(waiting=pb.SubmissionWaiting(ahead=ahead)))
    assert capsys.readouterr().err == words
