"""A build that reaches out of its folder, and leaves links and programs with rights."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.hostile.programs.attempts import NOTE, attempt, facts, say

_BOT = Path("/bot")


def main() -> None:
    """The program."""
    known = facts()
    for path in known["secrets"]:
        attempt(f"read {path}", Path(path).read_bytes)
        attempt(f"link {path} into its folder", partial(os.link, path, _BOT / "hard"))
    for path in ("/etc/hostile", "/usr/bin/hostile", "/bot/../hostile", "/hostile"):
        attempt(f"write {path}", partial(Path(path).write_bytes, b"x"))
    for path in ("/usr/bin/env", "/etc/passwd"):
        attempt(f"link {path} into its folder", partial(os.link, path, _BOT / "hard"))
    attempt("make a device", partial(os.mknod, _BOT / "device", stat.S_IFBLK | 0o666, 0xFE00))
    # These may be done: they are refused once the build is looked over.
    _leave("a link out of its folder", partial(os.symlink, "/etc/shadow", _BOT / "shadow"))
    _leave("a link upwards", partial(os.symlink, "../../..", _BOT / "up"))
    _leave("a pipe", partial(os.mkfifo, _BOT / "pipe"))
    _leave("a program with rights", _leave_program)


def _leave(what: str, deed: Callable[[], object]) -> None:
    try:
        deed()
    except OSError as error:
        say(NOTE, f"leave {what}", error.strerror)
    else:
        say(NOTE, f"leave {what}", "left")


def _leave_program() -> None:
    program = _BOT / "rights"
    program.write_bytes(Path("/usr/bin/env").read_bytes())
    program.chmod(0o6755)


if __name__ == "__main__":
    main()
