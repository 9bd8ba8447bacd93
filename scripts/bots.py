"""Builds the sample bots, and checks them where that is wanted; closes with one line for each."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from arena.hosting.command import sample_folders, search_path
from arena.hosting.manifest import Manifest, find_program, read_manifest

ARENA = str(Path(sys.executable).parent / "arena")


def chosen(words: Sequence[str]) -> Mapping[str, Path]:
    """The bots that some words name: all without any, those of a language, one as go/starter."""
    folders = sample_folders()
    if not words:
        return folders
    for word in words:
        if not any(word in (name, name.split("/")[0]) for name in folders):
            sys.exit(f"scripts/bots: {word!r} is no bot; there are {', '.join(folders)}")
    return {
        name: folder
        for name, folder in folders.items()
        if name in words or name.split("/")[0] in words
    }


def missing_tools(manifest: Manifest, *, check: bool) -> list[str]:
    """The programs that its commands need and this machine lacks."""
    commands = [*manifest.build, *(manifest.check if check else ())]
    words = {command[0] for command in commands if "/" not in command[0]}
    return sorted(
        word for word in words if not find_program(word, manifest.folder, search_path=search_path())
    )


def made(name: str, folder: Path, *, check: bool) -> str:
    """Build one; in a word or two, what became of it."""
    missing = missing_tools(read_manifest(folder), check=check)
    if missing:
        return f"passed over: {', '.join(missing)} missing"
    words = [ARENA, "bot", "build", str(folder), *(["--check"] if check else [])]
    print(f"== {name}", flush=True)
    started = time.monotonic()
    code = subprocess.run(words, check=False).returncode
    return f"{'done' if code == 0 else 'FAILED'} in {time.monotonic() - started:.0f} s"


def main() -> None:
    """Build all that were asked for; exit code 1 where one failed, or was passed over in CI."""
    parser = argparse.ArgumentParser(prog="scripts/bots", description=__doc__)
    parser.add_argument("bots", nargs="*", metavar="BOT", help="such as go/starter, or go")
    parser.add_argument("--check", action="store_true", help="run their own checks too")
    given = parser.parse_args()
    outcomes = {
        name: made(name, folder, check=given.check) for name, folder in chosen(given.bots).items()
    }
    for name, outcome in outcomes.items():
        print(f"scripts/bots: {name}: {outcome}")
    bad = ("FAILED", "passed over") if os.environ.get("CI") == "true" else ("FAILED",)
    sys.exit(any(outcome.startswith(bad) for outcome in outcomes.values()))


if __name__ == "__main__":
    main()
