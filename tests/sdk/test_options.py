"""Settings from the environment and the command line, and one sentence where they are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.sdk import Bot, View, run
from arena.sdk.identity import NOTHING, Identity, read_identity
from arena.sdk.options import Address, Options, parse_address, read_options
from arena.v1 import referee_pb2
from tests.server.certificates import new_authority

TLS = "tls:arena.example.org:50051"
NEEDED = {"ARENA_ADDR": "unix:/run/arena/s", "ARENA_TOKEN": "secret"}


def options(*arguments: str, **environment: str) -> Options:
    return read_options(arguments, NEEDED | environment, name="mybot", version="", tables=64)


def test_the_environment_is_enough() -> None:
    found = options(ARENA_CHAIR="second", ARENA_LANE="A", ARENA_NAME="other", ARENA_VERSION="2")
    assert found == Options(
        address=Address("unix:/run/arena/s", local=True),
        token="secret",
        chair=referee_pb2.CHAIR_SECOND,
        lane=referee_pb2.LANE_A,
        name="other",
        version="2",
        tables=64,
    )


def test_what_is_not_said_is_left_to_the_token() -> None:
    found = options()
    assert (found.chair, found.lane, found.name) == (0, 0, "mybot")


def test_flags_override_the_environment() -> None:
    found = options(
        *("--address", "localhost:5", "--token", "t", "--chair", "first", "--lane", "b"),
        *("--name", "n", "--version-label", "v", "--tables", "3"),
        ARENA_CHAIR="second",
    )
    assert found == Options(
        address=Address("localhost:5", local=True),
        token="t",
        chair=referee_pb2.CHAIR_FIRST,
        lane=referee_pb2.LANE_B,
        name="n",
        version="v",
        tables=3,
    )


@pytest.mark.parametrize(
    ("arguments", "environment", "sentence"),
    [
        ((), {"ARENA_ADDR": ""}, "set ARENA_ADDR or give --address"),
        ((), {"ARENA_TOKEN": ""}, "set ARENA_TOKEN or give --token"),
        ((), {"ARENA_ADDR": "localhost"}, "'localhost' is no address"),
        ((), {"ARENA_CHAIR": "third"}, "the chair must be 'first' or 'second', not 'third'"),
        ((), {"ARENA_LANE": "c"}, "the lane must be 'a' or 'b', not 'c'"),
        (("--tables", "0"), {}, "--tables must be from 1 to 1024, not 0"),
        (("--tables", "many"), {}, "invalid int value: 'many'"),
        (("--name", "n" * 65), {}, "name has 1 to 64 characters"),
        (("--colour", "red"), {}, "unrecognized arguments"),
        ((), {"ARENA_ADDR": TLS, "ARENA_TLS_CA": "/no/ca.pem"}, "/no/ca.pem cannot be read"),
        ((), {"ARENA_ADDR": TLS, "ARENA_TLS_CA": "/dev/null"}, "/dev/null holds no certificate"),
        ((), {"ARENA_ADDR": TLS, "ARENA_TLS_CERT": "c.pem"}, "a certificate needs its key"),
        ((), {"ARENA_ADDR": TLS, "ARENA_TLS_KEY": "k.pem"}, "a certificate needs its key"),
        (
            (),
            {"ARENA_ADDR": "arena.example.org:1", "ARENA_TLS_CA": "ca.pem"},
            "dialled without it: write tls:arena.example.org:1",
        ),
    ],
    ids=lambda value: value.replace("/", "") if isinstance(value, str) else "",
)
def test_wrong_usage_is_one_sentence_and_exit_code_2(
    arguments: tuple[str, ...],
    environment: dict[str, str],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as stopped:
        options(*arguments, **environment)
    text = capsys.readouterr().err
    assert stopped.value.code == 2
    assert sentence in text
    assert text.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "local"),
    [
        ("unix:s", True),
        ("unix:///run/s", True),
        ("localhost:1", True),
        ("127.0.0.1:65535", True),
        ("127.1.2.3:1", True),
        ("[::1]:1", True),
        ("10.0.0.7:50051", False),
        ("arena.example:443", False),
        ("127.0.0.1.example:443", False),
        ("[2001:db8::1]:443", False),
    ],
)
def test_addresses(text: str, local: bool) -> None:
    assert parse_address(text) == Address(text, local=local)


@pytest.mark.parametrize(
    ("text", "target", "local"),
    [
        ("tls:localhost:1", "localhost:1", True),
        ("tls:10.0.0.7:50051", "10.0.0.7:50051", False),
        ("tls:[2001:db8::1]:443", "[2001:db8::1]:443", False),
    ],
)
def test_addresses_that_speak_tls(text: str, target: str, *, local: bool) -> None:
    address = parse_address(text)
    assert address == Address(target, local=local, tls=True)
    assert str(address) == text


def test_files_for_tls_are_not_looked_at_on_this_machine() -> None:
    assert options(ARENA_TLS_CA="/no/ca.pem", ARENA_TLS_KEY="/no/key.pem").identity == NOTHING


def test_the_files_of_an_identity_are_read(tmp_path: Path) -> None:
    authority = new_authority()
    files, root = authority.certify(tmp_path), authority.root_file(tmp_path)
    flags = ("--tls-ca", root, "--tls-cert", files.certificate, "--tls-key", files.key)
    found = options(*map(str, flags), ARENA_ADDR=TLS).identity
    assert found == Identity(
        root.read_bytes(), files.key.read_bytes(), files.certificate.read_bytes()
    )
    assert "PRIVATE" not in repr(found)


def test_a_key_that_does_not_fit_is_told(tmp_path: Path) -> None:
    one, other = (new_authority().certify(tmp_path, name=name) for name in ("one", "other"))
    with pytest.raises(ValueError, match=r"other\.key is no private key .* that fits .*one\.pem"):
        read_identity("", str(one.certificate), str(other.key))


@pytest.mark.parametrize(
    "text",
    [
        "tls:",
        "tls:localhost",
        "tls:unix:s",
        "tls:tls:a:1",
        "",
        "localhost",
        ":1",
        "localhost:",
        "localhost:0",
        "host:65536",
        "a b:1",
        "unix:",
        "unix://",
    ],
)
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(ValueError, match="write"):
        parse_address(text)


class Plain(Bot):
    """``act`` is a plain function."""


class Waiting(Bot):
    """``act`` is async."""

    async def act(self, view: View, legal: object) -> None:  # type: ignore[override]
        """Never called."""


@pytest.mark.parametrize(("bot", "tables"), [(Plain, 64), (Waiting, 1)])
def test_a_plain_bot_takes_64_tables_and_an_async_one_takes_1(
    bot: type[Bot], tables: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Options] = []

    async def play(_: type[Bot], options: Options) -> int:
        seen.append(options)
        return 5

    monkeypatch.setattr("arena.sdk.program.play", play)
    with pytest.raises(SystemExit) as stopped:
        run(bot, arguments=["--address", "unix:s", "--token", "t"])
    assert stopped.value.code == 5
    assert (seen[0].tables, seen[0].name) == (tables, bot.__name__.lower())
