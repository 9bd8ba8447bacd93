"""The bots in Perl, behind the bridge."""

import pytest

from tests.languages.trial import Trial

pytestmark = pytest.mark.toolchain("perl")


class TestPerl(Trial):
    language = "perl"
