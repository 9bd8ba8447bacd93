"""Users that lodge with an arena for a job: what they are given."""

from __future__ import annotations

import os
from pathlib import Path

from arena.hosting.lodgers import give
from arena.hosting.runner import Job
from arena.hosting.shelf import remove


def test_what_a_build_has_made_is_given_back_however_deep_it_is(tmp_path: Path) -> None:
    """And links are given, not what they lead to."""
    folder, outside = tmp_path / "bot", tmp_path / "outside"
    folder.mkdir()
    outside.touch()
    place = os.open(folder, os.O_RDONLY)
    for _ in range(3000):
        os.symlink(outside, "link", dir_fd=place)
        os.mkdir("d", dir_fd=place)
        above, place = place, os.open("d", os.O_RDONLY, dir_fd=place)
        os.close(above)
    user = os.geteuid() or 12345
    try:
        give(Job(("true",), "deep", folder=folder, writable=True), user)
        assert os.fstat(place).st_uid == user
        assert outside.stat().st_uid == os.geteuid()
        assert os.lstat(folder / "link").st_uid == user
    finally:
        os.close(place)
        remove(folder)  # pytest could not
