"""Sending a bot to a running arena that contains it, as ``docs/bots/submitting.md`` has it."""

from __future__ import annotations

import contextlib
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

from arena.hosting.folder import files_of
from tests.cli.commands import ARENA, PLAIN, ROOT

OPTIONS = ("--listen", "127.0.0.1:0", "--http", "none", "--runner", "bubblewrap")


@contextlib.contextmanager
def serving(data: Path) -> Iterator[str]:
    """An arena as it is by default, over a data folder; its address."""
    log = data.with_suffix(".log")
    with (
        log.open("w") as said,
        subprocess.Popen(
            [*ARENA, "serve", "--data", str(data), *OPTIONS],
            env=PLAIN,
            cwd=ROOT,
            stderr=subprocess.PIPE,
            text=True,
        ) as arena,
    ):
        assert arena.stderr is not None
        try:
            for line in arena.stderr:
                said.write(line)
                if line.startswith("token"):
                    break
            assert arena.poll() is None, log.read_text()
            yield f"unix:{data}/arena.sock"
        finally:
            arena.send_signal(signal.SIGTERM)
            arena.communicate(timeout=60)


def copy_to_send(bot: Path, target: Path, built: tuple[str, ...]) -> None:
    """Make the folder that an author sends of a bot.

    Args:
        bot: its folder.
        target: to be made.
        built: what is sent of it, built already; nothing for its sources, which the arena builds.
    """
    for path in files_of(bot) if not built else ():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(bot / path, target / path)
    for name in built:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (bot / name).is_dir() else shutil.copy2
        copy(bot / name, target / name)
    if built:
        lines = (bot / "bot.toml").read_text().splitlines(keepends=True)
        kept = [line for line in lines if not line.startswith("build")]
        (target / "bot.toml").write_text("".join(kept))
