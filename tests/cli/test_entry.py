"""The console entry: ctrl-C while the commands are imported."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from tests.cli.commands import PLAIN, ROOT

INTERRUPTED = """\
import os, signal, sys

class Interrupt:
    def find_spec(self, name, *_):
        if name == "arena.cli.main":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
signal.signal(signal.SIGINT, signal.{handler})
from arena.cli.entry import main
main()
"""


@pytest.mark.parametrize(
    ("handler", "code"), [("default_int_handler", -signal.SIGINT), ("SIG_IGN", 0)]
)
def test_an_interrupt_among_the_imports_is_quiet(handler: str, code: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.format(handler=handler), "variants", "list"],
        env=PLAIN,
        cwd=ROOT,
        capture_output=True,
        check=False,
        timeout=50,
    )
    assert (done.returncode, done.stderr) == (code, b"")
