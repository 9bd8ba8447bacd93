"""Bounds that the kernel keeps for each process: the words that set them before a program."""

from __future__ import annotations

from arena.hosting.runner import Resources

DATA_SHARE = 2
"""Where no control group bounds memory, how many times its bound a process may have as data.

Runtimes take more than they use, and a process alone is counted.
"""


def limiting(resources: Resources, *, memory: bool) -> tuple[str, ...]:
    """The words that go before a program, ``prlimit`` of util-linux.

    Args:
        resources: what the job may use.
        memory: whether to bound memory too, for want of a control group.
    """
    words = [
        "prlimit",
        f"--nproc={resources.processes}",
        f"--nofile={resources.open_files}",
        f"--fsize={resources.file_bytes}",
        "--core=0",
        "--memlock=0",
        "--msgqueue=0",
    ]
    if resources.cpu_seconds is not None:
        words.append(f"--cpu={resources.cpu_seconds}")
    if memory:
        words.append(f"--data={DATA_SHARE * resources.memory_bytes}")
    return (*words, "--")
