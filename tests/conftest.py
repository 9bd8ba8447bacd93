"""What every test run does: slow tests on demand, tools of other languages, Hypothesis profiles.

Fixtures of one room live in that room's own conftest.py.
"""

import functools
import os
import shutil
import signal
import subprocess
from collections import Counter

import pytest
from hypothesis import settings

TOOLCHAINS = {
    "containers": ("go", "mmdebstrap", "podman", "runc"),
    "cpp": ("cmake", "c++", "clang-format", "grpc_cpp_plugin", "pkg-config"),
    "go": ("go",),
    "java": ("javac", "mvn"),
    "node": ("node", "npm"),
    "perl": ("perl", "perlcritic", "perltidy", "prove"),
    "rust": ("cargo", "rustc"),
    "sh": ("awk", "shellcheck"),
}
"""What `toolchain(name)` needs on the path, all of it."""

AS_ROOT = ("containers",)
"""Which of them only root can use: base images are made in a root of their own."""

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
"""What `browser` needs on the path, one of it."""

BUBBLEWRAP = ("bwrap", "prlimit", "setpriv")
"""What `bubblewrap` needs on the path, all of it; and a kernel that lets it make name spaces."""

IN_CI = os.environ.get("CI") == "true"

_MISSING = pytest.StashKey[Counter[str]]()

# Deadlines measure the machine, not the code. In CI the same code draws the same examples.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if IN_CI else "local")


def missing_for(item: pytest.Item) -> list[str]:
    """The names of what `item` is marked to need and this machine lacks.

    Raises:
        pytest.UsageError: a `toolchain` mark names no known toolchain.
    """
    missing = []
    for mark in item.iter_markers("toolchain"):
        name = mark.args[0] if mark.args else None
        if name not in TOOLCHAINS:
            raise pytest.UsageError(
                f"{item.nodeid}: toolchain({name!r}) is unknown; use one of {', '.join(TOOLCHAINS)}"
            )
        if not all(shutil.which(command) for command in TOOLCHAINS[name]):
            missing.append(name)
        elif name in AS_ROOT and os.geteuid() != 0:
            missing.append(f"{name} as root")
    if item.get_closest_marker("browser") and not any(map(shutil.which, BROWSERS)):
        missing.append("browser")
    if item.get_closest_marker("bubblewrap") and not has_bubblewrap():
        missing.append("bubblewrap")
    return missing


@functools.cache
def has_bubblewrap() -> bool:
    """Whether it is there and may do what it is for."""
    if not all(map(shutil.which, BUBBLEWRAP)):
        return False
    words = ("bwrap", "--ro-bind", "/", "/", "--unshare-all", "true")
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests marked slow as well")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_MISSING] = Counter()
    _heed_signals()


def _heed_signals() -> None:
    """Take ctrl-C and hang-up as a terminal's child does, whoever started the tests.

    A shell starts background jobs with SIGINT ignored, nohup with SIGHUP ignored; commands under
    test would inherit that, and they rightly honour it.
    """
    for number, handler in (
        (signal.SIGINT, signal.default_int_handler),
        (signal.SIGHUP, signal.SIG_DFL),
    ):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]


def pytest_runtest_setup(item: pytest.Item) -> None:
    missing = missing_for(item)
    if not missing:
        return
    if IN_CI:
        pytest.fail(f"needs what is not on the path: {', '.join(missing)}", pytrace=False)
    item.config.stash[_MISSING].update(missing)
    pytest.skip(f"needs what is not on the path: {', '.join(missing)}")


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    for name, count in sorted(config.stash[_MISSING].items()):
        terminalreporter.write_line(f"skipped without {name}: {count} (with CI=true these fail)")
