"""Requests that write: what makes a repeat known, and their fields as values of other rooms."""

from __future__ import annotations

import hashlib
from typing import Final, TypeVar

from google.protobuf.message import Message

from arena.referee.policy import OnForfeit, Policy, PolicyError, TimeControl
from arena.rules import Variant, VariantError
from arena.rules.deal import parse_seed
from arena.rules.errors import DealError, RulesError
from arena.rules.variants import CLASSIC
from arena.schedule.settings import Restart, Settings
from arena.server.services.errors import invalid
from arena.store import Rejected, Request
from arena.store.values import check_name
from arena.v1 import tournament_service_pb2 as pb
from arena.wire.enums import UnknownValue
from arena.wire.variants import read_variant

T = TypeVar("T", int, bool)

_FORFEITS: Final = {
    pb.FORFEIT_POLICY_UNSPECIFIED: OnForfeit.LOSE,
    pb.FORFEIT_POLICY_LOSE: OnForfeit.LOSE,
    pb.FORFEIT_POLICY_STAND_IN: OnForfeit.STAND_IN,
}
_RESTARTS: Final = {
    pb.RESTART_POLICY_UNSPECIFIED: Restart.FAILURE,
    pb.RESTART_POLICY_FAILURE: Restart.FAILURE,
    pb.RESTART_POLICY_GAME: Restart.GAME,
}


def request_of(method: str, request_id: str, message: Message) -> Request:
    """The request that a repeat is compared with.

    Raises:
        CallError: the id is none.
    """
    content = message.SerializeToString(deterministic=True)
    try:
        return Request(method, request_id, hashlib.sha256(content).hexdigest())
    except Rejected as error:
        raise invalid("request_id", str(error)) from error


def read_name(field: str, text: str, what: str) -> str:
    """A name of a bot, owner, version or tournament.

    Raises:
        CallError: it is none.
    """
    try:
        check_name(text, what)
    except Rejected as error:
        raise invalid(field, str(error)) from error
    return text


def read_seed(text: str) -> bytes:
    """A seed of 64 hexadecimal digits.

    Raises:
        CallError: it is none.
    """
    try:
        return parse_seed(text)
    except DealError as error:
        raise invalid("seed", str(error)) from error


def read_rules(request: pb.CreateTournamentRequest) -> Variant:
    """The variant of a tournament.

    Raises:
        CallError: it makes no sense.
    """
    if not request.HasField("variant"):
        return CLASSIC
    try:
        return read_variant(request.variant)
    except (VariantError, UnknownValue, RulesError) as error:
        raise invalid("variant", str(error)) from error


def read_settings(message: pb.TournamentSettings) -> Settings:
    """How a tournament is played; what is absent has its default.

    Raises:
        CallError: a field is out of its bounds.
    """
    on_forfeit = _FORFEITS.get(message.on_forfeit)
    if on_forfeit is None:
        raise invalid("settings.on_forfeit", f"{message.on_forfeit} is none of its values")
    restart = _RESTARTS.get(message.restart)
    if restart is None:
        raise invalid("settings.restart", f"{message.restart} is none of its values")
    defaults = Settings()
    policy, time = defaults.policy, defaults.policy.time

    def given(field: str, default: T) -> T:
        return getattr(message, field) if message.HasField(field) else default  # type: ignore[arg-type]

    try:
        return Settings(
            rounds=given("rounds", defaults.rounds),
            sets=given("sets", defaults.sets),
            mirror=given("mirror", defaults.mirror),
            policy=Policy(
                time=TimeControl(
                    bank_ms=given("bank_ms", time.bank_ms),
                    increment_ms=given("increment_ms", time.increment_ms),
                    decision_ms=given("decision_ms", time.decision_ms),
                    startup_ms=given("startup_ms", time.startup_ms),
                ),
                max_faults=given("max_faults", policy.max_faults),
                on_forfeit=on_forfeit,
                reveal_names=given("reveal_names", policy.reveal_names),
            ),
            restart=restart,
        )
    except PolicyError as error:
        field = str(error).split(" ", 1)[0]
        raise invalid(f"settings.{field}", str(error)) from error
