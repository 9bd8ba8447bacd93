"""What libraries and the server log, as single lines on standard error."""

from __future__ import annotations

import logging
import os

from arena.cli.screen import tell


class OneLine(logging.Handler):
    """Each event is one line without control characters, whatever it quotes."""

    def emit(self, record: logging.LogRecord) -> None:
        """Tell it."""
        reason = ""
        if record.exc_info is not None and record.exc_info[1] is not None:
            reason = f": {record.exc_info[1]}"
        told = " ".join(f"{record.getMessage()}{reason}".split())
        by = "" if record.levelno == logging.INFO else f"{record.name}: "  # events are plain
        tell(f"{record.levelname.lower()}: {by}{told}")


def log_in_lines(*, events: bool = False) -> None:
    """Log warnings and worse in lines; to be called before gRPC is imported.

    Args:
        events: whether to tell what happens in the arena too.
    """
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    root = logging.getLogger()
    if not any(isinstance(handler, OneLine) for handler in root.handlers):
        root.addHandler(OneLine())
    logging.getLogger("arena").setLevel(logging.INFO if events else logging.NOTSET)
