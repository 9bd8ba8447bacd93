"""What all of them do: try something, and say in a line how that went."""

from __future__ import annotations

import ctypes
import errno
import json
import os
import sys
from collections.abc import Callable
from typing import Any

FACTS = "HOSTILE_FACTS"
"""The variable with what a program is told of the machine, as JSON; see `machine`."""

DONE = "done"
REFUSED = "refused"
NOTE = "note"

_REFUSALS = (errno.EPERM, errno.EACCES, errno.ENOSYS)

Argument = int | bytes | ctypes.Array[ctypes.c_char] | None
"""Of a system call."""

_libc = ctypes.CDLL(None, use_errno=True)


def facts() -> dict[str, Any]:
    """What it is told of the machine."""
    told: dict[str, Any] = json.loads(os.environ[FACTS])
    return told


def say(kind: str, what: str, detail: object = "") -> None:
    """A line for whoever started it."""
    shown = str(detail).replace("\n", " ")[:80]
    sys.stdout.write(f"{kind}\t{what}\t{shown}\n")
    sys.stdout.flush()


def attempt(what: str, deed: Callable[[], object]) -> bool:
    """Try a deed; whether it was done."""
    try:
        got = deed()
    except OSError as error:
        say(REFUSED, what, _name(error))
        return False
    say(DONE, what, got)
    return True


def find(what: str, deed: Callable[[], bytes], secret: str) -> None:
    """Read something that may be read, as long as a secret is not in it."""
    try:
        content = deed()
    except OSError as error:
        say(REFUSED, what, _name(error))
        return
    if secret.encode() in content:
        say(DONE, what, secret)
    else:
        say(REFUSED, what, "nothing of it in there")


def call(number: int, *arguments: Argument) -> int:
    """A system call by its number.

    Raises:
        OSError: it fails.
    """
    ctypes.set_errno(0)
    answer: int = _libc.syscall(ctypes.c_long(number), *map(_word, arguments))
    if answer == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return answer


def attempt_call(name: str, number: int, *arguments: Argument) -> None:
    """Try a system call that must not even be looked at: another error than a refusal counts."""
    try:
        got: object = call(number, *arguments)
    except OSError as error:
        if error.errno in _REFUSALS:
            say(REFUSED, name, _name(error))
            return
        got = f"the kernel takes it, and finds {_name(error)}"
    say(DONE, name, got)


def _word(argument: Argument) -> object:
    return ctypes.c_long(argument) if isinstance(argument, int) else argument


def _name(error: OSError) -> str:
    return errno.errorcode.get(error.errno or 0, str(error))
