"""The bots in sh and awk, behind the bridge."""

import pytest

from tests.languages.trial import Trial

pytestmark = pytest.mark.toolchain("sh")


class TestSh(Trial):
    language = "sh"
