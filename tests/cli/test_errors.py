"""Every known error becomes a sentence, every other one a report of a bug."""

from __future__ import annotations

import importlib

import pytest
import typer

from arena.cli import errors, main
from arena.cli.errors import CliError, explain
from arena.hosting.fleet import BotFailed
from arena.rules.errors import DealError
from tests.cli.commands import InProcess, assert_refused


@pytest.mark.parametrize("name", errors._KNOWN)
def test_every_known_error_exists(name: str) -> None:
    module, _, kind = name.rpartition(".")
    assert issubclass(getattr(importlib.import_module(module), kind), Exception)


@pytest.mark.parametrize(
    ("error", "sentence", "code"),
    [
        (CliError("no", code=1), "no", 1),
        (DealError("a seed"), "a seed", 2),
        (BotFailed("line one\nline two"), "line one line two", 1),
        (FileNotFoundError(2, "No such file", "x.toml"), "x.toml: No such file", 1),
        (KeyboardInterrupt(), "interrupted", 130),
        (BaseExceptionGroup("g", [ValueError(), BotFailed("gone")]), "gone", 1),
        (typer.BadParameter("Too big."), "invalid value: Too big", 2),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_a_known_error_is_explained(error: BaseException, sentence: str, code: int) -> None:
    failure = explain(error)
    assert failure is not None
    assert (failure.sentence, failure.code) == (sentence, code)


def test_an_unforeseen_error_is_called_a_bug(
    arena: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: object) -> None:
        raise ZeroDivisionError("by\nzero")

    monkeypatch.setattr(main, "app", fail)
    monkeypatch.delenv("ARENA_DEBUG", raising=False)
    assert_refused(arena("variants", "list"), 1, "a bug of the arena: ZeroDivisionError: by zero")
    monkeypatch.setenv("ARENA_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        arena("variants", "list")


@pytest.mark.parametrize(
    "arguments",
    [["nothing"], ["variants"], ["variants", "show"], ["match", "--sets", "x", "a", "b"], ["-x"]],
    ids=" ".join,
)
def test_wrong_usage_is_told_in_one_sentence(arena: InProcess, arguments: list[str]) -> None:
    assert_refused(arena(*arguments), 2)


def test_errors_as_json(arena: InProcess) -> None:
    done = arena("variants", "show", "tokn", "--json")
    assert done.code == 2
    assert done.err.startswith('{"error": {"code": "usage", "message": "no variant is called')


def test_nothing_asked_is_help(arena: InProcess) -> None:
    done = arena()
    assert (done.code, done.out.startswith("Usage: arena")) == (0, True)


def test_the_version_is_printed(arena: InProcess) -> None:
    assert arena("--version").out.startswith("arena 0.")


@pytest.mark.parametrize(
    "group", [[], ["tournament"], ["record"], ["bot"], ["variants"]], ids=" ".join
)
def test_no_line_of_help_is_cut(arena: InProcess, group: list[str]) -> None:
    done = arena(*group, "--help")
    assert done.code == 0
    assert [line for line in done.out.splitlines()[1:] if line.endswith("...")] == []
