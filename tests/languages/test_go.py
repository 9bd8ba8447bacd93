"""The starter in Go."""

from tests.languages.trial import Trial


class TestGo(Trial):
    language = "go"
