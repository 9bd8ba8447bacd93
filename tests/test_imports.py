"""The direction of imports between rooms (docs/design.md): rules <- wire <- sdk, and so on.

The tables below are the rule; the tests read every module's imports, those for type checkers too.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ARENA = ROOT / "arena"
SAMPLE_BOTS = ROOT / "sample_bots" / "python"

# A room may import what stands here, and itself. Rooms come after all they may import, so there
# is no circle. `arena` is the package's own version number.
ALLOWED: dict[str, frozenset[str]] = {
    "arena": frozenset(),
    "ids": frozenset(),
    # What everything that runs may tell; pure rooms have nothing to tell.
    "events": frozenset(),
    "rules": frozenset(),
    "v1": frozenset(),
    "wire": frozenset({"rules", "v1"}),
    "sdk": frozenset({"arena", "rules", "v1", "wire"}),
    # Optional: what learns imports it, nothing of ours does.
    "env": frozenset({"rules", "sdk"}),
    "ratings": frozenset({"ids"}),
    "referee": frozenset({"ids", "rules"}),
    "schedule": frozenset({"ids", "ratings", "referee", "rules"}),
    # Experiments in one process: the referee's course, the kit's bots, no server.
    "lab": frozenset({"ids", "ratings", "referee", "rules", "schedule", "sdk"}),
    "store": frozenset({"arena", "ids", "ratings", "referee", "rules", "schedule", "v1", "wire"}),
    # What commands, pages and services show alike: none of them may count or round by itself.
    "standings": frozenset({"ids", "ratings", "rules", "schedule", "store"}),
    "hosting": frozenset({"arena", "ids", "referee", "rules", "schedule"}),
    # A bot of its own that starts a program, so it needs what a bot needs and how programs end.
    "bridge": frozenset({"hosting", "sdk", "v1"}),
    "web": frozenset(
        {
            "arena",
            "events",
            "ids",
            "ratings",
            "referee",
            "rules",
            "schedule",
            "standings",
            "store",
            "v1",
            "wire",
        }
    ),
}
ALLOWED["server"] = frozenset(ALLOWED) - {"sdk", "env", "lab", "bridge"}
# It speaks the contract as the server does, and examines any bot, ours included, from outside.
ALLOWED["conformance"] = frozenset({"arena", "hosting", "referee", "rules", "server", "v1", "wire"})
ALLOWED["cli"] = frozenset(ALLOWED) - {"env"}

# Single modules that are held to less than their room.
ALLOWED_TO_MODULES: dict[str, frozenset[str]] = {
    "arena.schedule.pairings": frozenset({"ids"}),
}

# What from outside the standard library these may import; rooms that are not here may import any.
PACKAGES: dict[str, frozenset[str]] = {
    "arena": frozenset(),
    "ids": frozenset(),
    "events": frozenset({"structlog"}),
    "rules": frozenset(),
    "wire": frozenset({"google"}),
    "sdk": frozenset({"google", "grpc"}),
    "env": frozenset({"gymnasium", "numpy", "pettingzoo"}),
    "ratings": frozenset({"trueskill"}),
    "referee": frozenset(),
}

# Rules and ratings are pure: no clock, no files, no log, no threads, no shared chance.
PURE_ROOMS = ("rules", "ratings")
IMPURE = frozenset(
    {
        "asyncio",
        "concurrent",
        "datetime",
        "io",
        "logging",
        "multiprocessing",
        "os",
        "pathlib",
        "secrets",
        "shutil",
        "socket",
        "subprocess",
        "sys",
        "tempfile",
        "threading",
        "time",
    }
)
IMPURE_CALLS = frozenset({"open", "print", "input"})


def module_name(path: Path) -> str:
    """The dotted name of a file under the repository's root."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str:
    """The room that holds an arena module; `arena` for the package itself."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "arena"


def absolute(node: ast.ImportFrom, package: str) -> str:
    """The dotted name that `from X import ...` reads from, in a file of `package`."""
    if node.level == 0:
        return node.module or ""
    parts = package.split(".")
    stem = parts[: len(parts) - node.level + 1]
    return ".".join([*stem, node.module] if node.module else stem)


def imports(source: str, package: str) -> Iterator[str]:
    """Every module that `source` imports; `from arena import x` counts as `arena.x`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            name = absolute(node, package)
            if name == "arena":
                own = (alias.name for alias in node.names)
                yield from ("arena" if x == "__version__" else f"arena.{x}" for x in own)
            else:
                yield name


def wrong_rooms(module: str, found: list[str]) -> list[str]:
    """The arena modules among `found` that `module` may not import."""
    room = room_of(module)
    allowed = ALLOWED_TO_MODULES.get(module, ALLOWED[room] | {room})
    ours = (name for name in found if name.split(".")[0] == "arena")
    return [name for name in ours if room_of(name) not in allowed]


def wrong_packages(module: str, found: list[str]) -> list[str]:
    """The imports among `found` from packages that the room of `module` may not use."""
    allowed = PACKAGES.get(room_of(module))
    if allowed is None:
        return []
    known = allowed | {"arena"} | sys.stdlib_module_names
    return [name for name in found if name.split(".")[0] not in known]


def impurities(source: str) -> list[str]:
    """What pure code may not do: impure modules, files, output, the shared random generator."""
    tree = ast.parse(source)
    found = [name for name in imports(source, "") if name.split(".")[0] in IMPURE]
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in IMPURE_CALLS:
                found.append(f"{name}()")
            case ast.Attribute(value=ast.Name(id="random"), attr=name) if name != "Random":
                found.append(f"random.{name}")
            case ast.ImportFrom(module="random", names=names):
                found += [f"random.{alias.name}" for alias in names if alias.name != "Random"]
            case _:
                pass
    return found


ARENA_FILES = sorted(ARENA.rglob("*.py"))


def package_of(path: Path) -> str:
    return module_name(path.parent / "__init__.py")


@pytest.mark.parametrize("path", ARENA_FILES, ids=module_name)
def test_a_module_imports_only_what_its_room_may(path: Path) -> None:
    module = module_name(path)
    found = list(imports(path.read_text("utf-8"), package_of(path)))
    assert room_of(module) in ALLOWED, f"{path} is in a room that this test does not know"
    assert wrong_rooms(module, found) == []
    assert wrong_packages(module, found) == []


@pytest.mark.parametrize(
    "path",
    [path for path in ARENA_FILES if room_of(module_name(path)) in PURE_ROOMS],
    ids=module_name,
)
def test_rules_and_ratings_are_pure(path: Path) -> None:
    assert impurities(path.read_text("utf-8")) == []


def test_sample_bots_import_only_the_sdk() -> None:
    files = sorted(SAMPLE_BOTS.rglob("*.py"))
    found = [(path.name, name) for path in files for name in imports(path.read_text("utf-8"), "")]
    ours = [(file, name) for file, name in found if name.split(".")[0] == "arena"]
    assert [(file, name) for file, name in ours if room_of(name) != "sdk"] == []


def test_the_rooms_have_an_order() -> None:
    rooms = list(ALLOWED)
    for number, room in enumerate(rooms):
        assert ALLOWED[room] <= set(rooms[:number]), f"{room} may import a later room"


@pytest.mark.parametrize(
    ("module", "source", "wrong"),
    [
        ("arena.rules.hand", "import arena.wire", ["arena.wire"]),
        ("arena.rules.hand", "from ..store import journal", ["arena.store"]),
        ("arena.rules.hand", "from . import cards", []),
        ("arena.rules.hand", "from arena import server", ["arena.server"]),
        ("arena.sdk.run", "def f():\n    from arena.referee import clock", ["arena.referee"]),
        ("arena.sdk.run", "from arena import __version__", []),
        ("arena.schedule.pairings", "from arena.rules import cards", ["arena.rules"]),
        ("arena.schedule.runner", "from arena.schedule import pairings", []),
    ],
)
def test_a_wrong_direction_is_seen(module: str, source: str, wrong: list[str]) -> None:
    assert wrong_rooms(module, list(imports(source, module.rpartition(".")[0]))) == wrong


@pytest.mark.parametrize(
    ("module", "source", "wrong"),
    [
        ("arena.rules.hand", "import numpy.linalg", ["numpy.linalg"]),
        ("arena.rules.hand", "import enum, hmac", []),
        ("arena.referee.clock", "import grpc", ["grpc"]),
        ("arena.ratings.skill", "import trueskill", []),
        ("arena.server.app", "import grpc", []),
    ],
)
def test_a_wrong_package_is_seen(module: str, source: str, wrong: list[str]) -> None:
    assert wrong_packages(module, list(imports(source, module.rpartition(".")[0]))) == wrong


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("import time", ["time"]),
        ("import os.path", ["os.path"]),
        ("open('x')", ["open()"]),
        ("import random\nrandom.shuffle([])", ["random.shuffle"]),
        ("import random\nrandom.Random(1).shuffle([])", []),
        ("from random import Random, choice", ["random.choice"]),
    ],
)
def test_an_impurity_is_seen(source: str, wrong: list[str]) -> None:
    assert impurities(source) == wrong
