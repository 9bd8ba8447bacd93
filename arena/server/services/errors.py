"""Refusals of calls: a status code, a sentence for people, details for programs."""

from __future__ import annotations

import grpc
from google.protobuf.any_pb2 import Any
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

DOMAIN = "arena.bid-euchre"
"""Who defines the reasons in ErrorInfo."""


class CallError(Exception):
    """The call ends with this status.

    Args:
        code: the status code.
        sentence: what is wrong and what to do.
        reason: the same for programs, upper case with underscores.
        field: the field of the request that is at fault, empty where it is none.
        retry_ms: when the same call may succeed, None where it will not.
    """

    def __init__(
        self,
        code: grpc.StatusCode,
        sentence: str,
        *,
        reason: str,
        field: str = "",
        retry_ms: int | None = None,
    ) -> None:
        super().__init__(sentence)
        self.code = code
        self.reason = reason
        self.field = field
        self.retry_ms = retry_ms

    def status(self) -> status_pb2.Status:
        """The rich form of the status."""
        details: list[Message] = [error_details_pb2.ErrorInfo(reason=self.reason, domain=DOMAIN)]
        if self.field:
            violation = error_details_pb2.BadRequest.FieldViolation(
                field=self.field, description=str(self)
            )
            details.append(error_details_pb2.BadRequest(field_violations=[violation]))
        if self.retry_ms is not None:
            retry = error_details_pb2.RetryInfo()
            retry.retry_delay.FromMilliseconds(self.retry_ms)
            details.append(retry)
        number: int = self.code.value[0]
        return status_pb2.Status(code=number, message=str(self), details=map(_packed, details))


def invalid(field: str, sentence: str) -> CallError:
    """A field breaks its bounds; the sentence does not name it."""
    return CallError(
        grpc.StatusCode.INVALID_ARGUMENT, f"{field}: {sentence}", reason="INVALID", field=field
    )


def not_found(sentence: str) -> CallError:
    """What the call names is not there."""
    return CallError(grpc.StatusCode.NOT_FOUND, sentence, reason="NOT_FOUND")


def denied(sentence: str) -> CallError:
    """The token is good, but not for this."""
    return CallError(grpc.StatusCode.PERMISSION_DENIED, sentence, reason="ROLE")


def conflict(sentence: str) -> CallError:
    """A name or id is taken."""
    return CallError(grpc.StatusCode.ALREADY_EXISTS, sentence, reason="CONFLICT")


def not_now(sentence: str) -> CallError:
    """What the call names is not in the right state."""
    return CallError(grpc.StatusCode.FAILED_PRECONDITION, sentence, reason="WRONG_STATE")


def too_much(sentence: str, *, retry_ms: int) -> CallError:
    """A limit is reached; the sentence does not say when to come again."""
    return CallError(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        f"{sentence}: try again in {_seconds(retry_ms)} s",
        reason="LIMIT",
        retry_ms=retry_ms,
    )


def _seconds(milliseconds: int) -> str:
    return f"{-(-milliseconds // 100) / 10:g}"


def _packed(detail: Message) -> Any:
    packed = Any()
    packed.Pack(detail)
    return packed
