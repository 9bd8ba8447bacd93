"""The outermost boundary of every call: errors become statuses, bugs of ours become numbers.

Without it grpc.aio sends the text of an unforeseen exception to the caller: paths, tokens, all.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final, NoReturn, TypeAlias, cast

import grpc
from google.protobuf.message import DecodeError
from google.rpc import status_pb2
from grpc_status import rpc_status

from arena.events import Event, event_log, new_error_id
from arena.hosting.room import NO_ROOM, is_no_room
from arena.server.admission import Tokens
from arena.server.services.access import Context, shown_token
from arena.server.services.errors import CallError, conflict, not_found, not_now
from arena.server.services.turnstile import Turnstile
from arena.store import Conflict, StoreError, Unknown, Unusable

OWN_METHODS: Final = "/arena.v1."
"""The methods whose calls are counted; those of health and reflection are not."""
PLAY: Final = f"{OWN_METHODS}RefereeService/Play"
"""Streams of this one the door counts."""

Behaviour = Callable[[Any, Any], Any]
"""A coroutine function, or one that generates responses, as that of reflection."""
Parser = Callable[[bytes], Any]
Meeting = Callable[[Context], Awaitable[None]]
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"

log = event_log(__name__)


class Boundary(grpc.aio.ServerInterceptor):
    """Guards every method, those of health and reflection too: they read what anybody sends.

    Args:
        turnstile: what every call of ours but those of Play passes, streams too.
        tokens: those that are known; who shows another in the metadata is looked for first.
    """

    def __init__(self, turnstile: Turnstile, tokens: Tokens) -> None:
        self._turnstile = turnstile
        self._tokens = tokens

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """The guarded handler of a call."""
        handler = await continuation(handler_call_details)
        if handler is None:
            return None
        return self._guarded(handler, handler_call_details.method)

    def _guarded(self, handler: Handler, method: str) -> Handler:
        """A handler of the same kind around the handler; grpc refuses one of another kind."""
        kinds: dict[tuple[bool, bool], tuple[object, Callable[..., Handler]]] = {
            (False, False): (handler.unary_unary, grpc.unary_unary_rpc_method_handler),
            (False, True): (handler.unary_stream, grpc.unary_stream_rpc_method_handler),
            (True, False): (handler.stream_unary, grpc.stream_unary_rpc_method_handler),
            (True, True): (handler.stream_stream, grpc.stream_stream_rpc_method_handler),
        }
        behaviour, make = kinds[handler.request_streaming, handler.response_streaming]
        parse = _parser(cast("Parser", handler.request_deserializer))
        behave = cast("Behaviour", behaviour)
        # A stream's behaviour reads inside its guard; a single request would be parsed outside.
        streams = handler.request_streaming
        if not streams:
            counts = method.startswith(OWN_METHODS)
            behave = self._counted(behave, parse) if counts else _parsed(behave, parse)
        elif method.startswith(OWN_METHODS) and method != PLAY:
            behave = self._streamed(behave)
        guard = _generator if inspect.isasyncgenfunction(behave) else _behaviour
        return make(
            guard(behave, method, self._meet),
            request_deserializer=parse if streams else None,
            response_serializer=handler.response_serializer,
        )

    async def _meet(self, context: Context) -> None:
        token = shown_token(context)
        if token is not None:
            await self._tokens.meet(token)

    def _counted(self, behaviour: Behaviour, parse: Parser) -> Behaviour:
        """A behaviour whose calls are counted, and whose request is parsed after that."""

        async def counted(request: bytes, context: grpc.aio.ServicerContext[Any, Any]) -> Any:
            with self._turnstile.passing(context):
                return await behaviour(parse(request), context)

        return counted

    def _streamed(self, behaviour: Behaviour) -> Behaviour:
        """A behaviour whose streams are counted."""

        async def streamed(
            requests: AsyncIterator[Any], context: grpc.aio.ServicerContext[Any, Any]
        ) -> AsyncIterator[Any]:
            with self._turnstile.streaming(context):
                async with contextlib.aclosing(behaviour(requests, context)) as responses:
                    async for response in responses:
                        yield response

        return streamed


def _parsed(behaviour: Behaviour, parse: Parser) -> Behaviour:
    async def parsed(request: bytes, context: grpc.aio.ServicerContext[Any, Any]) -> Any:
        return await behaviour(parse(request), context)

    return parsed


def _parser(deserialise: Parser) -> Parser:
    """A parser that tells the caller, and not our log, of bytes that are no message."""

    def parse(data: bytes) -> Any:
        try:
            return deserialise(data)
        except DecodeError as error:
            sentence = "the bytes are no message of the type that this method takes"
            raise CallError(
                grpc.StatusCode.INVALID_ARGUMENT, sentence, reason="MALFORMED"
            ) from error

    return parse


def _behaviour(behaviour: Behaviour, method: str, meet: Meeting) -> Behaviour:
    async def guarded(request: Any, context: Context) -> Any:
        try:
            await meet(context)
            return await behaviour(request, context)
        except grpc.aio.BaseError:
            raise  # the status is set already, or the call is gone
        except Exception as error:  # the boundary: below here its text would be sent
            status = explain(error, method)
        return await _abort(context, status)

    return guarded


def _generator(behaviour: Behaviour, method: str, meet: Meeting) -> Behaviour:
    async def guarded(request: Any, context: Context) -> AsyncIterator[Any]:
        try:
            await meet(context)
            async for response in behaviour(request, context):
                yield response
            return
        except grpc.aio.BaseError:
            raise
        except Exception as error:
            status = explain(error, method)
        await _abort(context, status)

    return guarded


async def _abort(
    context: grpc.aio.ServicerContext[Any, Any], status: status_pb2.Status
) -> NoReturn:
    await context.abort_with_status(rpc_status.to_status(status))


def explain(error: Exception, method: str) -> status_pb2.Status:
    """The status of an error; one that nobody foresaw is logged under a number."""
    known = error if isinstance(error, CallError) else _of_other_rooms(error, method)
    if known is not None:
        return known.status()
    number = new_error_id()
    log.error(Event.BUG, place=method, error_id=number, exc_info=error)
    return CallError(
        grpc.StatusCode.INTERNAL,
        f"the arena has made a mistake, number {number} in its log",
        reason="BUG",
    ).status()


def _of_other_rooms(error: Exception, method: str) -> CallError | None:
    match error:
        case OSError() if is_no_room(error):
            log.error(Event.NO_ROOM, place=method, reason=str(error))
            return CallError(grpc.StatusCode.UNAVAILABLE, NO_ROOM, reason="NO_ROOM")
        case Unknown():
            return not_found(str(error))
        case Conflict():
            return conflict(str(error))
        case Unusable():
            # The sentence names files: it is for the operator.
            log.error(Event.DATABASE_ERROR, reason=str(error))
            sentence = "the arena's database cannot be used now; its log says why; try again later"
            return CallError(grpc.StatusCode.UNAVAILABLE, sentence, reason="DATABASE")
        case StoreError():
            return not_now(str(error))
        case NotImplementedError():  # what generated code does for a method without behaviour
            sentence = "this server does not have the method"
            return CallError(grpc.StatusCode.UNIMPLEMENTED, sentence, reason="UNIMPLEMENTED")
        case _:
            return None
