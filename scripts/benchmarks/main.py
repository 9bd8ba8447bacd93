"""``scripts/bench NAME``: one measurement by name; each lives in a module of its own here."""

from __future__ import annotations

import importlib
import sys

BENCHES = {
    "memory": "what a server still holds after sessions and decisions are over",
    "rules": "random play against OpenSpiel's euchre",
    "sandbox": "starts and matches of bots in sandboxes against bare processes",
    "wire": "decisions through the whole arena against bare gRPC echoes",
}


def usage() -> str:
    lines = [f"  scripts/bench {name:8}{what}" for name, what in BENCHES.items()]
    return "\n".join(["usage: scripts/bench NAME [--help] [options]", "", *lines])


def main(arguments: list[str]) -> int:
    """Run the measurement that is named first; what follows is for it.

    Returns:
        0 when it was measured, 1 when it could not be, 2 for a wrong command line.
    """
    if arguments[:1] in (["-h"], ["--help"]):
        print(usage())
        return 0
    if not arguments or arguments[0] not in BENCHES:
        named = f"there is no measurement {arguments[0]!r}" if arguments else "name a measurement"
        print(f"scripts/bench: {named}: one of {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    # Loaded by name, so that one measurement needs nothing of what the others import.
    status: int = importlib.import_module(arguments[0]).main(arguments[1:])
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
