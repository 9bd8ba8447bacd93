"""What becomes of a submission, as lines for people or as one JSON document."""

from __future__ import annotations

from typing import Any, Final

from arena.cli.layout import counted
from arena.cli.screen import stderr_screen, stdout_screen, tell, write, write_json
from arena.v1 import bot_service_pb2 as pb

_VERDICTS: Final = {
    pb.STEP_VERDICT_PASSED: "passed",
    pb.STEP_VERDICT_WARNED: "warned",
    pb.STEP_VERDICT_FAILED: "failed",
    pb.STEP_VERDICT_NOT_TRIED: "not tried",
}
_STAGES: Final = {
    pb.SUBMISSION_STATE_BUILDING: "is being built",
    pb.SUBMISSION_STATE_CHECKING: "is being checked",
}


class Told:
    """Tells of one submission while it goes on, and in the end what came of it.

    A stream that is joined again begins at the start: what was told is not told twice.

    Args:
        name: the bot's.
        as_json: whether only the end is told, as JSON.
    """

    def __init__(self, name: str, *, as_json: bool) -> None:
        self.name = name
        self._as_json = as_json
        self._log: list[str] = []
        self._steps: list[pb.CheckedStep] = []
        self._stages: list[str] = []
        self._lines_heard = 0
        self._is_joined = True
        self._document: dict[str, Any] = {"schema": "arena.submission/1", "bot": name}

    @property
    def submission(self) -> str:
        """Its resource name, empty before the arena has taken it."""
        return str(self._document.get("submission", ""))

    @property
    def reason(self) -> str:
        """Why it failed, empty where it did not."""
        return str(self._document.get("reason") or "")

    @property
    def has_log(self) -> bool:
        """Whether anything of the build or the check was heard."""
        return bool(self._log or self._steps)

    def begin(self, size: int) -> None:
        """The archive is being sent."""
        self._lines_heard = 0
        self._say(f"sends {size / 1024:.0f} KiB")

    def joining(self, seconds: float) -> None:
        """The connection is lost; so long it is looked for, and all is heard again."""
        self._lines_heard = 0
        if self._is_joined:
            self._is_joined = False
            self._tell(f"{self.name} has lost the arena, and joins again within {seconds:.0f} s")

    def joined(self) -> None:
        """The arena is there again; what it was at is begun anew, and told from where it was."""
        self._is_joined = True
        self._tell(f"{self.name} has joined again: what was begun is done once more")

    def leave(self, command: str) -> None:
        """Nobody listens any more; what shows how it went on."""
        if self.submission:
            self._tell("")  # the terminal has shown ^C
            self._tell(f"{self.submission} goes on without you: {command}")

    def hear(self, message: pb.SubmitBotResponse) -> bool | None:
        """Tell of one message; whether it is ready, None while that is open."""
        match message.WhichOneof("progress"):
            case "received":
                self._received(message.received)
            case "waiting":
                self._say(_waiting_words(message.waiting))
            case "moved":
                self._say(_STAGES.get(message.moved.state, "goes on"))
            case "lines":
                self._lines(message.lines.lines)
            case "step":
                self._step(message.step)
            case "ready":
                return self._ready(message.ready)
            case "failed":
                return self._failed(message.failed.reason)
            case _:
                pass  # of a newer arena
        return None

    def log(self, text: str) -> None:
        """What the build and the check said that nobody heard."""
        self._lines_heard = len(self._log)
        self._lines(text.splitlines())

    def end(self) -> None:
        """Print the document, where one is wanted."""
        if self._as_json:
            steps = [_step_data(step) for step in self._steps]
            write_json(self._document | {"log": self._log, "steps": steps})

    def _received(self, received: pb.SubmissionReceived) -> None:
        self._document["submission"] = received.submission
        self._document["content_hash"] = received.content_hash
        known = ", known: nothing is built again" if received.known else ""
        self._say(f"was received as {received.submission}{known}")

    def _say(self, words: str) -> None:
        if words not in self._stages:
            self._stages.append(words)
            self._tell(f"{self.name} {words}")

    def _lines(self, lines: Any) -> None:
        for line in lines:
            self._lines_heard += 1
            if self._lines_heard > len(self._log):
                self._log.append(line)
                self._tell(f"  {line}")

    def _step(self, step: pb.CheckedStep) -> None:
        if any(step.number == one.number for one in self._steps):
            return
        told = any(step.note == one.note and step.stderr == one.stderr for one in self._steps)
        self._steps.append(step)
        note = f": {step.note}" if step.note and not (told and step.stderr) else ""
        verdict = _VERDICTS.get(step.verdict, "unknown")
        self._tell(f"  {step.number:2} of {step.total}  {step.name}  {verdict}{note}")
        for line in () if told else step.stderr:
            self._tell(f"      {line}")

    def _ready(self, ready: pb.SubmissionReady) -> bool:
        label = ready.version.label
        self._document |= {"state": "ready", "version": label, "reason": None}
        if not self._as_json:
            write(stdout_screen().safe(f"{self.name} {label} is ready to play"))
        return True

    def _failed(self, reason: str) -> bool:
        self._document |= {"state": "failed", "version": None, "reason": reason}
        return False

    def refusal(self) -> str:
        """Why it failed."""
        return f"{self.name} was not taken: {self.reason}"

    def _tell(self, text: str) -> None:
        if not self._as_json:
            tell(stderr_screen().safe(text))


def _waiting_words(waiting: pb.SubmissionWaiting) -> str:
    """How many are first, and how long the one has been worked on where that is worth a word."""
    others = counted(waiting.ahead, "other")
    minutes, seconds = divmod(waiting.worked_seconds, 60)
    if not waiting.worked_seconds:
        return f"waits for {others}"
    lasts = f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
    which = "that one" if waiting.ahead == 1 else "one of them"
    return f"waits for {others}; {which} has been worked on for {lasts}"


def _step_data(step: pb.CheckedStep) -> dict[str, Any]:
    return {
        "number": step.number,
        "name": step.name,
        "verdict": _VERDICTS.get(step.verdict, "unknown"),
        "note": step.note,
        "stderr": list(step.stderr),
    }
