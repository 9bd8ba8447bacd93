"""``arena bot submit`` and what is looked after of it: a running arena, whose bots are trusted."""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.store import NewVersion, Store, VersionKind, VersionState
from tests.cli.commands import ARENA, PLAIN, ROOT, InProcess, assert_refused
from tests.cli.serving import serving

pytestmark = pytest.mark.timeout(300)  # what is submitted is built, checked and played

MANIFEST = """\
name = "tutor"
language = "python"
build = [["sh", "-c", "echo compiling $FLAVOUR"]]
run = ["python", "bot.py"]
"""


class Served:
    """A running arena, an author's token, and the commands of that author."""

    def __init__(self, address: str, data: Path, token: str) -> None:
        self.address = address
        self.data = data
        self.token = token


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    data = tmp_path_factory.mktemp("served") / "data"
    made = subprocess.run(
        [*ARENA, "token", "new", "ann", "--role", "author", "--data", str(data), "--json"],
        env=PLAIN,
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    options = ("--runner", "process", "--build-environment", "FLAVOUR")
    with serving(data, *options, environment=PLAIN | {"FLAVOUR": "sour"}) as (address, said):
        assert "submissions contained by process: nothing" in said
        assert "builds are given FLAVOUR" in said
        assert "sour" not in said
        yield Served(address, data, json.loads(made.stdout)["token"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bot's folder."""
    folder = tmp_path / "tutor"
    folder.mkdir()
    (folder / "bot.toml").write_text(MANIFEST)
    (folder / "bot.py").write_text("")
    return folder


@pytest.fixture(autouse=True)
def author(served: Served, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_ORGANISER_TOKEN", raising=False)
    monkeypatch.setenv("ARENA_AUTHOR_TOKEN", served.token)


def test_a_folder_is_submitted_plays_and_is_retired(
    served: Served, arena: InProcess, folder: Path, tmp_path: Path
) -> None:
    (folder / "bot.py").write_text(
        "from arena.sdk import Bot, run\n\n\nclass Tutor(Bot):\n"
        "    def act(self, view, legal):\n        return legal[0]\n\n\nrun(Tutor, name='tutor')\n"
    )
    server = ("--server", served.address)
    done = arena("bot", "submit", folder, *server)
    assert done.code == 0, done
    assert done.out == "tutor 1 is ready to play\n"
    for words in (
        "received as submissions/",
        "is being built",
        "  compiling sour",
        "hello  passed",
    ):
        assert words in done.err
    again = json.loads(arena("bot", "submit", folder, *server, "--json").out)
    assert (again["state"], again["version"], again["steps"]) == ("ready", "1", [])
    (row,) = json.loads(arena("bot", "list", *server, "--json").out)["bots"]
    assert (row["name"], row["kind"], row["owner"]) == ("tutor", "submitted", "ann")
    assert row["identity"] == again["content_hash"]
    assert "check 1 hello passed" in arena("bot", "logs", "tutor", "--build", *server).out

    (tmp_path / "cup.toml").write_text('name = "cup"\nbots = ["tutor", "random"]\nsets = 2\n')
    organiser = (*server, "--data", served.data)
    assert arena("tournament", "create", tmp_path / "cup.toml", *organiser).code == 0
    watched = arena("tournament", "watch", "cup", *server)
    assert "finished, 2 of 2 sets played" in watched.out
    assert "tutor" in arena("leaderboard", *server).out

    assert arena("bot", "retire", "tutor", *server).out == "tutor 1 is retired for good\n"
    assert "retired" in arena("bot", "list", *server).out
    (tmp_path / "next.toml").write_text('name = "next"\nbots = ["tutor", "random"]\nsets = 1\n')
    refused = arena("tournament", "create", tmp_path / "next.toml", *organiser)
    assert_refused(refused, 1, "is retired and plays no more")


def test_what_fails_ends_with_the_reason_and_code_1(
    served: Served, arena: InProcess, folder: Path
) -> None:
    text = MANIFEST.replace("echo compiling $FLAVOUR", "echo no compiler; exit 9").replace(
        "tutor", "bad"
    )
    (folder / "bot.toml").write_text(text)
    done = arena("bot", "submit", folder, "--server", served.address)
    assert (done.code, done.out) == (1, "")
    assert "  no compiler" in done.err
    last = done.err.splitlines()[-1]
    assert last.startswith("error: bad was not taken: ")
    assert last.endswith("it ended with status 9")
    told = arena("bot", "submit", folder, "--server", served.address, "--json")
    assert told.code == 1
    document = json.loads(told.out)
    assert (document["state"], document["version"]) == ("failed", None)
    assert "no compiler" in document["log"]
    server = ("--server", served.address)
    log = arena("bot", "logs", "bad", "--build", *server)
    assert "no compiler" in log.out.splitlines()
    faults = arena("bot", "logs", "bad", *server)
    assert_refused(faults, 1, "bad has no version yet")
    assert f"its build: arena bot logs bad --build --server {served.address}" in faults.err
    (line,) = [line for line in arena("bot", "list", *server).out.splitlines() if "bad" in line]
    assert line.startswith("bad was not taken: ")
    (one,) = json.loads(arena("bot", "list", *server, "--json").out)["submissions"]
    assert (one["name"], one["state"]) == ("bad", "failed")
    assert one["reason"] in last


def test_what_belongs_to_somebody_else_is_said_to(
    served: Served, arena: InProcess, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Store.open(served.data / "arena.db")
    with contextlib.closing(other):
        other.register_version(
            NewVersion(name="theirs", owner="bob", kind=VersionKind.SUBMITTED, identity="5" * 64)
        )
    server = ("--server", served.address)
    for command in (
        ("logs", "theirs"),
        ("logs", "theirs", "--build"),
        ("retire", "theirs"),
        ("resume", "theirs"),
    ):
        refused = arena("bot", *command, *server)
        assert_refused(refused, 1, "theirs belongs to somebody else")


def test_what_was_not_paused_does_not_play_again(served: Served, arena: InProcess) -> None:
    new = NewVersion(name="lame", owner="ann", kind=VersionKind.SUBMITTED, identity="1" * 64)
    with contextlib.closing(Store.open(served.data / "arena.db")) as store:
        first = store.register_version(new).id
        store.register_version(replace(new, identity="2" * 64))
        for options in (("--server", served.address), ("--data", served.data)):
            store.set_version_state(first, VersionState.PAUSED, "it crashed")
            newest = arena("bot", "resume", "lame", *options)
            assert_refused(newest, 2, "lame 2 was not paused; lame 1 is")
            assert "--label 1" in newest.err
            paused = arena("bot", "resume", "lame", "--label", "1", *options)
            assert paused.out == "lame 1 plays again\n"
            assert_refused(arena("bot", "resume", "lame", *options), 1, "lame 2 was not paused")


@pytest.mark.parametrize(
    ("content", "mode", "words"),
    [
        (
            b"#!/bin/sh\r\n",
            0o755,
            "run.sh: Windows line ends, its first line asks for '/bin/sh\\r'",
        ),
        (b"#!/bin/sh\n", 0o644, "run.sh: not executable: chmod +x run.sh"),
    ],
)
def test_what_could_not_run_is_not_even_sent(
    served: Served, arena: InProcess, folder: Path, content: bytes, mode: int, words: str
) -> None:
    (folder / "run.sh").write_bytes(content)
    (folder / "run.sh").chmod(mode)
    (folder / "bot.toml").write_text('name="x"\nlanguage="sh"\nrun=["./run.sh"]\n')
    done = arena("bot", "submit", folder, "--server", served.address)
    assert_refused(done, 1, words)


@pytest.mark.parametrize(
    ("ignore", "run", "words"),
    [
        ("bin/", '"./bin/bot"', ".gitignore leaves bin/bot out: it is not sent, no build makes it"),
        ("", '"./bin/other"', "there is no program './bin/other'"),
        ("", '"./linked"', "linked is a link or lies behind one, which is not sent"),
        ("*.sh", '"sh", "run.sh"', ".gitignore leaves run.sh out"),
    ],
)
def test_a_program_that_is_not_sent_is_told_before(
    served: Served, arena: InProcess, folder: Path, ignore: str, run: str, words: str
) -> None:
    (folder / "bin").mkdir()
    for name in ("bin/bot", "run.sh"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    (folder / "linked").symlink_to("bin/bot")
    (folder / ".gitignore").write_text(f"{ignore}\n")
    (folder / "bot.toml").write_text(f'name="x"\nlanguage="sh"\nrun=[{run}]\n')
    done = arena("bot", "submit", folder, "--server", served.address)
    assert_refused(done, 1, words)


def test_links_that_are_not_sent_are_named(served: Served, arena: InProcess, folder: Path) -> None:
    text = MANIFEST.replace("echo compiling", "exit 1").replace("tutor", "linked")
    (folder / "bot.toml").write_text(text)
    for number in range(7):
        (folder / f"link{number}").symlink_to("nowhere")
    (folder / "ignored").symlink_to("nowhere")
    (folder / ".gitignore").write_text("ignored\n")
    lines = arena("bot", "submit", folder, "--server", served.address).err.splitlines()
    told = [line for line in lines if line.startswith("not sent")]
    names = [f"not sent, a link: link{number} -> nowhere" for number in range(5)]
    assert told == [*names, "not sent: 2 other links"]


def test_what_no_arena_takes_is_told_before_it_is_sent(
    served: Served, arena: InProcess, folder: Path
) -> None:
    assert_refused(arena("bot", "submit", folder), 2, "--server ADDR")
    (folder / "a:b").touch()
    refused = arena("bot", "submit", folder, "--server", served.address)
    assert_refused(refused, 1, "'a:b' has a name with characters that are not taken")
    assert_refused(arena("bot", "submit", "nowhere", "--server", served.address), 2, "bot.toml")


def test_a_name_that_is_written_is_the_name(served: Served, arena: InProcess, folder: Path) -> None:
    """An empty one too: it is no word for what bot.toml says."""
    refused = arena("bot", "submit", folder, "--name", "", "--server", served.address)
    assert_refused(refused, 2, "'' will not do: the name of a submitted bot")


AUTHORS_COMMANDS = [
    ("submit", "tutor"),
    ("logs", "tutor"),
    ("logs", "tutor", "--build"),
]


@pytest.mark.parametrize("command", AUTHORS_COMMANDS, ids=" ".join)
def test_who_is_no_author_is_told_what_to_set(
    served: Served,
    arena: InProcess,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
) -> None:
    server = ("--server", served.address)
    monkeypatch.setenv("ARENA_AUTHOR_TOKEN", "nobody")
    wrong = arena("bot", *command, *server)
    assert_refused(wrong, 2, "that is no author's token of this arena, or no longer")
    assert "set ARENA_AUTHOR_TOKEN to what the arena's organiser gave you" in wrong.err
    monkeypatch.delenv("ARENA_AUTHOR_TOKEN")
    (folder / "a:b").touch()  # which no archive may have: nothing is packed before
    none = arena("bot", *command, *server)
    assert_refused(none, 2, "this needs an author's token")
    assert "set ARENA_AUTHOR_TOKEN" in none.err


def test_the_token_beside_the_socket_is_found(
    served: Served, arena: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ARENA_AUTHOR_TOKEN")
    for form in ("unix:", "unix://"):
        server = f"{form}{served.data / 'arena.sock'}"
        logs = arena("bot", "logs", "nobody", "--server", server)
        assert_refused(logs, 2, "there is no bot 'nobody'")


def test_logs_without_a_name_say_what_is_missing(served: Served, arena: InProcess) -> None:
    logs = arena("bot", "logs", "--server", served.address)
    assert_refused(logs, 2, "name the bot whose faults are wanted")
    assert f"arena bot logs NAME --server {served.address}" in logs.err


def test_a_name_that_was_never_submitted_is_told(served: Served, arena: InProcess) -> None:
    for command in (("retire", "nobody"), ("resume", "nobody")):
        refused = arena("bot", *command, "--server", served.address)
        assert_refused(refused, 2, "no bot 'nobody' was submitted")
        assert f"arena bot list --server {served.address}" in refused.err
        here = arena("bot", *command, "--data", served.data)
        assert_refused(here, 2, "was submitted")
        assert f"arena bot list --data {served.data}" in here.err
    for options in ((), ("--build",)):
        logs = arena("bot", "logs", "nobody", *options, "--server", served.address)
        assert_refused(logs, 2, "there is no bot 'nobody'")
        assert f"arena bot list --server {served.address}" in logs.err
