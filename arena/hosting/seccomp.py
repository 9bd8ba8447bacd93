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
from dataclasses import dataclass
from typing import Final

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

_NEW_USER: Final = 0x10000000
_PUSH_INPUT: Final = 0x5412
_PUSH_LINUX: Final = 0x541C
_SOCKETS: Final = (1, 2, 10, 16)
"""AF_UNIX, AF_INET, AF_INET6, AF_NETLINK: what runtimes ask for. Where they lead, the name space
of the network decides."""
_SIGNS: Final = (5, 36, 1024, 1026, 1036, 1038)
"""F_GETLK, F_OFD_GETLK, F_SETLEASE, F_NOTIFY, F_SET_RW_HINT, F_SET_FILE_RW_HINT: what of fcntl
shows on a file that is only read. To lock one's own files remains."""
_ADVICE: Final = (20, 21, 25)
"""MADV_COLD, MADV_PAGEOUT, MADV_COLLAPSE: what of madvise changes how the kernel holds a file that
is only read. What allocators of memory need remains."""
_KIND_OF_REQUEST: Final = 0xFF00
_FILE_SYSTEMS: Final = (0x5800, 0x6600, 0x9400)
"""Requests of file systems: what they remember of a file shows, and can be made to change, by
requests of their own. (They are of the kinds X, f and 0x94.)"""


@dataclass(frozen=True, slots=True)
class _Machine:
    """A processor: its audit number, and the numbers of calls that every one has its own of.

    `signs` are calls by which processes that read the same files can tell each other something.
    `cache` are those which show what the kernel holds of a file in memory, or have it dropped.
    """

    audit: int
    refused: Mapping[str, int]
    clone: int
    clone3: int
    ioctl: int
    socket: int
    fcntl: int
    madvise: int
    signs: Mapping[str, int]
    cache: Mapping[str, int]


_MACHINES: Final = {
    "x86_64": _Machine(
        audit=0xC000003E,
        clone=56,
        clone3=435,
        ioctl=16,
        socket=41,
        fcntl=72,
        madvise=28,
        signs={"flock": 73, "inotify_add_watch": 254},
        cache={
            "fadvise64": 221,
            "io_setup": 206,
            "io_submit": 209,
            "mincore": 27,
            "preadv2": 327,
            "pwritev2": 328,
            "readahead": 187,
        },
        refused={
            "acct": 163,
            "add_key": 248,
            "bpf": 321,
            "chroot": 161,
            "delete_module": 176,
            "fanotify_init": 300,
            "finit_module": 313,
            "init_module": 175,
            "ioperm": 173,
            "iopl": 172,
            "kcmp": 312,
            "kexec_file_load": 320,
            "kexec_load": 246,
            "keyctl": 250,
            "lookup_dcookie": 212,
            "mbind": 237,
            "migrate_pages": 256,
            "mount": 165,
            "move_pages": 279,
            "name_to_handle_at": 303,
            "open_by_handle_at": 304,
            "perf_event_open": 298,
            "pivot_root": 155,
            "process_vm_readv": 310,
            "process_vm_writev": 311,
            "ptrace": 101,
            "quotactl": 179,
            "reboot": 169,
            "request_key": 249,
            "set_mempolicy": 238,
            "setns": 308,
            "swapoff": 168,
            "swapon": 167,
            "syslog": 103,
            "umount2": 166,
            "unshare": 272,
            "uselib": 134,
            "userfaultfd": 323,
            "vhangup": 153,
        },
    ),
    "aarch64": _Machine(
        audit=0xC00000B7,
        clone=220,
        clone3=435,
        ioctl=29,
        socket=198,
        fcntl=25,
        madvise=233,
        signs={"flock": 32, "inotify_add_watch": 27},
        cache={
            "fadvise64": 223,
            "io_setup": 0,
            "io_submit": 2,
            "mincore": 232,
            "preadv2": 286,
            "pwritev2": 287,
            "readahead": 213,
        },
        refused={
            "acct": 89,
            "add_key": 217,
            "bpf": 280,
            "chroot": 51,
            "delete_module": 106,
            "fanotify_init": 262,
            "finit_module": 273,
            "init_module": 105,
            "kcmp": 272,
            "kexec_file_load": 294,
            "kexec_load": 104,
            "keyctl": 219,
            "lookup_dcookie": 18,
            "mbind": 235,
            "migrate_pages": 238,
            "mount": 40,
            "move_pages": 239,
            "name_to_handle_at": 264,
            "open_by_handle_at": 265,
            "perf_event_open": 241,
            "pivot_root": 41,
            "process_vm_readv": 270,
            "process_vm_writev": 271,
            "ptrace": 117,
            "quotactl": 60,
            "reboot": 142,
            "request_key": 218,
            "set_mempolicy": 237,
            "setns": 268,
            "swapoff": 225,
            "swapon": 224,
            "syslog": 116,
            "umount2": 39,
            "unshare": 97,
            "userfaultfd": 282,
            "vhangup": 58,
        },
    ),
}

# Newer calls have one number everywhere.
_REFUSED_EVERYWHERE: Final = {
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "pidfd_getfd": 438,
    "mount_setattr": 442,
    "quotactl_fd": 443,
}
_CACHE_EVERYWHERE: Final = {"process_madvise": 440, "cachestat": 451}


def has_filter(machine: str = "") -> bool:
    """Whether there is a filter for a processor, by default this one."""
    return (machine or platform.machine()) in _MACHINES


def refused_calls(machine: str = "", *, building: bool = False) -> Mapping[str, int]:
    """The calls that are refused whatever their arguments, with their numbers.

    Args:
        machine: names the processor.
        building: see `filter_program`.
    """
    here = _MACHINES[machine or platform.machine()]
    signs = {} if building else here.signs
    return {**here.refused, **signs, **_REFUSED_EVERYWHERE}


def absent_calls(machine: str = "", *, building: bool = False) -> Mapping[str, int]:
    """The calls that fail as those do that a kernel does not have, so that libraries do without.

    The C library falls back from clone3 to clone, whose flags a filter can see, and from preadv2,
    which can ask whether bytes are in memory, to preadv.

    Args:
        machine: names the processor.
        building: see `filter_program`.
    """
    here = _MACHINES[machine or platform.machine()]
    cache = {} if building else {**here.cache, **_CACHE_EVERYWHERE}
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
    here = _MACHINES[name]
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
    code += _call(here.clone, 0, [*_where(_JUMP_BITS, _NEW_USER, _REFUSE)])
    requests = _where_any((_PUSH_INPUT, _PUSH_LINUX), _REFUSE)
    if not building:
        code += _call(here.fcntl, 1, _where_any(_SIGNS, _REFUSE))
        code += _call(here.madvise, 2, _where_any(_ADVICE, _ERRNO | errno.EINVAL))
        requests.append(_step(_AND, _KIND_OF_REQUEST))
        requests += _where_any(_FILE_SYSTEMS, _ERRNO | errno.ENOTTY)
    code += _call(here.ioctl, 1, requests)
    code += _call(here.socket, 0, [*_where_any(_SOCKETS, _ALLOW), _return(_REFUSE)])
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
        _refusing("clone", errno.EPERM, _NEW_USER, index=0, test="SCMP_CMP_MASKED_EQ"),
        *(_refusing("ioctl", errno.EPERM, way) for way in (_PUSH_INPUT, _PUSH_LINUX)),
        *(_refusing("socket", errno.EPERM, family, index=0) for family in _other_sockets()),
        _refusing("socket", errno.EPERM, max(_SOCKETS), index=0, test="SCMP_CMP_GT"),
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
    for sign in _SIGNS:
        yield _refusing("fcntl", errno.EPERM, sign)
    for advice in _ADVICE:
        yield _refusing("madvise", errno.EINVAL, advice, index=2)
    for kind in _FILE_SYSTEMS:
        yield _refusing(
            "ioctl", errno.ENOTTY, kind, mask=_KIND_OF_REQUEST, test="SCMP_CMP_MASKED_EQ"
        )


def _other_sockets() -> Iterator[int]:
    """Kinds of sockets below the last that is allowed."""
    return (family for family in range(max(_SOCKETS)) if family not in _SOCKETS)


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
