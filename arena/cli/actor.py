"""Who acts where a command changes a data folder itself, for its audit log."""

from __future__ import annotations

import os
import pwd


def local_user() -> str:
    """`local:NAME` of the user who runs this process; of the number where it has no name."""
    number = os.geteuid()
    try:
        name = pwd.getpwuid(number).pw_name
    except KeyError:
        name = str(number)
    return f"local:{name[:64]}"
