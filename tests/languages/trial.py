"""What every sample bot with a folder must stand, whatever it is written in.

There is a file for each language: the tests of one file run one after the other.
"""

from __future__ import annotations

import fcntl
import functools
import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from arena.hosting.command import sample_folders
from arena.rules import VARIANTS, Rank, Variant, variant_to_toml
from arena.rules.variant import Auction, OpeningLead
from tests.cli.commands import ARENA, PLAIN, ROOT, SEED, Done
from tests.cli.serving import serving
from tests.languages.submitting import copy_to_send

SECONDS = 1500.0
"""For one command: a first build on a slow machine."""

CLASSIC, TOKEN, DOUBLE = (VARIANTS[name] for name in ("classic", "token", "double"))

HOUSE_RULES = {
    "bidding goes round": replace(
        CLASSIC, name="rounds", auction=Auction.UNTIL_PASSED, opening_lead=OpeningLead.DECLARER
    ),
    "48 cards": replace(
        DOUBLE,
        name="big",
        ranks=tuple(Rank),
        hand_size=12,
        bids=(*DOUBLE.bids[2:8], replace(DOUBLE.bids[8], tricks=12)),
    ),
    "forcing is cheap": replace(
        TOKEN, name="cheap", tokens=replace(TOKEN.tokens, force_partner=1, force_opponents=1)
    ),
}


def bots_in(language: str) -> list[str]:
    """The bots in a language, as ``go/starter``."""
    return [name for name in sample_folders() if name.startswith(f"{language}/")]


def run(*arguments: str | Path) -> Done:
    """Run an ``arena`` command with the tools of this machine, and wait long enough."""
    done = subprocess.run(
        [*ARENA, *map(str, arguments)],
        env=None if arguments[:2] == ("bot", "build") else PLAIN,
        cwd=ROOT,
        capture_output=True,
        check=False,
        timeout=SECONDS,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold off every other process that wants to build in a folder."""
    with (folder / "bot.toml").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def build(bot: str, *options: str) -> Done:
    """Build a bot where its source lies; what is built already is not built again."""
    folder = sample_folders()[bot]
    with alone(folder):
        return run("bot", "build", folder, *options)


@functools.cache
def have_built(bot: str) -> None:
    """Build a bot unless this process has: a build tool takes seconds to find nothing to do."""
    done = build(bot)
    assert done.code == 0, f"{bot}\n{done.out[-4000:]}\n{done.err[-4000:]}"


def match(first: str, second: str, variant: str | Path, *, sets: int) -> dict[str, Any]:
    """Play a match; what ``--json`` prints of it."""
    done = run(
        *("match", first, second, "--variant", variant, "--sets", str(sets)),
        *("--seed", SEED, "--json"),
    )
    assert done.code == 0, done
    report = json.loads(done.out)
    assert isinstance(report, dict)
    assert report["complete"], report
    return report


def faults(report: dict[str, Any]) -> int:
    """All faults of all bots of a match."""
    return sum(sum(bot["faults"].values()) for bot in report["bots"])


@pytest.mark.timeout(SECONDS)
class Trial:
    """The tests of the bots in one language; a class of its own derives from it for each."""

    language: ClassVar[str]
    sent_built: ClassVar[tuple[str, ...]] = ()
    """What is sent to an arena of its starter, built already; nothing for its sources."""

    def test_they_build_and_their_own_checks_pass(self) -> None:
        assert bots_in(self.language)
        for bot in bots_in(self.language):
            done = build(bot, "--check")
            assert done.code == 0, f"{bot}\n{done.out[-4000:]}\n{done.err[-4000:]}"

    @pytest.mark.parametrize("variant", VARIANTS)
    def test_they_play_every_variant_without_a_fault(self, variant: str) -> None:
        for bot in bots_in(self.language):
            have_built(bot)
            report = match(f"it={bot}", "random", variant, sets=2)
            assert faults(report) == 0, report
            assert report["bots"][0]["name"] == "it", f"{bot} lost to random"

    @pytest.mark.parametrize("rules", HOUSE_RULES.values(), ids=HOUSE_RULES)
    def test_they_play_rules_they_were_not_written_for(
        self, rules: Variant, tmp_path: Path
    ) -> None:
        (tmp_path / "house.toml").write_text(variant_to_toml(rules))
        for bot in bots_in(self.language):
            have_built(bot)
            report = match(f"it={bot}", "random", tmp_path / "house.toml", sets=1)
            assert faults(report) == 0, report

    def test_they_keep_the_contract(self) -> None:
        for bot in bots_in(self.language):
            have_built(bot)
            done = run("bot", "check", bot, "--games", "40", "--json")
            assert done.code == 0, f"{bot}\n{done.out[-4000:]}\n{done.err[-4000:]}"
            assert json.loads(done.out)["counts"]["not-tried"] == 0, done.out

    @pytest.mark.bubblewrap
    def test_its_starter_is_submitted_and_ready_to_play(self, tmp_path: Path) -> None:
        starter = f"{self.language}/starter"
        have_built(starter)
        copy_to_send(sample_folders()[starter], tmp_path / "sent", self.sent_built)
        data = tmp_path / "data"
        with serving(data, "--runner", "bubblewrap") as (address, _):
            server = ("--server", address, "--data", data)
            done = run("bot", "submit", tmp_path / "sent", *server, "--json")
            assert done.code == 0, f"{done.out[-4000:]}\n{done.err[-4000:]}"
            assert json.loads(done.out)["state"] == "ready"
            listed = json.loads(run("bot", "list", *server, "--json").out)["bots"]
        assert [row["kind"] for row in listed] == ["submitted"], listed
