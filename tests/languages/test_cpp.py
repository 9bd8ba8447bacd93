"""The bots in C++."""

import pytest

from tests.languages.trial import Trial

pytestmark = pytest.mark.toolchain("cpp")


class TestCpp(Trial):
    language = "cpp"
    sent_built = ("build/cpp-starter",)
