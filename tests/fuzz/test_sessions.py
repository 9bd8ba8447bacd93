"""A session is what its model says, after any steps in any order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis.stateful import run_state_machine_as_test

from arena.server.charging import SessionClock
from arena.server.outbox import Outbox
from arena.server.remote import RemoteSeat
from tests.fuzz.efforts import failing, few, many
from tests.fuzz.session_machine import SessionMachine


def test_a_session_does_what_its_model_says() -> None:
    run_state_machine_as_test(SessionMachine, settings=few(60, 40))


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_session_does_what_its_model_says_at_length() -> None:
    run_state_machine_as_test(SessionMachine, settings=many(1200, 80))


# That the machine would see it.

original_reply = RemoteSeat.reply
original_send = Outbox.send_event
original_again = Outbox.send_again
original_spent = SessionClock.spent


def answered_twice(seat: RemoteSeat, reply: Any) -> None:
    take = seat.take
    original_reply(seat, reply)
    if take is not None and reply.__class__.__name__ == "Reply":
        take(reply)


def a_number_left_out(outbox: Outbox) -> tuple[bytes, ...]:
    outbox.sequence += outbox.sequence == 4
    return original_send(outbox)


def an_event_lost_on_resume(outbox: Outbox, in_flight: Any) -> None:
    if outbox._unacknowledged:
        outbox._unacknowledged.pop()
    original_again(outbox, in_flight)


def a_question_lost_on_resume(outbox: Outbox, in_flight: Any) -> None:
    original_again(outbox, list(in_flight)[1:])


def a_charge_below_zero(clock: SessionClock, seat: RemoteSeat) -> tuple[int, int]:
    charged, latency = original_spent(clock, seat)
    return charged - 1, latency


DEFECTS = {
    "a question answered twice": (RemoteSeat, "reply", answered_twice),
    "a sequence number left out": (Outbox, "send_event", a_number_left_out),
    "an event lost on resume": (Outbox, "send_again", an_event_lost_on_resume),
    "a question lost on resume": (Outbox, "send_again", a_question_lost_on_resume),
    "a charge below zero": (SessionClock, "spent", a_charge_below_zero),
}


@pytest.mark.parametrize(("where", "name", "defect"), DEFECTS.values(), ids=DEFECTS)
def test_a_planted_defect_is_found(
    monkeypatch: pytest.MonkeyPatch, where: type, name: str, defect: Callable[..., Any]
) -> None:
    monkeypatch.setattr(where, name, defect)
    with pytest.raises(AssertionError):
        run_state_machine_as_test(SessionMachine, settings=failing(200))
