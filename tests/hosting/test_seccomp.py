"""The filter of system calls, taken step by step as the kernel takes it."""

from __future__ import annotations

import errno
import json
import os
import socket
import struct

import pytest

from arena.hosting.seccomp import (
    absent_calls,
    filter_file,
    filter_profile,
    filter_program,
    has_filter,
    refused_calls,
)

MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
CLONE = {"x86_64": 56, "aarch64": 220}
IOCTL = {"x86_64": 16, "aarch64": 29}
FCNTL = {"x86_64": 72, "aarch64": 25}
MADVISE = {"x86_64": 28, "aarch64": 233}
SOCKET = {"x86_64": 41, "aarch64": 198}

ALLOWED = 0x7FFF0000
KILLED = 0x80000000


def answer(
    machine: str,
    number: int,
    *arguments: int,
    audit: int | None = None,
    building: bool = False,
) -> int:
    """What the filter says to a call."""
    given = struct.pack(
        "=IIQ6Q",
        number,
        MACHINES[machine] if audit is None else audit,
        0,
        *(*arguments, 0, 0, 0, 0, 0, 0)[:6],
    )
    steps = list(struct.iter_unpack("=HBBI", filter_program(machine, building=building)))
    place = value = 0
    while True:
        code, then, otherwise, operand = steps[place]
        place += 1
        match code:
            case 0x20:
                (value,) = struct.unpack_from("=I", given, operand)
            case 0x15:
                place += then if value == operand else otherwise
            case 0x35:
                place += then if value >= operand else otherwise
            case 0x45:
                place += then if value & operand else otherwise
            case 0x54:
                value &= operand
            case 0x06:
                return int(operand)
            case _:
                raise AssertionError(f"an unknown step {code:#x}")


def refused(error: int = errno.EPERM) -> int:
    return 0x00050000 | error


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_that_reach_out_are_refused_and_others_are_not(machine: str) -> None:
    calls = refused_calls(machine)
    assert {"ptrace", "mount", "bpf", "unshare", "setns", "io_uring_setup", "keyctl"} <= set(calls)
    absent = absent_calls(machine)
    assert not set(absent.values()) & set(calls.values())
    for number in range(600):
        wanted = refused() if number in calls.values() else ALLOWED
        if number in absent.values():
            wanted = refused(errno.ENOSYS)
        if number == SOCKET[machine]:
            continue
        assert answer(machine, number) == wanted, number


@pytest.mark.parametrize("machine", MACHINES)
def test_no_name_space_of_users_can_be_made(machine: str) -> None:
    assert answer(machine, CLONE[machine], 0x10000000 | 17) == refused()
    assert answer(machine, CLONE[machine], 0x003D0F00) == ALLOWED  # a thread
    assert answer(machine, 435) == refused(errno.ENOSYS)  # clone3


@pytest.mark.parametrize("machine", MACHINES)
def test_a_terminal_cannot_be_typed_into(machine: str) -> None:
    assert answer(machine, IOCTL[machine], 1, 0x5412) == refused()
    assert answer(machine, IOCTL[machine], 1, 0x541C) == refused()
    assert answer(machine, IOCTL[machine], 1, 0x5401) == ALLOWED
    assert answer(machine, IOCTL[machine], 1, 0x7_0000_5412) == refused()  # as the kernel cuts it


@pytest.mark.parametrize("machine", MACHINES)
def test_files_that_others_read_show_nothing_of_who_reads_them(machine: str) -> None:
    signs = set(refused_calls(machine).items()) - set(refused_calls(machine, building=True).items())
    assert {name for name, _ in signs} == {"flock", "inotify_add_watch"}
    assert {answer(machine, number, building=True) for _, number in signs} == {ALLOWED}
    for sign in (5, 36, 1024, 1026, 1036, 1038):
        assert answer(machine, FCNTL[machine], 3, sign) == refused()
        assert answer(machine, FCNTL[machine], 3, sign, building=True) == ALLOWED
    for own in (0, 3, 6, 7, 37):  # duplicate, flags, locks
        assert answer(machine, FCNTL[machine], 3, own) == ALLOWED


@pytest.mark.parametrize("machine", MACHINES)
def test_what_the_kernel_holds_of_a_file_neither_shows_nor_can_be_dropped(machine: str) -> None:
    absent = absent_calls(machine)
    assert set(absent_calls(machine, building=True)) == {"clone3"}
    cache = {name: number for name, number in absent.items() if name != "clone3"}
    assert {"preadv2", "cachestat", "mincore", "fadvise64", "io_submit"} < set(cache)
    for number in cache.values():
        assert answer(machine, number) == refused(errno.ENOSYS)
        assert answer(machine, number, building=True) == ALLOWED
    for advice in (20, 21, 25):  # cold, out, collapse
        assert answer(machine, MADVISE[machine], 0, 0, advice) == refused(errno.EINVAL)
        assert answer(machine, MADVISE[machine], 0, 0, advice, building=True) == ALLOWED
    for advice in (3, 4, 8, 14, 15, 16, 22, 23):  # of allocators: not needed, free, huge, populate
        assert answer(machine, MADVISE[machine], 0, 0, advice) == ALLOWED


@pytest.mark.parametrize("machine", MACHINES)
def test_file_systems_are_asked_nothing_of_their_own(machine: str) -> None:
    for request in (0x6612, 0x40046629, 0xC020660B, 0x801C581F, 0x40049409):
        assert answer(machine, IOCTL[machine], 3, request) == refused(errno.ENOTTY)
        assert answer(machine, IOCTL[machine], 3, request, building=True) == ALLOWED
    for common in (0x5401, 0x541B, 0x5421, 0x5451, 0x8912):  # terminals, FIONREAD, FIOCLEX, sockets
        assert answer(machine, IOCTL[machine], 3, common) == ALLOWED


@pytest.mark.parametrize("machine", MACHINES)
def test_common_sockets_can_be_made(machine: str) -> None:
    assert {answer(machine, SOCKET[machine], family) for family in (1, 2, 10, 16)} == {ALLOWED}


@pytest.mark.parametrize("machine", MACHINES)
def test_rare_sockets_cannot(machine: str) -> None:
    assert {answer(machine, SOCKET[machine], family) for family in (0, 3, 17, 31, 38, 40)} == {
        refused()
    }


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_in_another_processor_s_manner_end_the_process(machine: str) -> None:
    assert answer(machine, 39, audit=0x40000003) == KILLED


def test_the_x32_interface_is_not_there() -> None:
    assert answer("x86_64", 0x40000000 + 39) == refused(errno.ENOSYS)


def test_it_is_short_enough_for_the_kernel_and_readable_from_a_file() -> None:
    assert not has_filter("vax")
    assert has_filter("x86_64")
    for machine in MACHINES:
        assert len(filter_program(machine)) // 8 < 4096
    if has_filter():
        descriptor = filter_file()
        with os.fdopen(descriptor, "rb") as file:
            assert file.read() == filter_program()


def test_a_profile_refuses_what_the_filter_does() -> None:
    for building in (False, True):
        profile = json.loads(filter_profile("x86_64", building=building))
        assert profile["defaultAction"] == "SCMP_ACT_ALLOW"
        assert profile["architectures"] == ["SCMP_ARCH_X86_64"]
        whole = {
            name
            for rule in profile["syscalls"]
            if "args" not in rule and rule["action"] == "SCMP_ACT_ERRNO"
            for name in rule["names"]
        }
        absent = absent_calls("x86_64", building=building)
        assert whole == {*refused_calls("x86_64", building=building), *absent}
        partly = {name for rule in profile["syscalls"] if "args" in rule for name in rule["names"]}
        signs = () if building else ("fcntl", "madvise")
        assert partly == {"clone", "ioctl", "socket", *signs}


def test_a_profile_allows_four_kinds_of_sockets() -> None:
    rules = [one for one in json.loads(filter_profile("x86_64"))["syscalls"] if "args" in one]
    args = [one["args"][0] for one in rules if one["names"] == ["socket"]]
    equal = {one["value"] for one in args if one["op"] == "SCMP_CMP_EQ"}
    (above,) = (one["value"] for one in args if one["op"] == "SCMP_CMP_GT")
    assert {number for number in range(64) if number not in equal and number <= above} == {
        socket.AF_UNIX,
        socket.AF_INET,
        socket.AF_INET6,
        16,  # AF_NETLINK
    }
