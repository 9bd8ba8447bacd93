"""From an error to what a person is told: one sentence, a hint where there is one, an exit code.

This is the one place that knows which errors are told to people; anything else is our own bug and
shows as such.  The table goes by name, so that no command has to import rooms that it does not use.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import typer

DONE: Final = 0
FAILED: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130
READER_GONE: Final = 141
"""What a shell reports of a program that ended by SIGPIPE."""

_KNOWN: Final = {
    "arena.hosting.command.CommandError": USAGE,
    "arena.hosting.fleet.BotFailed": FAILED,
    "arena.hosting.workshop.NotLodged": FAILED,
    "arena.referee.policy.PolicyError": USAGE,
    "arena.referee.seat.ArenaFault": FAILED,
    "arena.rules.errors.VariantError": USAGE,
    "arena.rules.errors.DealError": USAGE,
    "arena.rules.errors.RulesError": FAILED,
    "arena.schedule.pairings.ScheduleError": USAGE,
    "arena.sdk.options.OptionsError": USAGE,
    "arena.server.listening.AddressError": USAGE,
    "arena.server.listening.ListenError": FAILED,
    "arena.server.organiser.DataFolderError": FAILED,
    "arena.store.errors.StoreError": FAILED,
}
"""By full name; the most special class of an error that stands here counts."""

# The classes of the command line itself live at different places in different versions of Typer.
_COMMAND_LINE_ERROR: Final = typer.BadParameter.__mro__[2]
assert _COMMAND_LINE_ERROR.__name__ == "ClickException"


_LIMITS: Final = {
    "Input should be greater than or equal to": "must be at least",
    "Input should be less than or equal to": "must be at most",
}
"""The library's words for what a number must be, and ours."""


class CliError(Exception):
    """Something a person has to be told; the text is one sentence.

    Args:
        sentence: what is wrong.
        hint: what to do, where the sentence does not say it.
        code: the exit code.
        output: lines to show below, of what a program said.
    """

    def __init__(
        self, sentence: str, *, hint: str = "", code: int = USAGE, output: tuple[str, ...] = ()
    ) -> None:
        super().__init__(sentence)
        self.hint = hint
        self.code = code
        self.output = output


@dataclass(frozen=True, slots=True)
class Failure:
    """What a person is told; see `CliError`."""

    sentence: str
    hint: str
    code: int
    output: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The kind of failure, for programs."""
        return {USAGE: "usage", INTERRUPTED: "interrupted"}.get(self.code, "failed")


def explain(error: BaseException) -> Failure | None:
    """What to tell about an error; None for one that nobody foresaw."""
    for cause in leaves(error):
        failure = _explain_one(cause)
        if failure is not None:
            return failure
    return None


def leaves(error: BaseException) -> Iterator[BaseException]:
    """The errors inside a group, or the error itself."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from leaves(inner)
    else:
        yield error


def _explain_one(error: BaseException) -> Failure | None:
    if isinstance(error, CliError):
        return Failure(str(error), error.hint, error.code, error.output)
    if isinstance(error, _COMMAND_LINE_ERROR):
        return _explain_usage(error)
    if isinstance(error, (KeyboardInterrupt, typer.Abort)):
        return Failure("interrupted", "", INTERRUPTED)
    if isinstance(error, OSError):
        return Failure(os_sentence(error), "", FAILED)
    for kind in type(error).__mro__:
        code = _KNOWN.get(f"{kind.__module__}.{kind.__qualname__}")
        if code is not None:
            return Failure(_one_line(str(error)), "", code)
    return None


def _explain_usage(error: BaseException) -> Failure:
    sentence = _one_line(error.format_message()).rstrip(".")  # type: ignore[attr-defined]
    for theirs, ours in _LIMITS.items():
        sentence = sentence.replace(theirs, ours)
    context = getattr(error, "ctx", None)
    hint = f"see: {context.command_path} --help" if context is not None else ""
    return Failure(sentence[:1].lower() + sentence[1:], hint, USAGE)


def os_sentence(error: OSError) -> str:
    """What the system said, with the file it is about."""
    reason = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {reason}" if error.filename is not None else reason


def _one_line(text: str) -> str:
    return " ".join(text.split())
