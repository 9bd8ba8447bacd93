"""A bot class from a Python file, to be played in this process.

The file is run as a module of its own, with its folder in front of the path, as ``python FILE``
would have it; ``run`` below ``if __name__ == "__main__"`` is not reached.  Modules beside it are
its own: two bots may each have a ``cards.py``.
"""

from __future__ import annotations

import importlib
import sys
from importlib.util import module_from_spec, spec_from_file_location
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Final

from arena.sdk.bot import Bot

_NUMBERS: Final = count(1)


class LoadError(Exception):
    """A file that is no bot; the text is one sentence."""


def load_bot(path: str | Path) -> type[Bot]:
    """The bot class of a file, written ``FILE`` or, where it has several, ``FILE:CLASS``.

    Raises:
        LoadError: there is no such file or class. What the file itself raises goes through.
    """
    file, _, name = str(path).partition(":")
    place = Path(file).resolve()
    if not place.is_file():
        raise LoadError(f"{file} is no file with a bot")
    module = _run(place)
    bots = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Bot)
        and value.__module__ == module.__name__
    ]
    return _chosen(file, name, bots)


def _chosen(file: str, name: str, bots: list[type[Bot]]) -> type[Bot]:
    # A class that another one derives from is no bot of its own.
    last = [bot for bot in bots if not any(bot in other.__mro__[1:] for other in bots)]
    fitting = [bot for bot in bots if bot.__name__ == name] if name else last
    if len(fitting) == 1:
        return fitting[0]
    if name:
        raise LoadError(f"{file} has no bot called {name}")
    if not last:
        raise LoadError(f"{file} has no class that derives from arena.sdk.Bot")
    names = ", ".join(bot.__name__ for bot in last)
    raise LoadError(f"{file} has several bots ({names}): say which, as {file}:{last[0].__name__}")


def _run(place: Path) -> ModuleType:
    spec = spec_from_file_location(f"arena_bot_{next(_NUMBERS)}_{place.stem}", place)
    if spec is None or spec.loader is None:
        raise LoadError(f"{place} is no Python file")
    module = module_from_spec(spec)
    before = set(sys.modules)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(place.parent))
    importlib.invalidate_caches()
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(place.parent))
        _forget_neighbours(place.parent, set(sys.modules) - before - {spec.name})
    return module


def _forget_neighbours(folder: Path, names: set[str]) -> None:
    """Take the modules beside the bot out of the table: the next bot's have the same names."""
    for name in names:
        file = getattr(sys.modules[name], "__file__", None)
        if file is not None and folder in Path(file).resolve().parents:
            del sys.modules[name]
