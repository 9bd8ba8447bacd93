"""The system calls that no contained bot needs: a filter for the kernel, as bytes.

A list of what is refused, not of what is allowed: languages come with runtimes of their own, and
what an allowed list misses shows as a crash at a customer's.  The list is that of calls which
widen what a process may do, or reach into others: name spaces, mounts, tracing, keys, modules,
BPF, io_uring, and rare kinds of sockets.

All processes of a bot read the same files, and a lock or a watch on one of them is seen by all:
partners could talk so.  So could they by the kernel's memory of these files, which one process
drops and another one looks at.  Hence a job that plays has none of that; a build, which runs alone,
has.

See seccomp(2), and `struct sock_filter` in ``linux/filter.h`` for the form.
"""

from __future__ import annotations

import errno
import json
import os
import platform
import struct
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from arena.hosting.syscalls import (
    ADVICE,
    CACHE_EVERYWHERE,
    FILE_SYSTEMS,
    KIND_OF_REQUEST,
    MACHINES,
    NEW_USER,
    PUSH_INPUT,
    PUSH_LINUX,
    REFUSED_EVERYWHERE,
    SIGNS,
    SOCKETS,
)

# Offsets in struct seccomp_data; arguments are 64 bits wide, the lower half first.
_NUMBER: Final = 0
_ARCHITECTURE: Final = 4
_ARGUMENTS: Final = 16

_LOAD: Final = 0x20
_JUMP_EQUAL: Final = 0x15
_JUMP_GREATER_OR_EQUAL: Final = 0x35
_JUMP_BITS: Final = 0x45
_AND: Final = 0x54
_RETURN: Final = 0x06

_ALLOW: Final = 0x7FFF0000
_KILL: Final = 0x80000000
_ERRNO: Final = 0x00050000

_X32: Final = 0x40000000
"""Numbers from here are calls of the x32 interface, which nothing uses."""


def has_filter(machine: str = "") -> bool:
    """Whether there is a filter for a processor, by default this one."""
    return (machine or platform.machine()) in MACHINES


def refused_calls(machine: str = "", *, building: bool = False) -> Mapping[str, int]:
    """The calls that are refused whatever their arguments, with their numbers.

    Args:
        machine: names the processor.
        building: see `filter_program`.
    """
    here = MACHINES[machine or platform.machine()]
    signs = {} if building else here.signs
    return {**here.refused, **signs, **REFUSED_EVERYWHERE}


def absent_calls(machine: str = "", *, building: bool = False) -> Mapping[str, int]:
    """The calls that fail as those do that a kernel does not have, so that libraries do without.

    The C library falls back from clone3 to clone, whose flags a filter can see, and from preadv2,
    which can ask whether bytes are in memory, to preadv.

    Args:
        machine: names the processor.
        building: see `filter_program`.
    """
    here = MACHINES[machine or platform.machine()]
    cache = {} if building else {**here.cache, **CACHE_EVERYWHERE}
    return {"clone3": here.clone3, **cache}


def filter_program(machine: str = "", *, building: bool = False) -> bytes:
    """The filter for a processor, by default this one, as an array of ``struct sock_filter``.

    Args:
        machine: names the processor.
        building: for a job that runs alone with its files.

    A refused call fails with EPERM, an absent one with ENOSYS; advice on memory with EINVAL and a
    request to a file system with ENOTTY, as where they are not known.  Calls in the manner of
    another processor end the process.

    Raises:
        KeyError: there is none for that processor.
    """
    name = machine or platform.machine()
    here = MACHINES[name]
    code = [
        _load(_ARCHITECTURE),
        *_unless_equal(here.audit, _KILL),
        _load(_NUMBER),
    ]
    if name == "x86_64":
        code += _where(_JUMP_GREATER_OR_EQUAL, _X32, _ERRNO | errno.ENOSYS)
    for number in sorted(absent_calls(name, building=building).values()):
        code += _where(_JUMP_EQUAL, number, _ERRNO | errno.ENOSYS)
    for number in sorted(refused_calls(name, building=building).values()):
        code += _where(_JUMP_EQUAL, number, _REFUSE)
    code += _call(here.clone, 0, [*_where(_JUMP_BITS, NEW_USER, _REFUSE)])
    requests = _where_any((PUSH_INPUT, PUSH_LINUX), _REFUSE)
    if not building:
        code += _call(here.fcntl, 1, _where_any(SIGNS, _REFUSE))
        code += _call(here.madvise, 2, _where_any(ADVICE, _ERRNO | errno.EINVAL))
        requests.append(_step(_AND, KIND_OF_REQUEST))
        requests += _where_any(FILE_SYSTEMS, _ERRNO | errno.ENOTTY)
    code += _call(here.ioctl, 1, requests)
    code += _call(here.socket, 0, [*_where_any(SOCKETS, _ALLOW), _return(_REFUSE)])
    code.append(_return(_ALLOW))
    return b"".join(code)


_REFUSE: Final = _ERRNO | errno.EPERM


def filter_profile(machine: str = "", *, building: bool = False) -> str:
    """The same filter as Docker and Podman read it: JSON.

    Args:
        machine: names the processor.
        building: see `filter_program`.

    Raises:
        KeyError: there is none for that processor.
    """
    name = machine or platform.machine()
    calls = [
        *(_refusing(call, errno.ENOSYS) for call in absent_calls(name, building=building)),
        *map(_refusing, refused_calls(name, building=building)),
        _refusing("clone", errno.EPERM, NEW_USER, index=0, test="SCMP_CMP_MASKED_EQ"),
        *(_refusing("ioctl", errno.EPERM, way) for way in (PUSH_INPUT, PUSH_LINUX)),
        *(_refusing("socket", errno.EPERM, family, index=0) for family in _other_sockets()),
        _refusing("socket", errno.EPERM, max(SOCKETS), index=0, test="SCMP_CMP_GT"),
    ]
    if not building:
        calls += _refused_signs()
    return json.dumps(
        {
            "defaultAction": "SCMP_ACT_ALLOW",
            "architectures": [f"SCMP_ARCH_{name.upper()}"],
            "syscalls": calls,
        }
    )


def _refused_signs() -> Iterator[dict[str, object]]:
    """Rules of a profile: what is refused of calls that a job which plays may make."""
    for sign in SIGNS:
        yield _refusing("fcntl", errno.EPERM, sign)
    for advice in ADVICE:
        yield _refusing("madvise", errno.EINVAL, advice, index=2)
    for kind in FILE_SYSTEMS:
        yield _refusing(
            "ioctl", errno.ENOTTY, kind, mask=KIND_OF_REQUEST, test="SCMP_CMP_MASKED_EQ"
        )


def _other_sockets() -> Iterator[int]:
    """Kinds of sockets below the last that is allowed."""
    return (family for family in range(max(SOCKETS)) if family not in SOCKETS)


def _refusing(
    call: str,
    error: int = errno.EPERM,
    value: int | None = None,
    *,
    index: int = 1,
    test: str = "SCMP_CMP_EQ",
    mask: int | None = None,
) -> dict[str, object]:
    """A rule of a profile: refuse a call, or only where an argument is so."""
    rule: dict[str, object] = {
        "names": [call],
        "action": "SCMP_ACT_ERRNO",
        "errnoRet": error,
    }
    if value is not None:
        # Where bits are looked at, they come first, and then what they shall be.
        looked_at = value if mask is None else mask
        rule["args"] = [{"index": index, "value": looked_at, "valueTwo": value, "op": test}]
    return rule


def _step(code: int, value: int, *, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("=HBBI", code, then, otherwise, value)


def _load(offset: int) -> bytes:
    return _step(_LOAD, offset)


def _return(value: int) -> bytes:
    return _step(_RETURN, value)


def _where(test: int, value: int, answer: int) -> list[bytes]:
    """Answer where the test holds, else go on."""
    return [_step(test, value, then=0, otherwise=1), _return(answer)]


def _where_any(values: Iterable[int], answer: int) -> list[bytes]:
    """Answer where it is one of them, else go on."""
    return [step for value in values for step in _where(_JUMP_EQUAL, value, answer)]


def _unless_equal(value: int, answer: int) -> list[bytes]:
    return [_step(_JUMP_EQUAL, value, then=1, otherwise=0), _return(answer)]


def _call(number: int, argument: int, steps: Iterable[bytes]) -> list[bytes]:
    """For one call look at the lower half of an argument; then the call is allowed."""
    inner = [_load(_ARGUMENTS + 8 * argument), *steps, _return(_ALLOW)]
    return [_step(_JUMP_EQUAL, number, then=0, otherwise=len(inner)), *inner]


def filter_file(*, building: bool = False) -> int:
    """A descriptor from which the filter can be read once; the caller closes it.

    Args:
        building: see `filter_program`.

    Raises:
        OSError: there is no room for it.
        KeyError: there is none for this processor.
    """
    return memory_file(filter_program(building=building))


def memory_file(content: bytes) -> int:
    """A descriptor from which that can be read once, and which nothing names.

    Raises:
        OSError: there is no room for it.
    """
    descriptor = os.memfd_create("arena")
    with open(descriptor, "wb", closefd=False) as file:
        file.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
