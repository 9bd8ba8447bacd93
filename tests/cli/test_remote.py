"""``--server``: the same commands against a running arena, and what it says when it cannot."""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.commands import Done, InProcess, assert_refused, process
from tests.cli.serving import serving

FILE = 'name = "cup"\nbots = ["random", "first_legal"]\nsets = 1\n'


@dataclass(frozen=True, slots=True)
class Served:
    """A running arena and the options that lead to it."""

    address: str
    data: Path
    arena: InProcess

    def __call__(self, *arguments: str | Path) -> Done:
        return self.arena(*arguments, "--server", self.address)

    def organise(self, *arguments: str | Path) -> Done:
        """A command of the organiser."""
        return self(*arguments, "--data", self.data)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address and data folder of a running arena."""
    data = tmp_path_factory.mktemp("served") / "data"
    with serving(data) as (address, _):
        yield address, data


@pytest.fixture
def served(
    server: tuple[str, Path], arena: InProcess, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Served:
    monkeypatch.chdir(tmp_path)  # no data folder here
    monkeypatch.delenv("ARENA_ORGANISER_TOKEN", raising=False)
    return Served(*server, arena)


def test_a_bot_is_registered_and_listed(served: Served) -> None:
    done = served.organise("bot", "register", "guest")
    assert done.code == 0
    assert re.fullmatch(r"guest 1\ntoken [0-9a-f]{64}\n", done.out)
    again = served.organise("bot", "register", "guest")
    assert_refused(again, 1, "registered with another token: choose another label")
    newer = served.organise("bot", "register", "guest", "--label", "2", "--json")
    assert json.loads(newer.out)["bot"]["version"] == "2"
    listed = json.loads(served("bot", "list", "--json").out)["bots"]
    assert [(one["name"], one["version"], one["kind"], one["online"]) for one in listed][:2] == [
        ("guest", "1", "remote", False),
        ("guest", "2", "remote", False),
    ]
    assert "guest" in served("bot", "list").out


def test_a_tournament_is_created_followed_and_told(served: Served, tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(FILE)
    made = served.organise("tournament", "create", file)
    assert made.code == 0, made
    assert "0 of 1 sets played" in made.out
    assert f"--server {served.address}" in made.err
    watched = served.organise("tournament", "watch", "cup")  # --data, as with the others
    assert watched.code == 0, watched
    assert "finished, 1 of 1 sets played" in watched.out
    assert_refused(served.organise("tournament", "create", file), 1, "already")
    assert_refused(served.organise("tournament", "cancel", "cup"), 1, "is finished")
    both = ("tournament", "status", "cup", "--json")
    there, here = served(*both), served.arena(*both, "--data", served.data)
    told = json.loads(there.out)
    assert told["tournament"].pop("note") == ""
    assert told == json.loads(here.out)
    for command in (("leaderboard",), ("leaderboard", "--tournament", "cup")):
        for form in ((), ("--json",), ("--csv",)):
            there = served(*command, *form)
            assert there == served.arena(*command, *form, "--data", served.data)
            assert "first_legal" in there.out


def test_one_that_waits_is_cancelled(served: Served, tmp_path: Path) -> None:
    served.organise("bot", "register", "late")
    file = tmp_path / "late.toml"
    file.write_text('name = "late"\nbots = ["random", "late"]\nsets = 1\n')
    assert served.organise("tournament", "create", file).code == 0
    assert "late" in served("tournament", "list").out
    cancelled = json.loads(served.organise("tournament", "cancel", "late", "--json").out)
    assert cancelled["tournament"]["state"] == "cancelled"
    assert len(cancelled["tournament"]["seed"]) == 64


def test_a_server_starts_no_commands_that_it_is_sent(served: Served, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('name = "mine"\nbots = ["random", {name = "x", command = "sh"}]\n')
    done = served.organise("tournament", "create", file)
    assert_refused(done, 2, "starts no commands")
    assert "arena bot register NAME --command COMMAND --data DIR" in done.err
    refused = served.organise("bot", "register", "x", "--command", "sh")
    assert_refused(refused, 2, "starts no commands")
    assert "give --data DIR instead of --server" in refused.err
    file.write_text('name = "mine"\nbots = ["random", "sh"]\n')
    assert_refused(served.organise("tournament", "create", file), 2, "no bot 'sh'")


def test_a_hosted_bot_is_registered_in_the_data_folder_and_entered_by_its_name(
    served: Served, tmp_path: Path
) -> None:
    register = ("bot", "register", "home", "--command", "first_legal", "--data", served.data)
    assert served.arena(*register).code == 0
    file = tmp_path / "mixed.toml"
    file.write_text('name = "mixed"\nbots = ["random", "home"]\nsets = 1\n')
    assert served.organise("tournament", "create", file).code == 0
    assert "finished, 1 of 1 sets played" in served("tournament", "watch", "mixed").out
    local = served.arena("tournament", "run", file, "--data", served.data)
    assert_refused(
        local,
        2,
        "'home' is neither a program that can be run, nor a bot's folder, nor a sample bot",
    )
    assert "arena tournament create FILE --server ADDR" in local.err


def test_a_bot_without_a_token_is_not_entered(served: Served, tmp_path: Path) -> None:
    served.organise("bot", "register", "barred")
    served.organise("bot", "revoke", "barred")
    file = tmp_path / "barred.toml"
    file.write_text('name = "barred"\nbots = ["random", "barred"]\nsets = 1\n')
    done = served.organise("tournament", "create", file)
    assert_refused(done, 1, "bot 'barred' version '1' has no token any more")
    assert "barred" not in served("tournament", "list").out


def test_without_the_organisers_token_nothing_is_written(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_refused(served("bot", "register", "x"), 2, "needs the organiser's token")
    monkeypatch.setenv("ARENA_ORGANISER_TOKEN", "wrong")
    assert_refused(served("bot", "register", "x"), 2, "is no organiser's token")
    monkeypatch.setenv("ARENA_ORGANISER_TOKEN", (served.data / "organiser.token").read_text())
    assert served("bot", "register", "by the variable").code == 0


NO_TOKENS = {"two lines": "one\ntwo", "no ASCII": "t\u00f6ken", "a control character": "a\x7fb"}
COMMANDS: dict[str, list[tuple[str, ...]]] = {
    "ARENA_ORGANISER_TOKEN": [("bot", "register", "x"), ("bot", "list")],
    "ARENA_ONLOOKER_TOKEN": [("bot", "list")],
    "ARENA_TOKEN": [("bot", "logs")],
}


@pytest.mark.parametrize("text", NO_TOKENS.values(), ids=NO_TOKENS)
@pytest.mark.parametrize("variable", COMMANDS)
def test_a_variable_that_cannot_hold_a_token_is_named(
    served: Served, monkeypatch: pytest.MonkeyPatch, variable: str, text: str
) -> None:
    monkeypatch.setenv(variable, text)
    for command in COMMANDS[variable]:
        assert_refused(served(*command), 2, f"{variable} holds no token, which is one line")


@pytest.mark.parametrize("text", NO_TOKENS.values(), ids=NO_TOKENS)
def test_a_file_that_cannot_hold_a_token_is_named(
    served: Served, tmp_path: Path, text: str
) -> None:
    file = tmp_path / "organiser.token"
    file.write_text(text)
    for command in COMMANDS["ARENA_ORGANISER_TOKEN"]:
        done = served(*command, "--data", tmp_path)
        assert_refused(done, 1, f"{file} holds no token, which is one line")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("tournament", "status", "none"), 2, 'no tournament "none"'),
        (("tournament", "status", "999"), 2, "no tournament 999"),
        (("leaderboard", "--variant", "none"), 2, 'no variant is called "none"'),
        (("leaderboard", "--variant", "ab" * 32), 2, "no variant"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else "",
)
def test_what_is_not_there_is_told(
    served: Served, arguments: tuple[str, ...], code: int, words: str
) -> None:
    assert_refused(served(*arguments), code, words)


@pytest.mark.parametrize(
    ("address", "code", "words"),
    [
        ("127.0.0.1:1", 1, "no arena answers at 127.0.0.1:1"),
        ("unix:/tmp/no-such-socket", 1, "no arena answers at unix:/tmp/no-such-socket"),
        ("nonsense", 2, "'nonsense' is no address"),
        ("::1:50051", 2, "is no address"),
    ],
)
def test_an_address_without_an_arena_is_told(
    arena: InProcess, address: str, code: int, words: str
) -> None:
    assert_refused(arena("leaderboard", "--server", address), code, words)


def test_a_proxy_is_never_used_on_this_machine(served: Served) -> None:
    proxied = {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}
    assert process("bot", "list", "--server", served.address, env=proxied).code == 0


@contextlib.contextmanager
def cutting(address: str, calls: int) -> Iterator[str]:
    """A relay that passes requests on and drops the connection before the reply, so many times;
    its address.
    """
    host, _, port = address.rpartition(":")

    def relay() -> None:
        with contextlib.suppress(OSError):  # the listening socket is closed at the end
            for number in itertools.count():
                with (
                    listening.accept()[0] as near,
                    socket.create_connection((host, int(port))) as far,
                ):
                    sending = threading.Thread(target=pump, args=(near, far))
                    sending.start()
                    pump(far, near, drop=number < calls)
                    sending.join()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=relay)
        thread.start()
        yield f"127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()


HEADERS_FRAME = 1


def pump(source: socket.socket, sink: socket.socket, *, drop: bool = False) -> None:
    """Pass bytes on until an end; or until the first frame of a reply would pass, HTTP/2's HEADERS,
    and then close both sides.
    """
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            if drop and HEADERS_FRAME in frames(data):
                break
            sink.sendall(data)
    for one in (source, sink):
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


def frames(data: bytes) -> list[int]:
    """The types of the HTTP/2 frames in some bytes that begin with one."""
    kinds = []
    while len(data) >= 9:
        kinds.append(data[3])
        data = data[9 + int.from_bytes(data[:3], "big") :]
    return kinds


def test_faults_are_for_organisers_and_authors(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = served.organise("bot", "register", "meek", "--json")
    assert served.organise("bot", "logs", "meek") == Done(0, "no faults\n", "")
    nobody = served.organise("bot", "logs", "nobody")
    assert (nobody.code, nobody.error_lines[0]) == (2, "error: there is no bot 'nobody'")
    unnamed = served.organise("bot", "logs")
    assert (unnamed.code, unnamed.out) == (2, "")
    monkeypatch.setenv("ARENA_TOKEN", json.loads(made.out)["token"])
    assert served("bot", "logs") == Done(0, "no faults\n", "")
    served.organise("bot", "register", "other")
    other = served("bot", "logs", "other")
    assert other.code == 1
    assert other.error_lines[0].startswith("error: faults are for organisers and the bot's author")


def test_a_reply_that_gets_lost_registers_nothing_twice(served: Served) -> None:
    """Traps 14: the connection drops after the request and before the reply."""
    with cutting(served.address, calls=1) as relayed:
        done = served.arena("bot", "register", "cut", "--server", relayed, "--data", served.data)
    assert done.code == 0, done
    listed = json.loads(served("bot", "list", "--json").out)["bots"]
    assert [one["version"] for one in listed if one["name"] == "cut"] == ["1"]


def test_a_reply_that_gets_lost_creates_nothing_twice(served: Served, tmp_path: Path) -> None:
    file = tmp_path / "cut.toml"
    file.write_text(FILE.replace("cup", "cut"))
    create = ("tournament", "create", file, "--data", served.data)
    with cutting(served.address, calls=1) as relayed:
        done = served.arena(*create, "--server", relayed)
    assert done.code == 0, done
    listed = json.loads(served("tournament", "list", "--json").out)["tournaments"]
    assert [one["name"] for one in listed].count("cut") == 1


def test_when_no_reply_ever_comes_it_is_told_what_is_known(served: Served) -> None:
    with cutting(served.address, calls=9) as relayed:
        done = served.arena("bot", "register", "lost", "--server", relayed, "--data", served.data)
    assert done.code == 1
    assert "no arena answers" in done.err
    assert re.search(r"arena bot list --server \S+; then its token is [0-9a-f]{64}", done.err)
    listed = json.loads(served("bot", "list", "--json").out)["bots"]
    assert [one["version"] for one in listed if one["name"] == "lost"] == ["1"]
