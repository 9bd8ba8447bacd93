"""Names that secrets would draw are the same for every stage of this room."""

import secrets

import pytest

from tests.leaks.stage import NAMES


@pytest.fixture(autouse=True)
def fixed_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "randbits", NAMES.randbits)
    monkeypatch.setattr(secrets, "token_hex", NAMES.token_hex)
