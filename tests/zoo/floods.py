"""Floods, and what is too large.

They speak through the other, blocking client of gRPC: in grpc.aio a write that is under way when
the stream ends hides the status with which the arena has ended it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import repeat

import grpc

from arena.v1 import referee_pb2, referee_pb2_grpc
from tests.server.client import PROTOCOL

FOREVER = 1000.0
MEGABYTE = 1_000_000
NEVER_ASKED = 1_000_000

Requests = Iterable[referee_pb2.PlayRequest]


def answers_to_nothing() -> Requests:
    """Many answers at a time to what was never asked."""
    answers = [referee_pb2.Answer(decision_id=NEVER_ASKED)] * 100
    return repeat(referee_pb2.PlayRequest(answers=referee_pb2.Answers(answers=answers)))


def empty_lists() -> Requests:
    """No answer at a time."""
    return repeat(referee_pb2.PlayRequest(answers=referee_pb2.Answers()))


def nothing() -> Requests:
    """Messages without an arm."""
    return repeat(referee_pb2.PlayRequest())


def five_megabytes() -> Requests:
    """One message."""
    return [referee_pb2.PlayRequest(goodbye=referee_pb2.Goodbye(text="x" * (5 * MEGABYTE)))]


POURS: dict[str, tuple[Callable[[], Requests], bool]] = {
    "floods_answers": (answers_to_nothing, True),
    "floods_answers_unread": (answers_to_nothing, False),
    "floods_empty_lists": (empty_lists, True),
    "floods_nothing": (nothing, True),
    "floods_nothing_unread": (nothing, False),
    "sends_five_megabytes": (five_megabytes, True),
}
"""What is sent, and whether what comes meanwhile is read."""


def pour(address: str, token: str, requests: Requests, *, reads: bool) -> Iterator[str]:
    """Send all this from the first question on; what is to be told of it."""
    asked = threading.Event()

    def say_all() -> Iterator[referee_pb2.PlayRequest]:
        hello = referee_pb2.Hello(
            token=token, protocol_version=PROTOCOL, chair=referee_pb2.CHAIR_FIRST, tables=2
        )
        yield referee_pb2.PlayRequest(hello=hello)
        asked.wait()
        yield from requests

    with grpc.insecure_channel(address, options=(("grpc.enable_http_proxy", 0),)) as channel:
        call = referee_pb2_grpc.RefereeServiceStub(channel).Play(say_all())
        try:
            for response in call:
                if response.HasField("welcome"):
                    yield "ready"
                if any(item.HasField("decision") for item in response.items.items):
                    asked.set()
                    if not reads:
                        time.sleep(FOREVER)
        except grpc.RpcError as error:
            yield f"ended {error.code().name}: {error.details()}"
