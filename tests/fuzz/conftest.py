"""Tells at the end how much was tried."""

from __future__ import annotations

import pytest

from tests.fuzz.efforts import TRIED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if TRIED:
        told = ", ".join(f"{count:,} {what}" for what, count in sorted(TRIED.items()))
        terminalreporter.write_line(f"fuzzed: {told}")
