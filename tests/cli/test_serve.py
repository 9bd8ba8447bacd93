"""``arena serve`` as a process: started, asked, stopped; and addresses that will not do."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.commands import ARENA, PLAIN, ROOT, InProcess, assert_refused, process, shell

ANYWHERE = ("--listen", "127.0.0.1:0", "--http", "127.0.0.1:0")


@contextlib.contextmanager
def serving(data: Path) -> Iterator[tuple[subprocess.Popen[str], dict[str, str]]]:
    """A server over a data folder, and what it said of itself."""
    with subprocess.Popen(
        [*ARENA, "serve", "--data", str(data), *ANYWHERE],
        env=PLAIN,
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        said: dict[str, str] = {}
        assert server.stderr is not None
        try:
            while "token" not in said:
                word, _, rest = server.stderr.readline().partition(" ")
                assert word, "the server ended before it was ready"
                said[word] = rest.strip()
            yield server, said
        finally:
            server.kill()


def test_a_server_says_where_it_is_and_ends_when_told(arena: InProcess, tmp_path: Path) -> None:
    with serving(tmp_path / "data") as (server, said):
        with urllib.request.urlopen(said["pages"], timeout=10) as page:
            assert page.status == 200
        assert not said["bots"].endswith(":0")
        other = arena("serve", "--data", tmp_path / "data", *ANYWHERE)
        assert_refused(other, 1, "in use by process")
        cancel = arena("tournament", "cancel", "my cup", "--data", tmp_path / "data")
        assert_refused(cancel, 1, "in use by process")
        asked = f"arena tournament cancel 'my cup' --server unix:{tmp_path}/data/arena.sock"
        assert cancel.err.splitlines()[-1] == f"hint:  where that is 'arena serve', ask it: {asked}"
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=30) == 0
        assert server.stderr is not None
        assert server.stderr.read().splitlines()[-1] == "stopped"
    token = tmp_path / "data" / "organiser.token"
    assert token.stat().st_mode & 0o777 == 0o600
    assert not (tmp_path / "data" / "arena.sock").is_socket()


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--listen", "nowhere"], 2, "'nowhere' is no address"),
        (["--listen", "127.0.0.1:99999"], 2, "is no address"),
        (["--listen", "::1:50051"], 2, "'::1:50051' is no address"),
        (["--listen", "unix:"], 2, "'unix:' names no socket"),
        (["--listen", "unix:/dev/null"], 1, "/dev/null is there already and is no socket"),
        (["--listen", "unix:/tmp/" + "x" * 120], 1, "may be at most 107"),
        (["--listen", "0.0.0.0:50051"], 1, "give --tls-cert and --tls-key"),
        (["--listen", "0.0.0.0:50051"], 1, "--insecure-public"),
        (["--tls-cert", "x.pem"], 2, "TLS needs both --tls-cert and --tls-key"),
        (["--tls-key", "x.pem"], 2, "TLS needs both --tls-cert and --tls-key"),
        (["--tls-client-ca", "x.pem"], 2, "--tls-client-ca needs --tls-cert and --tls-key"),
        (["--tls-cert", "/no/x", "--tls-key", "/no/y"], 1, "/no/x cannot be read: No such file"),
        (["--max-sessions", "0"], 2, "must be at least"),
        (["--listen", "127.0.0.1:0", "--http", "x"], 2, "'x' is no address"),
    ],
    ids=lambda value: value[-1][:20] if isinstance(value, list) else "",
)
def test_an_address_that_will_not_do_is_told(
    arena: InProcess, tmp_path: Path, arguments: list[str], code: int, words: str
) -> None:
    assert_refused(arena("serve", "--data", tmp_path / "data", *arguments), code, words)


def test_a_data_folder_that_cannot_be_is_told(arena: InProcess) -> None:
    assert_refused(arena("serve", "--data", "/dev/null/x", *ANYWHERE), 1, "/dev/null/x")


def test_a_server_may_be_started_without_standard_output(tmp_path: Path) -> None:
    done = shell(f"arena serve --data {tmp_path} --listen nowhere >&-")
    assert_refused(done, 2, "'nowhere' is no address")
    assert "standard output" not in process("serve", "--help").err
