"""All sample bots in all variants over gRPC: a tournament a variant, its leaderboard, the pages."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from arena.hosting.command import sample_names
from arena.rules import VARIANTS

ROOT = Path(__file__).resolve().parent.parent
ARENA = (str(Path(sys.executable).parent / "arena"),)
MARK = "made-by-scripts-demo"

TOURNAMENT = """\
name = "demo-{variant}"
variant = "{variant}"
bots = [{bots}]
sets = {sets}
"""


def fresh_folder(folder: Path) -> None:
    """An empty data folder; only one that an earlier demo made is cleared."""
    if folder.exists() and not (folder / MARK).exists():
        sys.exit(f"scripts/demo: {folder} is there already and is not of a demo; move it away")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    (folder / MARK).touch()


def arena(*arguments: str) -> None:
    """Run a command of the arena; the demo ends where it fails."""
    code = subprocess.run([*ARENA, *arguments], check=False).returncode
    if code != 0:
        sys.exit(code)


def main() -> None:
    """Play, show, serve."""
    parser = argparse.ArgumentParser(prog="scripts/demo", description=__doc__)
    parser.add_argument("--no-serve", action="store_true", help="end after the leaderboards")
    parser.add_argument("--sets", type=int, default=6, help="mirrored sets a pair")
    parser.add_argument("--data", type=Path, default=ROOT / "demo-data", help="data folder")
    given = parser.parse_args()
    folder: Path = given.data.absolute()
    fresh_folder(folder)
    bots = ", ".join(f'"{name}"' for name in sample_names())
    for variant in VARIANTS:
        file = folder / f"{variant}.toml"
        file.write_text(TOURNAMENT.format(variant=variant, bots=bots, sets=given.sets))
        arena("tournament", "run", str(file), "--data", str(folder))
    if given.no_serve:
        print(f"\nTo look at the pages: .venv/bin/arena serve --data {folder}")
        return
    arena("serve", "--data", str(folder))


if __name__ == "__main__":
    main()
