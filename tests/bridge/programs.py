"""Programs behind the bridge, in sh, as a test writes them."""

from __future__ import annotations

from pathlib import Path

FIRST = """\
while IFS= read -r line; do
    case $line in *'"decision":'*)
        id=${line#*\\"decision_id\\":}
        echo "{\\"decision_id\\":${id%%,*},\\"index\\":0}" ;;
    esac
done
"""
"""Answers the first legal action."""


def script(folder: Path, lines: str, *, name: str = "child.sh") -> str:
    """The path of a shell script with these lines."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{lines}\n")
    path.chmod(0o755)
    return str(path)
