"""Which names a submitted bot may have: plain ones, none of which stands for a sample bot.

Other bots, which the organiser names, may be called by all that prints; see
`arena.hosting.manifest.is_bot_name`.
"""

from __future__ import annotations

import re
from typing import Final

from arena.hosting.command import sample_names, shown
from arena.hosting.manifest import MAX_NAME

RULE: Final = (
    f"the name of a submitted bot has 1 to {MAX_NAME} ASCII letters, digits, '.', '_' and '-', "
    "a letter or digit first"
)
_PLAIN: Final = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{MAX_NAME - 1}}}")


class UnfitName(Exception):
    """A name that no submitted bot may have; the sentence says why."""


def refuse_unfit_name(name: str) -> None:
    """Refuse a name that a submitted bot may not have.

    Raises:
        UnfitName: characters of it are not taken, or it stands for a sample bot, in whatever case.
    """
    if not _PLAIN.fullmatch(name):
        raise UnfitName(f"{shown(name)} will not do: {RULE}")
    for sample in sample_names():
        if name.casefold() == sample.casefold():
            raise UnfitName(
                f"{shown(name)} will not do: {sample!r} is a sample bot, which tournaments would "
                "take it for; choose another"
            )
