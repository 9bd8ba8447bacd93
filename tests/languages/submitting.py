"""What an author sends of a bot, as ``docs/bots/submitting.md`` has it."""

from __future__ import annotations

import shutil
from pathlib import Path

from arena.hosting.folder import files_of


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
