"""The console entry: quiet where it is interrupted before anything runs.

The commands take a moment to import, and ctrl-C within it should show no traceback.
"""

from __future__ import annotations

import signal
from typing import NoReturn


def main() -> NoReturn:
    """Import the commands and run one.

    An interrupt meanwhile ends the process as it ends any other program, without a word; one that
    is ignored, as of a shell's background job, stays ignored.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from arena.cli.main import main as run

    signal.signal(signal.SIGINT, before)
    run()
