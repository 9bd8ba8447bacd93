"""Calls the kernel in the manner of an older processor, which a filter might not know."""

from __future__ import annotations

import ctypes
import mmap

from tests.hostile.programs.attempts import DONE, NOTE, attempt_call, say

_GETPID_THERE = 20
_CODE = bytes((0xB8, _GETPID_THERE, 0, 0, 0, 0xCD, 0x80, 0xC3))
"""``mov eax, 20; int 0x80; ret``, for i386."""

_X32 = 0x40000000
_PTRACE_THERE = _X32 + 521


def main() -> None:
    """The program; in a machine that heeds the filter it does not get to its end."""
    attempt_call("trace by the numbers of x32", _PTRACE_THERE, 0, 0, 0, 0)
    page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(_CODE)
    start = ctypes.addressof(ctypes.c_char.from_buffer(page))
    say(NOTE, "int 0x80")
    say(DONE, "a call of i386", ctypes.CFUNCTYPE(ctypes.c_int)(start)())


if __name__ == "__main__":
    main()
