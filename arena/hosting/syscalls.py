"""System calls by number, and of some the arguments, that the filter of contained jobs is made of.

The numbers are those of ``asm/unistd.h``, the arguments those of the manual page of each call.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

NEW_USER: Final = 0x10000000
PUSH_INPUT: Final = 0x5412
PUSH_LINUX: Final = 0x541C
SOCKETS: Final = (1, 2, 10, 16)
"""AF_UNIX, AF_INET, AF_INET6, AF_NETLINK: what runtimes ask for. Where they lead, the name space
of the network decides."""
SIGNS: Final = (5, 36, 1024, 1026, 1036, 1038)
"""F_GETLK, F_OFD_GETLK, F_SETLEASE, F_NOTIFY, F_SET_RW_HINT, F_SET_FILE_RW_HINT: what of fcntl
shows on a file that is only read. To lock one's own files remains."""
ADVICE: Final = (20, 21, 25)
"""MADV_COLD, MADV_PAGEOUT, MADV_COLLAPSE: what of madvise changes how the kernel holds a file that
is only read. What allocators of memory need remains."""
KIND_OF_REQUEST: Final = 0xFF00
FILE_SYSTEMS: Final = (0x5800, 0x6600, 0x9400)
"""Requests of file systems: what they remember of a file shows, and can be made to change, by
requests of their own. (They are of the kinds X, f and 0x94.)"""


@dataclass(frozen=True, slots=True)
class Machine:
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


MACHINES: Final = {
    "x86_64": Machine(
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
    "aarch64": Machine(
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
REFUSED_EVERYWHERE: Final = {
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
CACHE_EVERYWHERE: Final = {"process_madvise": 440, "cachestat": 451}
