"""Files of tournaments that take a moment, and what a command tells of one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.cli.commands import ROOT, SEED, Done

SHORT = f'variant = "double"\nsets = 1\nseed = "{SEED}"\n'
BOTS = 'bots = ["random", "first_legal", {name = "mine", command = "python mine.py"}]\n'
FIRST_LEGAL = (ROOT / "sample_bots" / "python" / "first_legal" / "bot.py").read_text()


def written(folder: Path, name: str = "spring", rest: str = SHORT + BOTS) -> Path:
    """A tournament file, with the script of its third bot beside it."""
    file = folder / f"{name}.toml"
    file.write_text(f'name = "{name}"\n{rest}')
    (folder / "mine.py").write_text(FIRST_LEGAL)
    return file


def document(done: Done) -> dict[str, Any]:
    """What a command printed as JSON."""
    assert done.code in (0, 130), done
    found: dict[str, Any] = json.loads(done.out)
    return found
