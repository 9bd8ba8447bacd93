"""README and docs: what they print is fresh, what they name exists, what exists is named."""

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
import typer
from typer.main import get_command

import arena.sdk
from arena.cli.main import app
from arena.rules.house import variant_from_toml
from arena.rules.variant import BidRule, CallRule, TokenRules, Variant
from arena.sdk import ActionKind, FinishedGame, FinishedHand, Match
from arena.sdk.options import __doc__ as options_table
from arena.sdk.view import View
from arena.v1 import action_pb2, record_pb2, referee_pb2

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
PROTOCOL = (ROOT / "docs" / "protocol.md").read_text()
RULES = (ROOT / "docs" / "rules.md").read_text()
PYTHON = (ROOT / "docs" / "bots" / "python.md").read_text()
README = (ROOT / "README.md").read_text()
SAMPLES = sorted((ROOT / "sample_bots").glob("*/*/README.md"))
CODE = re.compile(r"`(\w+)`")
EVERYTHING = "\n".join(path.read_text() for path in DOCUMENTS)

PARAGRAPH = re.compile(r"\b(?:[CTD]\d(?:\.\d)?|B\d|[SI]\d|A1)\b")
"""A paragraph of the rules as code and contract cite it."""


def test_the_generated_parts_are_fresh() -> None:
    check = [sys.executable, str(ROOT / "scripts" / "documents" / "main.py"), "--check"]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


WIRE_NAMES = [
    name
    for enum in (referee_pb2.RejectionCode, record_pb2.EndingKind, action_pb2.ActionKind)
    for name in enum.DESCRIPTOR.values_by_name
    if not name.endswith("_UNSPECIFIED")
]


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_the_protocol_explains_every_code_ending_and_action(name: str) -> None:
    assert f"| `{name}` |" in PROTOCOL


@pytest.mark.parametrize("message", ["PlayRequest", "PlayResponse", "Item"])
def test_the_protocol_explains_every_arm(message: str) -> None:
    arms = referee_pb2.DESCRIPTOR.message_types_by_name[message].oneofs[0].fields
    unnamed = {
        arm.name for arm in arms if not re.search(rf"\b({arm.name}|{pascal(arm.name)})\b", PROTOCOL)
    }
    assert unnamed == set()


def pascal(name: str) -> str:
    """``HandFinished`` for ``hand_finished``."""
    return "".join(word.capitalize() for word in name.split("_"))


def commands() -> Iterator[str]:
    """The commands of the terminal: ``arena match``, ``arena record show``, ..."""
    root = get_command(app)
    todo = [("arena", root)]
    while todo:
        name, command = todo.pop()
        inner = getattr(command, "commands", None)
        if inner is None:
            yield name
        else:
            todo += [(f"{name} {word}", part) for word, part in inner.items()]


@pytest.mark.parametrize("command", sorted(commands()))
def test_every_command_is_in_the_docs(command: str) -> None:
    assert re.search(rf"\b{command}\b", EVERYTHING)


def test_the_docs_name_no_command_that_does_not_exist() -> None:
    known = set(commands())
    groups = {name.rsplit(" ", 1)[0] for name in known}
    shell = "\n".join(re.findall(r"^```sh\n(.*?)^```$", EVERYTHING, re.MULTILINE | re.DOTALL))
    found = re.findall(r"^(arena(?: [a-z]+(?:-[a-z]+)*)+)", shell, re.MULTILINE)
    found += re.findall(r"`(arena(?: [a-z]+(?:-[a-z]+)*)+)", EVERYTHING)
    unknown = {
        text
        for text in found
        if text not in groups and not any(f"{text} ".startswith(f"{name} ") for name in known)
    }
    assert unknown == set()


FIELDS = [
    *(field.name for kind in (Variant, BidRule, CallRule) for field in fields(kind)),
    *(f"tokens.{field.name}" for field in fields(TokenRules)),
]


@pytest.mark.parametrize("name", FIELDS)
def test_the_rules_name_every_field_of_a_variant(name: str) -> None:
    house_rules = RULES[RULES.index("## House rules") : RULES.index("## Readings")]
    assert f"`{name}`" in house_rules


def paragraphs_cited() -> dict[str, str]:
    """Every paragraph that code or contract cites, with a file that does."""
    cited: dict[str, str] = {}
    files = [*(ROOT / "arena").rglob("*.py"), *(ROOT / "proto").rglob("*.proto")]
    for path in files:
        if path.parent.name != "v1" or path.suffix == ".proto":
            for mention in re.findall(r"\(rules? ([^)]*)\)|\"([CTBD]\d[.\d]*)\"", path.read_text()):
                for number in PARAGRAPH.findall(" ".join(mention)):
                    cited.setdefault(number, str(path.relative_to(ROOT)))
    return cited


def test_every_paragraph_that_is_cited_exists() -> None:
    there = set(re.findall(r"^- \*\*([A-Z]\d+(?:\.\d+)?)\*\*", RULES, re.MULTILINE))
    there |= set(re.findall(r"^### ([A-Z]\d+) ", RULES, re.MULTILINE))
    assert {
        number: file for number, file in paragraphs_cited().items() if number not in there
    } == {}


def test_the_readings_are_numbered_in_order() -> None:
    numbers = [int(number) for number in re.findall(r"^- \*\*R(\d+)\*\*", RULES, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) > 20


@pytest.mark.parametrize("name", sorted(View.__annotations__))
def test_the_python_guide_names_every_attribute_of_a_view(name: str) -> None:
    assert re.search(rf"`(?:view\.)?{name}`", PYTHON)


def section(text: str, title: str) -> str:
    """What stands under a heading of the second level."""
    start = text.index(f"\n## {title}\n")
    return text[start : text.index("\n## ", start + 1)]


def test_what_the_python_guide_imports_exists() -> None:
    table = section(PYTHON, "What to import").split("\n\n")[2]
    names = {name for row in table.splitlines() for name in CODE.findall(row.split("|")[1])}
    assert len(names) > 25
    assert names - set(arena.sdk.__all__) == set()


@pytest.mark.parametrize("kind", ActionKind, ids=lambda kind: kind.name)
def test_the_python_guide_names_every_kind_of_action(kind: ActionKind) -> None:
    assert f"`{kind.name}`" in section(PYTHON, "What to import")


@pytest.mark.parametrize(
    "told", [Match, FinishedHand, FinishedGame], ids=lambda told: told.__name__
)
def test_the_python_guide_names_what_a_bot_is_told(told: type) -> None:
    title = "self.match" if told is Match else told.__name__
    (row,) = re.findall(rf"^\| `{title}` \|.*$", PYTHON, re.MULTILINE)
    assert {field.name for field in fields(told) if f"`{field.name}`" not in row} == set()


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.parent.name)
def test_the_samples_say_that_a_bot_has_two_chairs(path: Path) -> None:
    text = path.read_text()
    assert "ARENA_CHAIR=first" in text
    assert "ARENA_CHAIR=second" in text


def test_the_rules_house_rule_is_one() -> None:
    (house_rule,) = re.findall(r"^```toml\n(.*?)^```$", RULES, re.MULTILINE | re.DOTALL)
    assert [bid.name for bid in variant_from_toml(house_rule).bids] == ["4", "5", "lone"]


def test_readme_and_guide_write_records_into_folders_of_their_own() -> None:
    readme, guide = (re.findall(r"--out (\S+)", text) for text in (README, PYTHON))
    assert readme
    assert guide
    assert not set(readme) & set(guide)


def test_the_python_guide_names_every_variable_and_flag() -> None:
    assert options_table is not None
    names = set(re.findall(r"``(ARENA_[A-Z_]+|--[a-z-]+)``", options_table))
    assert len(names) > 10
    assert {name for name in names if f"`{name}`" not in PYTHON} == set()


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    text = path.read_text()
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)(#[^)\s]*)?\)", text):
        there = path.parent / target if target else path
        assert there.exists(), target
        if anchor:
            titles = re.findall(r"^#+ (.*)$", there.read_text(), re.MULTILINE)
            assert anchor[1:] in {slug(title) for title in titles}, anchor


def slug(title: str) -> str:
    """The anchor of a heading as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def test_the_commands_are_found_by_walking() -> None:
    assert isinstance(app, typer.Typer)
    assert {"arena match", "arena record verify", "arena variants show"} <= set(commands())


@pytest.mark.timeout(180)  # it reads the types of all that the kit imports
def test_the_guides_typed_bots_pass_a_strict_type_check(tmp_path: Path) -> None:
    written = re.findall(r"cat > (\w+\.py) <<'END'\n(.*?)^END$", PYTHON, re.MULTILINE | re.DOTALL)
    typed = {name: code for name, code in written if "def act(self, view: View" in code}
    assert len(typed) >= 3
    for name, code in typed.items():
        (tmp_path / name).write_text(code)
    check = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), *typed]
    done = subprocess.run(check, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
