"""The door of Play: strangers, those who say nothing, those who say too much, and a full house."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import grpc
import pytest

from arena.ids import VersionId
from arena.referee.clock import ManualClock
from arena.server.admission import Admission, Bearer, Chair, Lane, Place, token_hash
from arena.server.door import Door
from arena.server.limits import LOCAL, Limits, Rate
from arena.server.lobby import Lobby
from arena.server.pulse import Pulse
from arena.server.refused import StreamRefused
from arena.store import Role
from tests.hosting.bots import until
from tests.server.hall import ANN, PLACES, Hall, open_hall, token_of

EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED
FAR = "192.0.2.7"


class Porter:
    """A door on a clock that stands still, and one bot that it knows."""

    def __init__(self, limits: Limits) -> None:
        self.clock = ManualClock()
        lobby = Lobby(Pulse(self.clock))
        lobby.tokens.add(token_hash("ann's"), ANN)
        lobby.tokens.set_people([(token_hash("olga's"), Bearer("olga", Role.ONLOOKER))])
        self.door = Door(lobby, limits)

    def hears(self, token: str, peer: str = FAR) -> grpc.StatusCode | None:
        """What whoever shows the token is told; None where it may come in."""
        try:
            self.door.knock(token, peer)
        except StreamRefused as error:
            return error.status
        return None


async def test_unknown_tokens_are_refused_more_and_more_curtly() -> None:
    porter = Porter(Limits(strangers=Rate(2, 3)))
    assert [porter.hears("x") for _ in range(4)] == [*[UNAUTHENTICATED] * 3, EXHAUSTED]
    assert porter.hears("ann's") is None, "who has a token does not pay for others"
    assert porter.hears("x", "192.0.2.8") is UNAUTHENTICATED
    await porter.clock.advance(500_000)
    assert [porter.hears("x") for _ in range(2)] == [UNAUTHENTICATED, EXHAUSTED]


def test_on_a_unix_socket_nobody_is_a_stranger() -> None:
    porter = Porter(Limits(strangers=Rate(1, 1)))
    assert {porter.hears("x", LOCAL) for _ in range(5)} == {UNAUTHENTICATED}


async def test_a_bot_may_not_come_and_go_without_end() -> None:
    porter = Porter(Limits(hellos=Rate(1, 2)))
    assert [porter.hears("ann's") for _ in range(3)] == [None, None, EXHAUSTED]
    with pytest.raises(StreamRefused, match=r"too often: try again in 1 s") as refused:
        porter.door.knock("ann's", FAR)
    assert [key for key, _ in refused.value.trailing] == ["grpc-status-details-bin"]
    await porter.clock.advance(1_000_000)
    assert porter.hears("ann's") is None


def test_a_person_is_told_that_bots_have_their_own_tokens() -> None:
    with pytest.raises(
        StreamRefused, match="the token of an onlooker: a bot plays with a token of"
    ):
        Porter(Limits()).door.knock("olga's", FAR)
    assert Porter(Limits()).hears("olga's") is grpc.StatusCode.PERMISSION_DENIED


@pytest.mark.parametrize(
    ("peers", "next_one", "welcome"),
    [
        ([FAR, FAR], FAR, False),
        ([FAR, FAR], "192.0.2.8", True),
        ([LOCAL, LOCAL], LOCAL, True),
        ([FAR, LOCAL, LOCAL], LOCAL, False),
        ([FAR], FAR, True),
    ],
    ids=[
        "as many as one address may have",
        "another address",
        "a unix socket has no number of its own",
        "as many as there may be",
        "there is room",
    ],
)
def test_only_so_many_wait_without_a_word(
    peers: list[str], next_one: str, *, welcome: bool
) -> None:
    door = Porter(Limits(waiting=3, waiting_of_peer=2)).door
    standing = [door.waiting(peer) for peer in peers]
    for one in standing:
        one.__enter__()
    if welcome:
        with door.waiting(next_one):
            pass
    else:
        with pytest.raises(StreamRefused) as refused, door.waiting(next_one):
            pass
        assert refused.value.status is EXHAUSTED
    for one in standing:
        one.__exit__(None, None, None)
    with door.waiting(next_one):
        assert sum(door._waiting.values()) == 1, "who has gone in stands there no more"


# Over real streams.


@pytest.fixture
async def small() -> AsyncIterator[Hall]:
    """A hall for two sessions, with one stream at its door."""
    async with open_hall(limits=Limits(sessions=2, waiting=1, calls=1)) as hall:
        yield hall


async def test_a_full_house_takes_nobody_until_somebody_leaves(small: Hall) -> None:
    first, _ = [await small.joined(place) for place in PLACES[:2]]
    third = small.client()
    await third.say_hello(token_of(1), chair=int(Chair.SECOND), lane=int(Lane.A))
    code, sentence = await third.ends()
    assert (code, sentence) == (
        EXHAUSTED,
        "the arena has 2 sessions, as many as it takes: try again in 10 s",
    )
    await first.goodbye()
    await first.ends()
    await small.joined(PLACES[2])


async def test_a_bot_that_the_arena_starts_always_gets_in(small: Hall) -> None:
    for place in PLACES[:2]:
        await small.joined(place)
    own = Admission(VersionId(3), "own", "1", chair=Chair.FIRST, lane=Lane.A, hosted=True)
    small.arena.lobby.tokens.add(token_hash("own"), own)
    await small.client().hello("own")
    assert len(small.arena.lobby.sessions()) == 3


async def test_who_was_lost_without_a_game_makes_room(small: Hall) -> None:
    first, _ = [await small.joined(place) for place in PLACES[:2]]
    lost = small.session(PLACES[0])
    await first.hang_up()
    await until(lambda: not lost.connected)
    await small.joined(PLACES[2])
    assert small.arena.lobby.by_token(lost.token) is None


async def test_who_was_lost_in_a_game_keeps_its_place() -> None:
    async with open_hall(limits=Limits(sessions=4)) as hall:
        clients = await hall.four()
        hall.begin()
        await clients[0].until("game_start")
        lost = hall.session(PLACES[0])
        await clients[0].hang_up()
        await until(lambda: not lost.connected)
        hall.arena.lobby.tokens.add(token_hash("late"), Admission(VersionId(3), "late", "1"))
        late = hall.client()
        await late.say_hello("late")
        assert (await late.ends())[0] is EXHAUSTED
        back = hall.client()
        welcome = await back.hello(token_of(1), session_token=lost.token)
        assert welcome.resumed


async def test_a_stream_that_says_nothing_keeps_others_out_only_while_it_stands_there(
    small: Hall,
) -> None:
    silent = small.client()
    await silent.call.initial_metadata()
    other = small.client()
    assert (await other.ends())[0] is EXHAUSTED
    await silent.hello(token_of(1))
    await small.joined(PLACES[1])


async def test_more_streams_than_all_limits_together_are_refused_before_they_are_looked_at() -> (
    None
):
    limits = Limits(sessions=1, hosted=0, waiting=1, calls=0, streams=0)
    async with open_hall(limits=limits) as hall:
        await hall.joined(PLACES[0])
        silent = hall.client()
        await silent.call.initial_metadata()
        for _ in range(3):  # grpc once forgot its limit after the first refusals (grpc#41531)
            streams = [hall.client() for _ in range(8)]
            ended = await asyncio.gather(*(one.ends() for one in streams))
            assert set(ended) == {(EXHAUSTED, "Concurrent RPC limit exceeded!")}


async def test_only_so_many_connections_are_taken() -> None:
    async with open_hall(limits=Limits(connections=1)) as hall:
        first = await hall.joined(PLACES[0])
        second = hall.client()
        assert (await second.ends())[0] is grpc.StatusCode.UNAVAILABLE
        await first.goodbye()
        assert (await first.ends())[0] is grpc.StatusCode.OK


# Revoking.


async def test_a_session_whose_token_is_revoked_is_cut_off(hall: Hall) -> None:
    clients = await hall.four()
    (game,) = hall.begin()
    hall.playing(clients[1:])
    await clients[0].decision()
    session = hall.session(PLACES[0])
    hall.arena.lobby.tokens.remove(token_hash(token_of(1)))
    hall.arena.lobby.left(session, "its token was revoked")
    code, sentence = await clients[0].ends()
    assert code is UNAUTHENTICATED
    assert sentence == "the token of this bot has been revoked; ask the organiser for a new one"
    again = hall.client()
    await again.say_hello(token_of(1), session_token=session.token)
    assert await again.ends() == (UNAUTHENTICATED, "the token is not known")
    record = await game
    assert record.ending.kind.name == "DISCONNECT"
    assert hall.arena.lobby.find(Place(VersionId(1), Chair.FIRST, Lane.A)) is None


async def test_a_stream_that_ends_in_order_is_not_told_of_tokens(hall: Hall) -> None:
    client = await hall.joined(PLACES[0])
    await client.goodbye()
    assert await client.ends() == (grpc.StatusCode.OK, "")
