"""The bots in Go."""

import pytest

from tests.languages.trial import Trial

pytestmark = pytest.mark.toolchain("go")


class TestGo(Trial):
    language = "go"
    sent_built = ("bin/bot",)
