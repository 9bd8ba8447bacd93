"""The bots in TypeScript."""

import pytest

from tests.languages.trial import Trial

pytestmark = pytest.mark.toolchain("node")


class TestTypeScript(Trial):
    language = "typescript"
    sent_built = ("dist", "node_modules", "package.json", "proto")
