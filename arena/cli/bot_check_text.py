"""What ``arena bot check`` prints: a line for each step, more for one that failed, a summary."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from arena.cli.layout import Column, counted, table_lines
from arena.cli.screen import Screen, stdout_screen, tell, write, write_json, write_over
from arena.conformance.runner import Result
from arena.conformance.steps import Step
from arena.conformance.verdicts import Verdict

SCHEMA: Final = "arena.check/1"
MOST_JSON: Final = 1200
"""Characters of a message in the text; all of it is in the JSON."""

_WORDS: Final = {
    Verdict.PASSED: "passed",
    Verdict.WARNED: "warned",
    Verdict.FAILED: "FAILED",
    Verdict.NOT_TRIED: "not tried",
}
_STYLES: Final = {
    Verdict.PASSED: "green",
    Verdict.WARNED: "yellow",
    Verdict.FAILED: "red",
    Verdict.NOT_TRIED: "dim",
}
_NAME_WIDTH: Final = 16
_WORD_WIDTH: Final = 9


class Report:
    """The answer of a check, written as it comes up.

    Attributes:
        results: so far.
    """

    def __init__(self, total: int, *, as_json: bool) -> None:
        self._total = total
        self._as_json = as_json
        self._bot = ""
        self._command: tuple[str, ...] = ()
        self._began = time.monotonic()
        self._untried: list[Result] = []
        self.results: list[Result] = []

    def begin(self, bot: str, command: tuple[str, ...]) -> None:
        """A check begins."""
        self._bot, self._command = bot, command
        who = bot or "a bot that dials in"
        tell(f"check   {who} · {counted(self._total, 'step')}")

    def invite(self, address: str, token: str) -> None:
        """Say what to start."""
        tell("start the bot with these, once or in a loop:")
        tell(f"  ARENA_ADDR={address}")
        tell(f"  ARENA_TOKEN={token}")
        tell("and have its Hello say CHAIR_FIRST (the Python kit: ARENA_CHAIR=first)")

    def begun(self, number: int, step: Step) -> None:
        """A step is being tried."""
        if not self._as_json and stdout_screen().terminal:
            write_over(f"{number:3} {step.name:{_NAME_WIDTH}} {step.sentence}")

    def done(self, result: Result) -> None:
        """A step has its result."""
        self.results.append(result)
        if self._as_json:
            return
        screen = stdout_screen()
        if screen.terminal:
            write_over("")
        if self._untried and self._untried[-1].note != result.note:
            self._tell_untried(screen)
        if result.verdict is Verdict.NOT_TRIED:
            self._untried.append(result)
            return
        write(_line(result, screen))
        if result.verdict is Verdict.FAILED:
            for line in _failure_lines(result):
                write(screen.safe(line))

    def _tell_untried(self, screen: Screen) -> None:
        """Say once of steps in a row why they were not tried."""
        untried, self._untried = self._untried, []
        if len(untried) == 1:
            write(_line(untried[0], screen))
        elif untried:
            numbers = f"steps {untried[0].number} to {untried[-1].number}"
            word = _WORDS[Verdict.NOT_TRIED]
            line = f"{numbers:{4 + _NAME_WIDTH}} {word:{_WORD_WIDTH}} {untried[0].note}"
            write(screen.styled(screen.safe(line), _STYLES[Verdict.NOT_TRIED]))

    def end(self, *, interrupted: bool) -> None:
        """The check is over, before its last step where it was interrupted."""
        if not self._as_json:
            self._tell_untried(stdout_screen())
        counts = Counter(result.verdict for result in self.results)
        if self._as_json:
            write_json(self._data(counts, interrupted=interrupted))
            return
        seconds = time.monotonic() - self._began
        parts = [f"{counts[verdict]} {_WORDS[verdict].lower()}" for verdict in Verdict]
        tried = counted(len(self.results), "step")
        if interrupted:
            if stdout_screen().terminal:
                write_over("")
            tried = f"interrupted after {len(self.results)} of {counted(self._total, 'step')}"
        write(f"{tried}: {', '.join(parts)} ({seconds:.0f} s)")

    def _data(self, counts: Counter[Verdict], *, interrupted: bool) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "bot": self._bot or None,
            "command": list(self._command),
            "interrupted": interrupted,
            "total": self._total,
            "counts": {verdict.value: counts[verdict] for verdict in Verdict},
            "seconds": round(time.monotonic() - self._began, 3),
            "steps": [_result_data(result) for result in self.results],
        }

    @property
    def failed(self) -> bool:
        """Whether a step has failed."""
        return any(result.verdict is Verdict.FAILED for result in self.results)

    @property
    def warned(self) -> bool:
        """Whether a step has warned."""
        return any(result.verdict is Verdict.WARNED for result in self.results)


def _line(result: Result, screen: Screen) -> str:
    word = screen.styled(f"{_WORDS[result.verdict]:{_WORD_WIDTH}}", _STYLES[result.verdict])
    note = screen.safe(result.note)
    return f"{result.number:3} {result.step.name:{_NAME_WIDTH}} {word} {note}".rstrip()


def _failure_lines(result: Result) -> list[str]:
    lines = [
        f"      step       {result.step.sentence}",
        f"      see        {result.step.paragraph}",
        f"      expected   {result.expected}",
    ]
    if result.sent is not None:
        lines.append(f"      sent       {_json_text(result.sent)}")
    if result.came_back is not None:
        lines.append(f"      came back  {_json_text(result.came_back)}")
    lines += (f"      stderr     {line}" for line in result.stderr)
    return lines


def _json_text(data: Any) -> str:
    text = json.dumps(data, ensure_ascii=False)
    return text if len(text) <= MOST_JSON else f"{text[:MOST_JSON]}... (--json has all)"


def _result_data(result: Result) -> dict[str, Any]:
    return {
        **_step_data(result.number, result.step),
        "verdict": result.verdict.value,
        "note": result.note,
        "seconds": round(result.seconds, 3),
        "sent": result.sent,
        "came_back": result.came_back,
        "expected": result.expected,
        "stderr": list(result.stderr),
    }


def _step_data(number: int, step: Step) -> dict[str, Any]:
    return {
        "number": number,
        "name": step.name,
        "sentence": step.sentence,
        "paragraph": step.paragraph,
    }


def write_catalogue(steps: Sequence[tuple[int, Step]], *, as_json: bool) -> None:
    """List all steps."""
    if as_json:
        data = [_step_data(number, step) for number, step in steps]
        write_json({"schema": "arena.check-steps/1", "steps": data})
        return
    columns = [
        Column("", [str(number) for number, _ in steps], right=True),
        Column("step", [step.name for _, step in steps]),
        Column("the bot", [step.sentence for _, step in steps]),
        Column("see", [step.paragraph for _, step in steps], need=1),
    ]
    write("\n".join(table_lines(columns, stdout_screen())))
