"""The bots in Rust."""

import pytest

from tests.languages.trial import Trial

pytestmark = pytest.mark.toolchain("rust")


class TestRust(Trial):
    language = "rust"
    sent_built = ("target/release/rust-starter",)
