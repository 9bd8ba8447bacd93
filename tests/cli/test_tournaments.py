"""``arena tournament``, ``arena leaderboard`` and ``arena bot`` over a data folder."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from arena.ids import TournamentId
from arena.rules.variants import VARIANTS
from arena.schedule.settings import Settings
from arena.store import (
    NewVersion,
    Store,
    TournamentSpec,
    TournamentState,
    VersionKind,
    VersionState,
)
from tests.cli.bots import interrupter, script
from tests.cli.commands import SEED, Done, InProcess, assert_refused, process
from tests.cli.small_tournaments import FIRST_LEGAL, SHORT, document, written


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with one finished tournament."""
    folder = tmp_path_factory.mktemp("played")
    done = process("tournament", "run", written(folder), "--data", folder / "data")
    assert done.code == 0, done
    assert "commit" in done.err
    assert SEED in done.out
    assert SEED not in done.err
    return folder


def test_a_finished_tournament_is_told(arena: InProcess, played: Path) -> None:
    done = arena("tournament", "status", "--data", played / "data")
    assert "finished, 3 of 3 sets played" in done.out
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize("which", ["spring", "1"])
def test_a_tournament_has_a_name_and_a_number(arena: InProcess, played: Path, which: str) -> None:
    told = document(arena("tournament", "status", which, "--data", played / "data", "--json"))
    one = told["tournament"]
    assert (one["id"], one["name"], one["state"], one["seed"]) == (1, "spring", "finished", SEED)
    assert one["sets"] == {"finished": 3, "planned": 3}
    assert [row["rank"] for row in told["leaderboard"]["rows"]] == [1, 2, 3]


def test_one_that_is_paused_is_marked(arena: InProcess, tmp_path: Path) -> None:
    new = NewVersion(name="ann", owner="zoe", kind=VersionKind.SUBMITTED, identity="1" * 64)
    with closing(Store.open(tmp_path / "arena.db")) as store:
        entries = [store.register_version(replace(new, name=name)).id for name in ("ann", "bob")]
        store.set_version_state(entries[0], VersionState.PAUSED, "it crashed")
        spec = TournamentSpec(
            name="cup",
            variant=VARIANTS["classic"],
            seed=bytes(32),
            entries=tuple(entries),
            settings=Settings().to_data(),
        )
        store.create_tournament(spec)
    done = arena("tournament", "status", "--data", tmp_path)
    assert "bots        ann 1 (paused), bob 1\n" in done.out


def test_the_list_holds_it(arena: InProcess, played: Path) -> None:
    listed = arena("tournament", "list", "--data", played / "data")
    assert listed.out.splitlines()[1].split()[:6] == [
        "1",
        "spring",
        "double",
        "3",
        "3/3",
        "finished",
    ]
    as_json = document(arena("tournament", "list", "--data", played / "data", "--json"))
    assert [one["name"] for one in as_json["tournaments"]] == ["spring"]


def test_running_a_finished_tournament_again_changes_nothing(
    arena: InProcess, played: Path
) -> None:
    before = (played / "data" / "arena.db").read_bytes()
    done = arena("tournament", "run", played / "spring.toml", "--data", played / "data")
    assert (done.code, "finished, 3 of 3" in done.out) == (0, True)
    assert (played / "data" / "arena.db").read_bytes() == before


@pytest.mark.parametrize("scope", [(), ("--variant", "double"), ("--tournament", "spring")])
def test_all_forms_of_a_leaderboard_agree(
    arena: InProcess, played: Path, scope: tuple[str, ...]
) -> None:
    shown = ("leaderboard", *scope, "--data", str(played / "data"))
    rows = document(arena(*shown, "--json"))["leaderboards"][0]["rows"]
    table = list(csv.DictReader(io.StringIO(arena(*shown, "--csv").out)))
    text = arena(*shown).out.splitlines()
    assert [row["bot"] for row in table] == [row["bot"] for row in rows]
    assert [float(row["rating"]) for row in table] == [row["rating"] for row in rows]
    assert [line.split()[1] for line in text[2:5]] == [row["bot"] for row in rows]
    assert sum(row["wins"] for row in rows) == sum(row["losses"] for row in rows)


def test_a_ladder_without_sets_is_empty(arena: InProcess, played: Path) -> None:
    done = arena("leaderboard", "--variant", "token", "--data", played / "data")
    assert (done.code, "no bot has played here" in done.out) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["leaderboard", "--variant", "chess"], '"chess"'),
        (["leaderboard", "--tournament", "autumn"], 'no tournament "autumn"'),
        (["leaderboard", "--tournament", "1", "--variant", "token"], "exclude each other"),
        (["tournament", "status", "9"], 'no tournament "9"'),
        (["tournament", "resume"], "no unfinished tournament"),
        (["bot", "register", "x"], "either --command or --remote"),
        (["bot", "register", "x", "--command", "no-such-program"], "no-such-program"),
        (["bot", "register", "a\x1bb", "--command", "random"], "no bot name"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_not_there_is_refused(
    arena: InProcess, played: Path, arguments: list[str], words: str
) -> None:
    assert_refused(arena(*arguments, "--data", played / "data"), 2, words)


def test_one_output_at_a_time(arena: InProcess, played: Path) -> None:
    done = arena("leaderboard", "--json", "--csv", "--data", played / "data")
    assert (done.code, done.out) == (2, "")
    assert json.loads(done.err)["error"]["message"] == "--json and --csv exclude each other"


@pytest.mark.parametrize(
    "arguments",
    [["leaderboard"], ["tournament", "list"], ["tournament", "resume"], ["bot", "list"]],
    ids=" ".join,
)
def test_looking_into_nothing_makes_nothing(
    arena: InProcess, tmp_path: Path, arguments: list[str]
) -> None:
    assert_refused(arena(*arguments, "--data", tmp_path / "no"), 2, "no arena data")
    assert not (tmp_path / "no").exists()


def test_the_environment_names_the_data_folder(
    arena: InProcess, played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_DATA", str(played / "data"))
    assert arena("tournament", "list").code == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("sets = 1", "sets = 2"), "another sets"),
        (('"double"', '"classic"'), "another variant"),
        (('"random", ', ""), "another list of bots"),
        ((SEED, "cd" * 32), "another seed"),
        (("sets = 1", "sets = 1\nbank_ms = 5"), "another time"),
    ],
    ids=["sets", "variant", "bots", "seed", "clock"],
)
def test_another_tournament_of_that_name_is_refused(
    arena: InProcess, played: Path, tmp_path: Path, change: tuple[str, str], words: str
) -> None:
    file = written(tmp_path)
    file.write_text(file.read_text().replace(*change))
    done = arena("tournament", "run", file, "--data", played / "data")
    assert_refused(done, 2, "'spring' already", words)


def test_another_content_of_a_bot_is_another_tournament(
    arena: InProcess, played: Path, tmp_path: Path
) -> None:
    file = written(tmp_path)
    (tmp_path / "mine.py").write_text(FIRST_LEGAL + "\n# changed\n")
    done = arena("tournament", "run", file, "--data", played / "data")
    assert_refused(done, 2, "another content of bot mine")
    assert "hint:  newer than it: mine.py; give" in done.err


def test_bots_that_do_not_come_up_leave_nothing(tmp_path: Path) -> None:
    bad = script(tmp_path, "bad.sh", "echo broken >&2; exit 1")
    file = written(tmp_path, rest=f'bots = ["random", "{bad}"]\n')
    done = process("tournament", "run", file, "--data", tmp_path / "data")
    assert_refused(done, 1, "status 1: broken")
    assert not (tmp_path / "data").exists()


def test_bots_that_do_not_come_up_leave_no_tournament_in_a_store_without_any(
    arena: InProcess, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    assert arena("bot", "register", "ann", "--command", "random", "--data", data).code == 0
    bad = script(tmp_path, "bad.sh", "echo broken >&2; exit 1")
    file = written(tmp_path, rest=f'bots = ["random", "{bad}"]\n')
    assert_refused(process("tournament", "run", file, "--data", data), 1, "status 1: broken")
    assert "spring" not in arena("tournament", "list", "--data", data).out


def test_a_database_that_is_none_is_refused(arena: InProcess, tmp_path: Path) -> None:
    (tmp_path / "arena.db").write_text("this is no database, though it is long enough to be one")
    assert_refused(arena("leaderboard", "--data", tmp_path), 1, "arena.db")


def test_an_interrupted_tournament_goes_on_to_the_same_table(tmp_path: Path, played: Path) -> None:
    bot = interrupter(tmp_path, 3)
    rest = f'bots = ["random", {{name = "first_legal", command = "{bot}"}}]\ntables = 2\n{SHORT}'
    file = written(tmp_path, rest=rest.replace("sets = 1", "sets = 3"))
    data = tmp_path / "data"
    first = process("tournament", "run", file, "--data", data, "--json")
    told = document(first)["tournament"]
    assert (first.code, told["state"], told["seed"]) == (130, "suspended", None)
    assert told["sets"]["finished"] == 1
    second = document(process("tournament", "resume", "--data", data, "--json"))
    assert second["tournament"]["state"] == "finished"
    whole = document(process("tournament", "run", file, "--data", tmp_path / "whole", "--json"))
    assert second["leaderboard"]["rows"] == whole["leaderboard"]["rows"]


def test_a_moved_bot_is_started_where_it_is_now(arena: InProcess, tmp_path: Path) -> None:
    commands = []
    for folder in (tmp_path / "old", tmp_path / "new"):
        folder.mkdir()
        (folder / "mine.py").write_text(FIRST_LEGAL)
        line = f"python {folder / 'mine.py'}"
        told = document(
            arena("bot", "register", "b", "--command", line, "--data", tmp_path, "--json")
        )
        commands.append((told["bot"]["version"], told["bot"]["command"][1]))
    assert commands == [("1", f"{tmp_path}/old/mine.py"), ("1", f"{tmp_path}/new/mine.py")]


def test_a_remote_bot_gets_a_token_once(arena: InProcess, tmp_path: Path) -> None:
    registered = arena("bot", "register", "far", "--remote", "--data", tmp_path)
    name, token = registered.out.splitlines()
    assert (name, len(token.split()[1])) == ("far 1", 64)
    assert_refused(
        arena("bot", "register", "far", "--remote", "--data", tmp_path), 1, "another token"
    )
    listed = document(arena("bot", "list", "--data", tmp_path, "--json"))["bots"]
    assert [(bot["name"], bot["kind"]) for bot in listed] == [("far", "remote")]
    assert token.split()[1] not in json.dumps(listed)


def test_a_command_is_registered_once(arena: InProcess, tmp_path: Path) -> None:
    same = ("bot", "register", "r", "--command", "random", "--data", tmp_path, "--json")
    first, second = document(arena(*same)), document(arena(*same))
    assert first == second
    assert first["bot"]["version"] == "1"


def test_bots_that_dial_in_are_for_an_arena_that_serves(arena: InProcess, tmp_path: Path) -> None:
    with Store.open(tmp_path / "arena.db") as store:
        home = store.register_version(
            NewVersion(
                name="home", owner="x", kind=VersionKind.COMMAND, identity="1" * 64, command=("a",)
            )
        )
        far = store.register_version(
            NewVersion(
                name="far",
                owner="x",
                kind=VersionKind.REMOTE,
                identity="2" * 64,
                token_hash="3" * 64,
            )
        )
        store.create_tournament(
            TournamentSpec(
                name="open",
                variant=VARIANTS["double"],
                seed=bytes(32),
                entries=(home.id, far.id),
                settings=Settings().to_data(),
            )
        )
        store.set_state(TournamentId(1), TournamentState.RUNNING)  # then it was killed
    done = arena("tournament", "resume", "open", "--data", tmp_path)
    assert_refused(done, 2, "tournament open has bots that dial in (far): start 'arena serve'")
    told = arena("tournament", "status", "open", "--data", tmp_path)
    assert "interrupted, 0 of " in told.out
    assert told.err == f"next:   arena serve --data {tmp_path}\n"


def test_faults_are_pointed_to(arena: InProcess, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FIRST_LEGAL.replace("legal[0]", "1 / 0"))
    file = tmp_path / "cup.toml"
    file.write_text(
        f'name = "cup"\n{SHORT}bots = ["random", {{name = "my bot", command = "python mine.py"}}]\n'
    )
    data = tmp_path / "data"
    pointer = f"next:   arena bot logs 'my bot' --data {data}"
    played = process("tournament", "run", file, "--data", data)
    assert (played.code, played.err.splitlines()[-2]) == (0, pointer)
    assert arena("tournament", "status", "--data", data).err == f"{pointer}\n"
    assert "ZeroDivisionError" in arena("bot", "logs", "my bot", "--data", data).out


def test_what_to_run_next_is_found_where_the_arena_is_not_on_the_path(
    arena: InProcess, played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(tmp_path / ".venv" / "bin" / "arena")])
    monkeypatch.setenv("PATH", "")
    told = arena("record", "export", "1", "--data", played / "data", "--out", "out")
    assert told.err.splitlines()[-1] == f"next:   .venv/bin/arena record verify out --seed {SEED}"


def test_what_to_do_next_names_the_data_folder(arena: InProcess, tmp_path: Path) -> None:
    data = tmp_path / "my data"
    made = process("tournament", "create", written(tmp_path), "--data", data)
    assert made.err.splitlines()[-1] == f"next:   arena tournament resume 1 --data '{data}'"
    done = process("tournament", "resume", "--data", data)
    assert done.err.splitlines()[-1] == (f"next:   arena record export 1 --out DIR --data '{data}'")


def test_a_tournament_without_records_is_told_to_have_none(
    arena: InProcess, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    assert arena("tournament", "create", written(tmp_path), "--data", data).code == 0
    done = arena("record", "verify", "--tournament", "1", "--data", data)
    assert done == Done(0, "there is no record yet: no set is finished\n", "")


def test_exported_records_hold(arena: InProcess, played: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    told = arena("record", "export", "spring", "--data", played / "data", "--out", out)
    assert told.code == 0, told
    assert told.out.splitlines()[0] == f"3 records of spring in {out}"
    assert SEED in told.out
    names = sorted(file.name for file in out.iterdir())
    assert len(names) == 3
    assert all(re.fullmatch(r"r1_\d-\d_1\.json", name) for name in names)
    checked = arena("record", "verify", out, "--seed", SEED)
    assert (checked.code, "3 records: all hold" in checked.out) == (0, True)
    (out / names[0]).unlink()
    again = arena("record", "export", "1", "--data", played / "data", "--out", out, "--json")
    assert document(again)["records"] == 3
    assert sorted(file.name for file in out.iterdir()) == names


@pytest.mark.parametrize("name", ["notes.txt", "r9_1-2_1.json"])
def test_records_are_exported_into_no_folder_of_something_else(
    arena: InProcess, played: Path, tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_text("mine")
    done = arena("record", "export", "spring", "--data", played / "data", "--out", tmp_path)
    assert_refused(done, 2, f"{name} is no record of this tournament")
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_folder_without_records_is_not_said_to_hold(arena: InProcess, tmp_path: Path) -> None:
    assert_refused(arena("record", "verify", tmp_path), 2, "there is no record in")
