"""Where an arena listens, and the addresses that it refuses with a sentence."""

from __future__ import annotations

import resource
import socket
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.server.addresses import http_socket, refuse_public
from arena.server.app import MOST_DESCRIPTORS, Arena, running_arena
from arena.server.listening import MAX_SOCKET_PATH, AddressError, ListenError
from tests.server.client import Client


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short path."""
    with tempfile.TemporaryDirectory(prefix="listen") as name:
        yield Path(name)


async def refusal(address: str) -> str:
    """The sentence with which an address is refused."""
    with pytest.raises(ListenError) as refused:
        async with running_arena(address, tables=1):
            pass
    return str(refused.value)


async def reached(address: str) -> bool:
    """Whether a client gets an answer there."""
    client = Client(address)
    await client.say_hello("nobody")
    code, sentence = await client.ends()
    await client.hang_up()
    return sentence == "the token is not known" and code.name == "UNAUTHENTICATED"


async def test_an_arena_may_have_as_many_open_files_as_the_system_allows(folder: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    few = 512
    assert few < hard, "a machine on which this can be tested"
    resource.setrlimit(resource.RLIMIT_NOFILE, (few, hard))
    try:
        async with running_arena(f"unix:{folder}/s", tables=1):
            now, same = resource.getrlimit(resource.RLIMIT_NOFILE)
        assert now == min(hard, MOST_DESCRIPTORS)
        assert same == hard
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


# Unix sockets.


@pytest.mark.parametrize("form", ["unix:{}", "unix://{}"])
async def test_a_unix_socket(folder: Path, form: str) -> None:
    path = folder / "s"
    async with running_arena(form.format(path), tables=1) as arena:
        assert arena.addresses == [f"unix:{path}"]
        assert path.is_socket()
        assert await reached(arena.addresses[0])
    assert not path.exists()


async def test_the_first_socket_is_for_this_user_and_others_for_who_reaches_their_folder(
    folder: Path,
) -> None:
    own, others = folder / "own", folder / "others"
    async with running_arena(f"unix:{own}", f"unix:{others}", tables=1):
        assert own.stat().st_mode & 0o022 == 0
        assert others.stat().st_mode & 0o777 == 0o666


async def test_a_socket_that_another_arena_listens_on_is_refused(folder: Path) -> None:
    path = folder / "s"
    async with running_arena(f"unix:{path}", tables=1) as arena:
        assert await refusal(f"unix:{path}") == (
            f"another server listens on {path}; choose another path"
        )
        assert await reached(arena.addresses[0])


async def test_a_socket_left_by_a_server_that_was_killed_is_reclaimed(folder: Path) -> None:
    path = folder / "s"
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))
    assert path.is_socket()
    async with running_arena(f"unix:{path}", tables=1) as arena:
        assert await reached(arena.addresses[0])


def a_file(path: Path) -> None:
    path.write_text("precious")


def a_folder(path: Path) -> None:
    path.mkdir()


def a_dangling_link(path: Path) -> None:
    path.symlink_to(path.parent / "nowhere")


def a_link_to_a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path.parent / "real"))
    path.symlink_to(path.parent / "real")


@pytest.mark.parametrize("make", [a_file, a_folder, a_dangling_link, a_link_to_a_socket])
async def test_what_is_no_socket_is_left_alone(folder: Path, make: Callable[[Path], None]) -> None:
    path = folder / "s"
    make(path)
    before = path.lstat()
    assert await refusal(f"unix:{path}") == (
        f"{path} is there already and is no socket; choose another path"
    )
    assert path.lstat() == before


async def test_a_path_too_long_for_a_socket_is_refused(folder: Path) -> None:
    path = folder / ("x" * MAX_SOCKET_PATH)
    assert "bytes long and may be at most 107" in await refusal(f"unix:{path}")


async def test_the_longest_path_is_fine(folder: Path) -> None:
    path = folder / ("x" * (MAX_SOCKET_PATH - len(str(folder)) - 1))
    assert len(str(path)) == MAX_SOCKET_PATH
    async with running_arena(f"unix:{path}", tables=1) as arena:
        assert await reached(arena.addresses[0])


@pytest.mark.parametrize("address", ["unix:", "unix://"])
async def test_an_address_without_a_path_names_no_socket(address: str) -> None:
    assert await refusal(address) == f"the address {address!r} names no socket: write unix:PATH"


async def test_a_socket_in_a_folder_that_is_not_there_is_refused(folder: Path) -> None:
    path = folder / "no" / "s"
    assert await refusal(f"unix:{path}") == (
        f"the socket {path} cannot be made: is its folder there?"
    )


# TCP.


async def test_port_zero_is_any_free_port() -> None:
    async with running_arena("127.0.0.1:0", tables=1) as arena:
        host, _, port = arena.addresses[0].rpartition(":")
        assert (host, int(port) > 0) == ("127.0.0.1", True)
        assert await reached(arena.addresses[0])


async def test_several_addresses_at_once(folder: Path) -> None:
    async with running_arena(f"unix:{folder}/s", "127.0.0.1:0", tables=1) as arena:
        assert [await reached(address) for address in arena.addresses] == [True, True]


async def test_an_address_in_use_is_refused() -> None:
    async with running_arena("127.0.0.1:0", tables=1) as arena:
        taken = arena.addresses[0]
        assert await refusal(taken) == (
            f"{taken} cannot be listened on: it is in use, or no address of this machine"
        )


async def test_an_address_of_another_machine_is_refused() -> None:
    assert "no address of this machine" in await refusal("192.0.2.1:0")


MALFORMED = [
    "",
    "localhost",
    "7000",
    ":7000",
    "localhost:",
    "localhost:seven",
    "localhost:65536",
    "localhost:-1",
    "localhost:\u0667",
    "::1:7000",
    "[::1:7000",
    "a:b:7000",
    "http://localhost:7000",
    "dns:///localhost:7000",
    "unix-abstract:7000/x",
    "local host:7000",
]


@pytest.mark.parametrize("address", MALFORMED)
async def test_a_malformed_address_is_refused(address: str) -> None:
    assert await refusal(address) == (
        f"{address!r} is no address: write HOST:PORT, [IPV6]:PORT or unix:PATH"
    )


@pytest.mark.parametrize("address", MALFORMED)
def test_a_malformed_address_is_not_told_to_be_public(address: str) -> None:
    refuse_public([address])
    with pytest.raises(AddressError, match="is no address for --http"):
        http_socket(address)


async def test_a_refused_address_leaves_the_others_free(folder: Path) -> None:
    with pytest.raises(ListenError):
        async with running_arena(f"unix:{folder}/s", "nonsense", tables=1):
            pass
    async with running_arena(f"unix:{folder}/s", tables=1) as arena:
        assert isinstance(arena, Arena)
        assert await reached(arena.addresses[0])


def test_pages_on_an_address_in_use_are_told_with_a_way_out() -> None:
    with http_socket("127.0.0.1:0") as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ListenError, match=r"in use.*; give --http another one, or none"):
            http_socket(address)
