"""The bounds of each process, as the kernel has them."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys

import pytest

from arena.hosting.rlimits import DATA_SHARE, limiting
from arena.hosting.runner import Resources

RESOURCES = Resources(
    memory_bytes=128 * 1024 * 1024,
    processes=50,
    open_files=64,
    file_bytes=1024 * 1024,
    cpu_seconds=77,
)
NAMES = ("NPROC", "NOFILE", "FSIZE", "CORE", "CPU", "DATA")


def limits(resources: Resources, *, memory: bool) -> dict[str, int]:
    """What a program gets that is started so."""
    show = (
        "import resource; print(*(resource.getrlimit(getattr(resource, 'RLIMIT_' + n))[0] for n in "
    )
    words = (*limiting(resources, memory=memory), sys.executable, "-c", f"{show}{NAMES}))")
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return dict(zip(NAMES, map(int, done.stdout.split()), strict=True))


@pytest.mark.skipif(shutil.which("prlimit") is None, reason="needs prlimit of util-linux")
def test_a_program_gets_what_it_may_use() -> None:
    assert limits(RESOURCES, memory=True) == {
        "NPROC": 50,
        "NOFILE": 64,
        "FSIZE": 1024 * 1024,
        "CORE": 0,
        "CPU": 77,
        "DATA": DATA_SHARE * 128 * 1024 * 1024,
    }


@pytest.mark.skipif(shutil.which("prlimit") is None, reason="needs prlimit of util-linux")
def test_memory_is_left_to_a_control_group_and_time_without_a_bound() -> None:
    found = limits(Resources(), memory=False)
    assert found["DATA"] == resource.RLIM_INFINITY
    assert found["CPU"] == resource.RLIM_INFINITY
