"""The shell blocks of README and guides run as they are written.

A block that sets up from nothing or never ends stands under a comment that says so::

    <!-- not run: sets up from nothing -->
"""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OF_SANDBOXES = ROOT / "docs" / "sandboxes.md"
"""All its blocks need what not every machine has; tests/cli and tests/docker run the like."""
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "docs" / "operating.md",
    OF_SANDBOXES,
    *sorted((ROOT / "docs" / "bots").glob("*.md")),
]
SECONDS = 120.0
LANGUAGES = {"python", "rust", "ts", "go", "java", "cpp"}
"""Of the parts of bots that the guides show."""

_FENCE = re.compile(
    r"(?:<!-- not run: (?P<reason>[^\n]*?) -->\n)?^```sh\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Block:
    """A shell block.

    Attributes:
        code: what stands in it.
        reason: why it is not run, None for one that is.
    """

    code: str
    reason: str | None


def blocks(path: Path) -> list[Block]:
    """The shell blocks of a document in order."""
    return [Block(m["code"], m["reason"]) for m in _FENCE.finditer(path.read_text())]


def shell(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a block in a folder, with the arena's commands on the path; stops at the first error."""
    environment = {
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "PATH": os.pathsep.join((str(ROOT / ".venv" / "bin"), os.environ["PATH"])),
    }
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", code],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


@pytest.mark.timeout(300)  # seconds on a quiet machine
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_blocks_run_as_written(document: Path, tmp_path: Path) -> None:
    """One after the other in one folder, where ``.venv`` is what the set-up would have made."""
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    run = [block for block in blocks(document) if block.reason is None]
    assert run or document == OF_SANDBOXES
    for block in run:
        done = shell(block.code, tmp_path)
        assert done.returncode == 0, f"{block.code}\n{done.stdout}{done.stderr}"
    assert untracked(tmp_path) == [], "it would clutter a clone: name it in .gitignore"


def untracked(folder: Path) -> list[str]:
    """What git would show of a folder, were it a clone of this project."""
    (folder / ".venv").unlink()
    rules = folder / ".git" / "info" / "exclude"
    done = shell("git init --quiet .", folder)
    assert done.returncode == 0, done.stderr
    rules.parent.mkdir(exist_ok=True)
    rules.write_text((ROOT / ".gitignore").read_text())
    return shell("git status --porcelain", folder).stdout.splitlines()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_not_run_says_why(document: Path) -> None:
    text = document.read_text()
    reasons = [block.reason for block in blocks(document) if block.reason is not None]
    assert len(reasons) == text.count("<!-- not run"), "a comment stands over no shell block"
    assert [reason for reason in reasons if len(reason) < 10] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_shell_block_is_found(document: Path) -> None:
    text = document.read_text()
    assert text.count("\n```") % 2 == 0, "a block is not closed"
    opened = re.findall(r"^```(\w*)$", text, re.MULTILINE)[::2]
    assert set(opened) <= {"sh", "text", "toml", *LANGUAGES}, "shell goes into sh blocks"
    assert len(blocks(document)) == opened.count("sh")


def test_the_bots_first_lines_are_ten() -> None:
    (bot,) = re.findall(
        r"<<'END'\n(from arena\.sdk .*?)^END$", DOCUMENTS[0].read_text(), re.M | re.S
    )
    assert len(bot.splitlines()) <= 10
