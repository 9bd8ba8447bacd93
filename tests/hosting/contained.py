"""What the tests of containment share: a small job's bounds, and the control groups there are."""

from __future__ import annotations

from pathlib import Path

from arena.hosting.cgroups import PREFIX, Controllers, find_controllers
from arena.hosting.runner import Resources
from arena.hosting.sizes import MEBIBYTE

LITTLE = Resources(memory_bytes=64 * MEBIBYTE, processes=24, cpus=0.5)
NO_GROUPS = Controllers({}, unified=False)


def list_groups(label: str) -> list[Path]:
    """Those of the jobs whose label begins so."""
    parents = set(find_controllers().parents.values())
    return [group for parent in parents for group in parent.glob(f"{PREFIX}{label}*")]
