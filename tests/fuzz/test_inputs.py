"""Files and words of people: an exit code, at most one sentence, never a traceback."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from tests.cli.commands import Done, InProcess
from tests.fuzz.efforts import failing, few, for_all, many, tried
from tests.fuzz.messages import mutated

RECORDS: Final = Path(__file__).resolve().parents[1] / "records"
TOURNAMENT: Final = """name = "spring"
variant = "token"
bots = ["random", "counting", {name = "mine", command = "python mine.py"}]
rounds = 1
sets = 10
mirror = true
tables = 4
seed = "abababababababababababababababababababababababababababababababab"
bank_ms = 60000
max_faults = 3
on_forfeit = "lose"
"""

Words = tuple[str, ...]


@pytest.fixture
def arena(capfd: pytest.CaptureFixture[str]) -> InProcess:
    """Runs commands in this process."""
    return InProcess(capfd)


@pytest.fixture(autouse=True)
def log_as_before() -> Iterator[None]:
    """A server that cannot start has set up its log all the same."""
    root, own = logging.getLogger(), logging.getLogger("arena")
    levels, handlers = (root.level, own.level), root.handlers[:]
    yield
    for logger, level in zip((root, own), levels, strict=True):
        logger.setLevel(level)
    root.handlers[:] = handlers


OTHER_LOOP = "RuntimeError: Event loop is closed"
"""What gRPC's poller, one for all loops of a process, says of a loop that an earlier test had. A
command has a process and a loop of its own."""


def check(arena: InProcess, *arguments: str | Path) -> Done:
    """Run a command and see that it says what it has to say as it should."""
    tried("commands")
    done = arena(*arguments)
    told = [line for line in done.err.splitlines() if OTHER_LOOP not in line]
    errors = [line for line in told if line.startswith("error:")]
    assert done.code in (0, 1, 2), done
    assert len(errors) <= 1, done
    assert bool(errors) == bool(done.code) or "record" in arguments, done
    assert "Traceback" not in done.err
    assert "bug of the arena" not in done.err, done
    return done


@st.composite
def of_file(draw: st.DrawFn, content: bytes) -> bytes:
    """The content with a few bytes or a line changed."""
    if draw(st.booleans()):
        return mutated(content, draw(st.integers(0, 2**32)))
    lines = content.splitlines(keepends=True)
    place = draw(st.integers(0, len(lines) - 1))
    lines[place : place + draw(st.integers(0, 1))] = [draw(new_lines).encode() + b"\n"]
    return b"".join(lines)


_VALUES: Final = """0|-1|1e9|999999999999999999999|nan|true|""|[]|[[]]|{}|1979-05-27|"shot"
["random", "random"]|["random"]|{name = 1}|"\\u0000"|"../../x.toml"|0x7fffffffffffffffff
[{name = "a", command = ""}]|"""
_KEYS: Final = """name variant bots rounds sets tables seed bank_ms extends target hands bids calls
tokens first_dealer hand_size copies ranks x "" ."""
_values = st.sampled_from([*re.split(r"[|\n]", _VALUES), "[" * 2000, '"' + "x" * 5000 + '"'])
_keys = st.sampled_from(_KEYS.split())
new_lines = st.builds("{} = {}".format, _keys, _values) | st.text(max_size=30).filter(
    lambda text: "\ud800" not in text
)


def with_files(
    arena: InProcess,
    folder: Path,
    name: str,
    contents: st.SearchStrategy[bytes],
    *command: str,
    effort: settings,
) -> None:
    path = folder / name

    def one(content: bytes) -> None:
        path.write_bytes(content)
        check(arena, *command, path)

    for_all(contents, effort, one)


Run = Callable[[InProcess, Path, settings], None]


def tournament_files(arena: InProcess, folder: Path, effort: settings) -> None:
    (folder / "mine.py").write_text("pass\n")
    path, data = folder / "t.toml", folder / "data"

    def one(content: bytes) -> None:
        path.write_bytes(content)
        check(arena, "tournament", "create", path, "--data", data)

    for_all(of_file(TOURNAMENT.encode()), effort, one)


def house_rules(arena: InProcess, folder: Path, effort: settings) -> None:
    shown = [arena("variants", "show", name).out.encode() for name in ("classic", "token")]
    small = b'extends = "token"\nname = "house"\ntarget = 30\n'
    contents = st.sampled_from([*shown, small, small]).flatmap(of_file)
    with_files(arena, folder, "house.toml", contents, "variants", "show", effort=effort)


def records(arena: InProcess, folder: Path, effort: settings) -> None:
    path = RECORDS / "classic.json"
    contents = of_json(path.read_bytes())
    with_files(arena, folder, "r.json", contents, "record", "verify", effort=effort)
    with_files(arena, folder, "s.json", contents, "record", "show", effort=effort)


@st.composite
def of_json(draw: st.DrawFn, content: bytes) -> bytes:
    """The record with some of its values replaced."""
    text = content.decode()
    places = list(re.finditer(r'(?<=[:\[,])\s*("[^"]*"|-?\d+|true|false|null)', text))
    if draw(st.integers(0, 3)) == 0:
        return mutated(content, draw(st.integers(0, 2**32)))
    found = places[draw(st.integers(0, len(places) - 1))]
    other = draw(
        st.sampled_from(
            ["null", "-1", "0", "4", "99", "1e3", "99999999999", '"x"', '""', "[]", "{}"]
        )
        | st.sampled_from(['"play 9C"', '"\\ud800"', "true", '"ENDING_KIND_CRASH"', "NaN"])
    )
    return (text[: found.start()] + other + text[found.end() :]).encode()


_BAD_WORDS: Final = """= a= =x ' " a'b \\ - -- ~ nothing-here ./nothing.py /dev/null / host host:
1.2:x [::1 [::1]:99999 unix: 127.0.0.1:70000 é 0 -1 1e3 NaN None null true"""
_bad_words = st.sampled_from(
    [*_BAD_WORDS.split(), "", " ", "a b", "\n", "ab" * 31, "ab" * 33, "zz" * 32, "x" * 300]
) | st.text(max_size=12).filter(lambda text: "\0" not in text)


def words(arena: InProcess, folder: Path, effort: settings) -> None:
    data, file = str(folder / "data"), str(RECORDS / "classic.json")
    lines: tuple[Callable[[str], Words], ...] = (
        lambda word: ("record", "verify", file, f"--seed={word}"),
        lambda word: ("match", "random", word, "--sets=0"),
        lambda word: ("match", f"--seed={word}", "random", "nothing-here"),
        lambda word: ("bot", "register", word, "--remote", "--data", data),
        lambda word: ("bot", "register", "ann", f"--command={word}", "--data", data),
        lambda word: ("bot", "register", "ann", "--remote", f"--label={word}", "--data", data),
        lambda word: ("leaderboard", f"--variant={word}", "--data", data),
        lambda word: ("leaderboard", f"--tournament={word}", "--data", data),
        lambda word: ("tournament", "status", "--data", data, "--", word),
        lambda word: ("variants", "show", "--", word),
        lambda word: ("record", "show", "--", word),
        lambda word: (word or "x", "x", "--no-such-option"),
    )
    drawn = st.tuples(st.sampled_from(range(len(lines))), _bad_words)

    def one(line: tuple[int, str]) -> None:
        number, word = line
        check(arena, *lines[number](word))

    for_all(drawn, effort, one)


def addresses(arena: InProcess, folder: Path, effort: settings) -> None:
    """None of them can be listened on: else the server would start, and serve."""
    words = ["", "host", "host:", "1.2.3.4:x", "[::1", "[::1]:99999", "unix:", "127.0.0.1:70000"]
    drawn = st.sampled_from([*words, "unix:" + "x" * 200, "unix:/nowhere/s", "tcp://a:1", "a:1:2"])

    def one(word: str) -> None:
        done = check(arena, "serve", f"--listen={word}", "--http=none", "--data", folder / "data")
        assert done.code

    for_all(drawn, effort, one)


RUNS: Final[dict[str, Run]] = {
    "tournament files": tournament_files,
    "house rules": house_rules,
    "records": records,
    "words of a command line": words,
    "addresses": addresses,
}


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_bad_input_gets_a_sentence(run: Run, arena: InProcess, tmp_path: Path) -> None:
    run(arena, tmp_path, few(40))


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_bad_input_gets_a_sentence_at_length(run: Run, arena: InProcess, tmp_path: Path) -> None:
    run(arena, tmp_path, many(500))


def test_a_traceback_in_place_of_a_sentence_is_found(
    arena: InProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumbles(text: str) -> None:
        raise KeyError(text[:3])

    monkeypatch.setattr("arena.cli.variant_names.variant_from_toml", stumbles)
    with pytest.raises(AssertionError):
        house_rules(arena, tmp_path, failing(5))
