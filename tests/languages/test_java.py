"""The bots in Java."""

import pytest

from tests.languages.trial import Trial

pytestmark = pytest.mark.toolchain("java")


class TestJava(Trial):
    language = "java"
    sent_built = ("target/bot.jar",)
