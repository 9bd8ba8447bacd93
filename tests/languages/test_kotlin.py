"""The bots in Kotlin."""

import pytest

from tests.languages.trial import Trial

pytestmark = pytest.mark.toolchain("java")


class TestKotlin(Trial):
    language = "kotlin"
    sent_built = ("target/bot.jar",)
