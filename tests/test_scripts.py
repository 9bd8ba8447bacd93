"""The project's own tools: locks, scripts, and what the test run does about missing toolchains."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parent.parent
LOCKS = {name: ROOT / "requirements" / f"{name}.lock" for name in ("runtime", "dev")}
SCRIPTS = sorted(
    path for path in (ROOT / "scripts").iterdir() if path.is_file() and not path.suffix
)
RUN = [*SCRIPTS, ROOT / ".ci" / "run"]


def pins(lock: Path) -> dict[str, set[str]]:
    """The locked versions of each package, more than one where Python versions differ."""
    found: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([a-z0-9-]+)==([^ ]+)", lock.read_text(), re.MULTILINE):
        found.setdefault(name, set()).add(version)
    return found


def wanted(*groups: str) -> list[Requirement]:
    """What pyproject.toml asks for: to run, and in the named dependency groups."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    listed = list(project["project"]["dependencies"])
    for group in groups:
        listed += [entry for entry in project["dependency-groups"][group] if isinstance(entry, str)]
    return [Requirement(text) for text in listed]


@pytest.mark.parametrize("lock", LOCKS.values(), ids=LOCKS)
def test_every_locked_package_has_hashes(lock: Path) -> None:
    text = re.sub(r"^ *#.*\n", "", lock.read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    lines = text.splitlines()
    assert len(lines) > 20
    assert [line for line in lines if not re.search(r"--hash=sha256:[0-9a-f]{64}( |$)", line)] == []


@pytest.mark.parametrize("lock", LOCKS.values(), ids=LOCKS)
def test_no_lock_names_a_download_address(lock: Path) -> None:
    assert re.findall(r".*(?:://|--index|--extra-index|--find-links).*", lock.read_text()) == []


def test_both_locks_agree() -> None:
    runtime, dev = pins(LOCKS["runtime"]), pins(LOCKS["dev"])
    assert {name: dev.get(name) for name in runtime} == runtime


@pytest.mark.parametrize(
    ("lock", "requirement"),
    [("runtime", requirement) for requirement in wanted("build")]
    + [("dev", requirement) for requirement in wanted("build", "dev")],
    ids=str,
)
def test_the_locks_are_as_new_as_pyproject(lock: str, requirement: Requirement) -> None:
    versions = pins(LOCKS[lock]).get(requirement.name.lower().replace("_", "-"), set())
    assert versions, "not locked: run scripts/lock"
    assert all(requirement.specifier.contains(version) for version in versions), "run scripts/lock"


@pytest.mark.parametrize("script", RUN, ids=lambda path: path.name)
def test_a_script_can_be_run_and_begins_with_what_it_does(script: Path) -> None:
    first, second, *_ = script.read_text().splitlines()
    assert os.access(script, os.X_OK)
    assert first in ("#!/usr/bin/env bash", "#!/bin/sh")
    assert re.match(r"# [A-Z][a-z]+", second)


@pytest.mark.parametrize("script", RUN, ids=lambda path: path.name)
def test_a_script_stops_at_the_first_error(script: Path) -> None:
    assert "\nset -euo pipefail\n" in script.read_text()


@pytest.mark.parametrize("script", RUN, ids=lambda path: path.name)
def test_a_script_is_sound_shell(script: Path) -> None:
    subprocess.run(["bash", "-n", script], check=True)


@pytest.mark.parametrize("name", ["setup", "lock", "protos", "check"])
def test_an_unknown_argument_is_refused_in_one_sentence(name: str) -> None:
    done = subprocess.run(
        [ROOT / "scripts" / name, "--wat"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"scripts/{name}: ")
    assert done.stderr.count("\n") == 1
    assert "--wat" in done.stderr


@pytest.fixture
def run_of_marked_tests(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> pytest.Pytester:
    """One test for each mark, with this project's conftest and nothing on the path."""
    pytester.makeconftest((ROOT / "tests" / "conftest.py").read_text())
    pytester.makeini("[pytest]\nmarkers =\n  slow\n  browser\n  toolchain(name)\n")
    pytester.makepyfile(
        """
        import pytest

        def test_plain(): pass

        @pytest.mark.slow
        def test_slow(): pass

        @pytest.mark.toolchain("go")
        def test_go(): pass

        @pytest.mark.browser
        def test_browser(): pass
        """
    )
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CI", raising=False)
    return pytester


def test_missing_tools_skip_tests_and_the_summary_says_so(
    run_of_marked_tests: pytest.Pytester,
) -> None:
    result = run_of_marked_tests.runpytest_subprocess()
    result.assert_outcomes(passed=1, skipped=2, deselected=1)
    result.stdout.fnmatch_lines(["skipped without browser: 1 *", "skipped without go: 1 *"])


def test_missing_tools_fail_tests_in_ci(
    run_of_marked_tests: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    result = run_of_marked_tests.runpytest_subprocess()
    result.assert_outcomes(passed=1, errors=2, deselected=1)


def test_slow_tests_run_on_demand(run_of_marked_tests: pytest.Pytester) -> None:
    result = run_of_marked_tests.runpytest_subprocess("--slow")
    result.assert_outcomes(passed=2, skipped=2)


def test_an_unknown_toolchain_is_refused(run_of_marked_tests: pytest.Pytester) -> None:
    run_of_marked_tests.makepyfile(
        test_typo="import pytest\n@pytest.mark.toolchain('goo')\ndef test_x(): pass\n"
    )
    result = run_of_marked_tests.runpytest_subprocess()
    result.assert_outcomes(passed=1, skipped=2, deselected=1, errors=1)
    result.stdout.fnmatch_lines(
        ["*UsageError: *toolchain('goo') is unknown; use one of containers, cpp, go, *"]
    )
