"""The starter in Python."""

from tests.languages.trial import Trial


class TestPython(Trial):
    language = "python"
