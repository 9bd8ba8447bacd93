"""Token buckets on the server's clock, and who counts as one caller."""

from __future__ import annotations

import pytest

from arena.referee.clock import ManualClock
from arena.server import limits
from arena.server.limits import LOCAL, Buckets, Limits, Rate, peer_of

SECOND = 1_000_000


async def test_a_burst_is_granted_and_then_so_many_a_second() -> None:
    clock = ManualClock()
    buckets = Buckets(clock, Rate(4, 3))
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, SECOND // 4]
    await clock.advance(SECOND // 4 - 1)
    assert buckets.take("a") == 1
    await clock.advance(1)
    assert [buckets.take("a") for _ in range(2)] == [0, SECOND // 4]


async def test_what_was_refused_costs_nothing() -> None:
    clock = ManualClock()
    buckets = Buckets(clock, Rate(1, 1))
    buckets.take("a")
    assert {buckets.take("a") for _ in range(50)} == {SECOND}
    await clock.advance(SECOND)
    assert buckets.take("a") == 0


async def test_a_quiet_time_grants_no_more_than_a_burst() -> None:
    clock = ManualClock()
    buckets = Buckets(clock, Rate(10, 2))
    await clock.advance(3600 * SECOND)
    assert [buckets.take("a") > 0 for _ in range(4)] == [False, False, True, True]


def test_callers_do_not_pay_for_each_other() -> None:
    buckets = Buckets(ManualClock(), Rate(1, 1))
    assert [buckets.take(key) for key in ("a", "b", "a", "c")] == [0, 0, SECOND, 0]


def test_those_who_were_not_seen_for_the_longest_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "_MOST_KEYS", 2)
    buckets = Buckets(ManualClock(), Rate(1, 2))
    for key in ("a", "b", "a", "c"):
        buckets.take(key)
    assert [buckets.take(key) for key in ("a", "b")] == [SECOND, 0]
    assert len(buckets._of) == 2


@pytest.mark.parametrize(
    ("peer", "who"),
    [
        ("ipv4:192.0.2.7:50123", "192.0.2.7"),
        ("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:50123", "2001:0db8:0001:0002"),
        ("ipv6:[2001:db8:1:2::9]:50123", "2001:0db8:0001:0002"),
        ("ipv6:%5B::1%5D:1", "0000:0000:0000:0000"),
        ("ipv6:%5Bfe80::1%25eth0%5D:1", "fe80:0000:0000:0000"),
        ("ipv6:%5B::ffff:192.0.2.7%5D:1", "192.0.2.7"),
        ("ipv6:nonsense", ""),
        ("unix:", LOCAL),
        ("unix:/run/arena.sock", LOCAL),
    ],
)
def test_a_caller_is_an_address_or_a_network(peer: str, who: str) -> None:
    assert peer_of(peer) == who


def test_there_is_room_for_all_that_is_granted() -> None:
    assert Limits(sessions=5, hosted=4, waiting=3, calls=2, streams=1).at_once == 15
