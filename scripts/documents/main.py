"""Rewrites the generated parts of README.md and docs/.

A generated part stands between two comments::

    <!-- generated: NAME -->
    ...
    <!-- end -->

What comes between is made by ``PARTS[NAME]``; nobody edits it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from checks import steps_table
from examples import EXAMPLES
from variants import variants_table

ROOT: Final = Path(__file__).resolve().parents[2]
DOCUMENTS: Final = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))

PARTS: Final[dict[str, Callable[[], str]]] = {
    "variants": variants_table,
    "check-steps": steps_table,
    **EXAMPLES,
}

_PART: Final = re.compile(r"<!-- generated: (?P<name>[a-z-]+) -->\n.*?<!-- end -->", re.DOTALL)


class UnknownPart(Exception):
    """A document asks for a part that nobody makes."""


def rewritten(text: str) -> str:
    """The document with its generated parts made anew.

    Raises:
        UnknownPart: one of them is not known.
    """

    def part(found: re.Match[str]) -> str:
        make = PARTS.get(found["name"])
        if make is None:
            raise UnknownPart(f"there is no generated part {found['name']!r}: {', '.join(PARTS)}")
        return f"<!-- generated: {found['name']} -->\n{make()}\n<!-- end -->"

    return _PART.sub(part, text)


def main(arguments: list[str]) -> int:
    """Write or check; the exit code."""
    if arguments not in ([], ["--check"]):
        sys.stderr.write(f"scripts/docs: takes --check or nothing, got {' '.join(arguments)!r}\n")
        return 2
    stale = []
    for path in DOCUMENTS:
        before = path.read_text(encoding="utf-8")
        after = rewritten(before)
        if after != before:
            stale.append(path.relative_to(ROOT))
            if not arguments:
                path.write_text(after, encoding="utf-8")
    for name in stale:
        print(f"{name} is stale: run scripts/docs" if arguments else f"{name} rewritten")
    return 1 if stale and arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
