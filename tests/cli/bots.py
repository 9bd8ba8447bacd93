"""Bots that misbehave in ways a command line can show."""

from __future__ import annotations

from pathlib import Path

_INTERRUPTER = '''
import os, signal
from arena.sdk import Bot, run

class Interrupter(Bot):
    """Plays; one of its processes interrupts the arena that started it."""
    acts = 0
    def act(self, view, legal):
        self.acts += 1
        if self.acts in MOMENTS:
            try:
                os.close(os.open(f"{__file__}.{self.acts}", os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                os.kill(os.getppid(), signal.SIGNAL)
        return legal[0]

run(Interrupter, name="interrupter")
'''


def interrupter(folder: Path, *moments: int, signal: str = "SIGINT") -> str:
    """The command of a bot that sends a signal at some of its decisions, once each."""
    script = folder / "interrupter.py"
    script.write_text(f"MOMENTS = {moments!r}\n" + _INTERRUPTER.replace("SIGNAL", signal))
    return f"python {script}"


def script(folder: Path, name: str, lines: str) -> str:
    """The command of a shell script."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{lines}\n")
    path.chmod(0o755)
    return str(path)
