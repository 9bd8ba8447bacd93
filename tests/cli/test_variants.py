"""``arena variants`` and ``--variant``: names, house rules, and files that are neither."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.rules import CLASSIC, TOKEN, VARIANTS, variant_from_toml, variant_hash
from tests.cli.commands import InProcess, assert_refused


def test_the_list_names_all_variants(arena: InProcess) -> None:
    done = arena("variants", "list")
    names = [line.split()[0] for line in done.out.splitlines()]
    assert (done.code, done.err, names) == (0, "", ["variant", *VARIANTS])


def test_the_list_as_json_holds_the_data_and_the_hash(arena: InProcess) -> None:
    listed = json.loads(arena("variants", "list", "--json").out)["variants"]
    assert [row["name"] for row in listed] == list(VARIANTS)
    assert [row["hash"] for row in listed] == [variant_hash(v) for v in VARIANTS.values()]
    assert [row["hand_size"] for row in listed] == [v.hand_size for v in VARIANTS.values()]


@pytest.mark.parametrize("name", VARIANTS)
def test_a_shown_variant_is_a_house_rule_file_of_itself(
    arena: InProcess, name: str, tmp_path: Path
) -> None:
    file = tmp_path / "house.toml"
    file.write_text(arena("variants", "show", name).out)
    assert variant_from_toml(file.read_text()) == VARIANTS[name]
    assert arena("variants", "show", file).out == file.read_text()


def test_a_shown_variant_as_json(arena: InProcess) -> None:
    shown = json.loads(arena("variants", "show", "token", "--json").out)["variant"]
    assert (shown["target"], shown["hash"]) == (TOKEN.target, variant_hash(TOKEN))


@pytest.mark.parametrize(
    "content",
    [
        b'\xef\xbb\xbfextends = "classic"\nname = "mine"\n',
        b'extends = "classic"\r\nname = "mine"\r\n',
    ],
    ids=["a byte order mark is skipped", "Windows line ends are read"],
)
def test_a_file_of_another_system_is_read(arena: InProcess, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(content)
    shown = variant_from_toml(arena("variants", "show", file).out)
    assert (shown.name, variant_hash(shown)) == ("mine", variant_hash(CLASSIC))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'extends = "classic"\ntarget = 0\n', ["target"]),
        (b'extends = "classic"\ntarget = nan\n', ["target"]),
        (b'extends = "classic"\nwinner = 1\n', ["winner", "no field"]),
        (b'extends = "classic"\nname = "M\xfc"\n', ["not UTF-8", "byte 30", "0xfc"]),
        ('extends = "classic"'.encode("utf-16"), ["UTF-16"]),
        (b"target 32", ["no TOML"]),
        (b"", ["name is missing"]),
    ],
    ids=[
        "a nonsensical value",
        "a number that is none",
        "an unknown field",
        "Latin-1",
        "UTF-16",
        "no TOML",
        "an empty file",
    ],
)
def test_a_bad_house_rule_file_is_refused_with_file_and_field(
    arena: InProcess, tmp_path: Path, content: bytes, words: list[str]
) -> None:
    file = tmp_path / "house.toml"
    file.write_bytes(content)
    assert_refused(arena("variants", "show", file), 2, str(file), *words)


def test_an_unknown_name_is_refused_with_the_nearest(arena: InProcess) -> None:
    done = arena("variants", "show", "tokn")
    assert_refused(done, 2, '"tokn"')
    assert '"token"' in done.err


@pytest.mark.parametrize("name", ["nowhere.toml", "./x", "."], ids=str)
def test_a_path_to_no_file_is_refused(arena: InProcess, name: str) -> None:
    assert_refused(arena("variants", "show", name), 2)


def test_a_file_without_end_is_refused(arena: InProcess) -> None:
    assert_refused(arena("variants", "show", "/dev/zero"), 2, "longer than")


def test_a_misspelt_field_is_recognised_and_its_base_named(
    arena: InProcess, tmp_path: Path
) -> None:
    house = tmp_path / "house.toml"
    house.write_text('extends = "token"\nname = "x"\ntargt = 1\n')
    done = arena("variants", "show", house)
    assert_refused(done, 2, "targt is no field of a variant; did you mean target?")
    assert "see: arena variants show token" in done.err
