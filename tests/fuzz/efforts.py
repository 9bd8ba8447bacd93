"""How much is tried, and the count of what was.

In the ordinary suite the examples are always the same, so that it never fails by chance; with
``--slow`` there are more of them, and others each time.  What fails is printed with the steps that
lead there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy

TRIED: Final = Counter[str]()
"""What was tried in this run, for the summary: examples, steps, calls."""

# Explaining would take longer than pytest's timeout leaves.
_PHASES: Final = (Phase.explicit, Phase.generate, Phase.shrink)
_PATIENT: Final = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)


def few(examples: int, steps: int = 50) -> settings:
    """The same examples in each run."""
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        derandomize=True,
        database=None,
        deadline=None,
        phases=_PHASES,
        suppress_health_check=_PATIENT,
    )


def many(examples: int, steps: int = 50) -> settings:
    """Other examples each time."""
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        database=None,
        deadline=None,
        print_blob=True,
        phases=_PHASES,
        suppress_health_check=_PATIENT,
    )


def failing(examples: int, steps: int = 40) -> settings:
    """To the first failure, which is not made smaller."""
    return settings(few(examples, steps), phases=(Phase.generate,), report_multiple_bugs=False)


def tried(what: str, count: int = 1) -> None:
    """Count it for the summary."""
    TRIED[what] += count


def for_all(drawn: SearchStrategy[Any], effort: settings, check: Callable[[Any], None]) -> None:
    """Check every example; for tests whose fixtures outlive an example."""

    @effort
    @given(drawn)
    def one(example: Any) -> None:
        check(example)

    one()
