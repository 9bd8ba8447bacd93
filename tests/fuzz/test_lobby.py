"""One live session a place and every stream counted back, whoever comes and goes."""

from __future__ import annotations

import pytest
from hypothesis.stateful import run_state_machine_as_test

from arena.referee.seat import FaultKind
from arena.server.lobby import Lobby
from arena.server.sessions import Session
from tests.fuzz.efforts import failing, few, many
from tests.fuzz.lobby_machine import LobbyMachine


def test_a_lobby_knows_who_is_there() -> None:
    run_state_machine_as_test(LobbyMachine, settings=few(60, 40))


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_lobby_knows_who_is_there_at_length() -> None:
    run_state_machine_as_test(LobbyMachine, settings=many(600, 80))


def test_a_session_that_stays_known_after_its_end_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def half_left(_: Lobby, session: Session, sentence: str) -> None:
        session.leave(FaultKind.DISCONNECT, sentence)

    monkeypatch.setattr(Lobby, "_forget", half_left)
    with pytest.raises(AssertionError):
        run_state_machine_as_test(LobbyMachine, settings=failing(60))
