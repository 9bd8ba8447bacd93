"""A server with TLS, and commands and bots that dial it, each as a person would start them."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from ssl import create_default_context

import pytest

from tests.cli.commands import ARENA, PLAIN, ROOT, Done, assert_refused, process
from tests.server.certificates import Authority, new_authority

BOT = """
from arena.sdk import Bot, run

class Steady(Bot):
    def act(self, view, legal):
        return legal[0]

run(Steady)
"""


@dataclass(frozen=True, slots=True)
class Secured:
    """A private server with mutual TLS.

    Attributes:
        folder: its data folder is `data` there, with the files of a client beside it.
        said: what it said when it was ready.
        authority: whose certificates count.
    """

    folder: Path
    said: str
    authority: Authority

    @property
    def address(self) -> str:
        return self._found(r"bots +(\S+)")

    @property
    def pages(self) -> str:
        return self._found(r"pages +(\S+)")

    def _found(self, pattern: str) -> str:
        found = re.search(pattern, self.said)
        assert found is not None, self.said
        return found[1]

    @property
    def files(self) -> dict[str, str]:
        """What a client has in its environment."""
        named = {"CA": "ca.pem", "CERT": "client.pem", "KEY": "client.key"}
        return {f"ARENA_TLS_{what}": str(self.folder / file) for what, file in named.items()}

    def __call__(self, *arguments: str | Path, **environment: str) -> Done:
        """A command against it, on a machine that has no data folder of it."""
        return process(
            *arguments, "--server", self.address, env=self.files | environment, cwd=self.folder
        )

    @property
    def organiser(self) -> dict[str, str]:
        token = (self.folder / "data" / "organiser.token").read_text().strip()
        return {"ARENA_ORGANISER_TOKEN": token}


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    folder, authority = tmp_path_factory.mktemp("secured"), new_authority()
    files = authority.certify(folder)
    authority.certify(folder, name="client")
    root = authority.root_file(folder)
    command = [
        *(*ARENA, "serve", "--data", str(folder / "data"), "--private"),
        # Every interface: TLS is what makes this allowed.
        *("--listen", "0.0.0.0:0", "--http", "127.0.0.1:0"),
        *("--tls-cert", str(files.certificate), "--tls-key", str(files.key)),
        *("--tls-client-ca", str(root)),
    ]
    with subprocess.Popen(
        command, env=PLAIN, cwd=ROOT, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stderr is not None
        said = ""
        while "token " not in said and (line := running.stderr.readline()):
            said += line
        try:
            yield Secured(folder, said.replace("0.0.0.0", "127.0.0.1"), authority)
            running.send_signal(signal.SIGTERM)
            running.communicate(timeout=30)
            assert running.returncode == 0
        finally:
            running.kill()


def test_a_server_says_that_it_speaks_tls(secured: Secured) -> None:
    assert secured.address.startswith("tls:127.0.0.1:")
    assert secured.pages.startswith("https://")
    assert re.search(r"^tls     good until \d{4}-", secured.said, re.MULTILINE)


def test_an_organiser_dials_it(secured: Secured) -> None:
    done = secured("bot", "register", "guest", **secured.organiser)
    assert done.code == 0, done
    assert "guest" in secured("bot", "list", **secured.organiser).out


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        ({"ARENA_TLS_CA": ""}, 1, "no arena answers at tls:127.0.0.1"),
        ({"ARENA_TLS_CERT": "", "ARENA_TLS_KEY": ""}, 1, "no arena answers at tls:127.0.0.1"),
        ({"ARENA_TLS_CA": "/no/ca"}, 2, "/no/ca cannot be read"),
        ({"ARENA_TLS_KEY": ""}, 2, "a certificate needs its key"),
        ({"ARENA_TLS_KEY": "client.pem"}, 2, "client.pem is no private key in PEM"),
        ({}, 2, "this call needs an onlooker's token"),
        ({"ARENA_ONLOOKER_TOKEN": "nobody"}, 2, "that is no onlooker's token of this arena"),
    ],
    ids=[
        "whom to trust is not said",
        "nothing to show",
        "no such file",
        "no key",
        "another file as key",
        "no token",
        "an unknown token",
    ],
)
def test_who_cannot_is_told_why(
    secured: Secured, changes: dict[str, str], code: int, words: str
) -> None:
    assert_refused(secured("tournament", "list", **changes), code, words)


def test_without_tls_nobody_answers(secured: Secured) -> None:
    plain = secured.address.removeprefix("tls:")
    done = process("tournament", "list", "--server", plain)
    assert_refused(done, 1, f"no arena answers at {plain}")
    assert f"where it speaks TLS, it is tls:{plain}" in done.err


def test_on_the_machine_itself_the_socket_will_do(secured: Secured) -> None:
    socket = secured.said.partition("local   ")[2].split()[0]
    done = process("tournament", "list", "--server", socket, env=secured.organiser)
    assert done.code == 0, done


@contextlib.contextmanager
def bot(secured: Secured, token: str, chair: str) -> Iterator[subprocess.Popen[str]]:
    """A bot that dials in with a token."""
    script = secured.folder / "steady.py"
    script.write_text(BOT)
    variables = {"ARENA_ADDR": secured.address, "ARENA_TOKEN": token, "ARENA_CHAIR": chair}
    with subprocess.Popen(
        [sys.executable, str(script)],
        env=PLAIN | secured.files | variables,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        try:
            yield running
        finally:
            running.kill()


def is_online(secured: Secured, name: str) -> bool:
    """Whether both sessions of a bot are here."""
    listed = json.loads(secured("bot", "list", "--json", **secured.organiser).out)
    return any(one["name"] == name and one["online"] for one in listed["bots"])


def ended(running: subprocess.Popen[str]) -> tuple[int, str]:
    """The exit code of a bot and what it said."""
    _, told = running.communicate(timeout=30)
    return running.returncode, told


@pytest.mark.timeout(120)
def test_a_bot_dials_in_and_is_cut_off_when_its_token_is_revoked(secured: Secured) -> None:
    registered = secured("bot", "register", "visitor", **secured.organiser)
    token = registered.out.split()[-1]
    with bot(secured, token, "first") as first, bot(secured, token, "second") as second:
        while not is_online(secured, "visitor"):
            assert first.poll() is second.poll() is None, "both keep their sessions"
        done = secured("bot", "revoke", "visitor", **secured.organiser)
        assert done.out == "visitor 1 has no token any more\n"
        for code, told in (ended(first), ended(second)):
            assert code == 3
            assert "refused the bot: the token of this bot has been revoked" in told
    with bot(secured, token, "first") as again:
        code, told = ended(again)
        assert (code, "the token is not known" in told) == (3, True)
    assert "revoked" in secured("bot", "list", **secured.organiser).out
    renewed = secured("bot", "new-token", "visitor", **secured.organiser)
    assert renewed.out.startswith("visitor 1\ntoken ")


def fetched(secured: Secured, path: str, *, token: str = "") -> int:
    """The status of a page."""
    request = urllib.request.Request(secured.pages + path)
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    context = create_default_context(cadata=secured.authority.root.decode())
    try:
        with urllib.request.urlopen(request, timeout=10, context=context) as answer:
            status: int = answer.status
            return status
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_pages_of_a_private_arena_ask_for_a_token_too(secured: Secured) -> None:
    made = process("token", "new", "olga", "--role", "onlooker", "--data", secured.folder / "data")
    token = made.out.split()[-1]
    assert fetched(secured, "") == 401
    assert fetched(secured, "", token="nobody") == 401
    assert fetched(secured, "healthz") == 200
    while fetched(secured, "", token=token) != 200:  # within two seconds, says the guide
        pass
    assert secured("tournament", "list", ARENA_ONLOOKER_TOKEN=token).code == 0
    denied = secured("bot", "register", "x", ARENA_ORGANISER_TOKEN=token)
    assert_refused(denied, 1, "this call is for an organiser, and that is the token of an onlooker")
