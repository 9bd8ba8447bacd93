"""What a bot trusts and shows where the arena speaks TLS: files, checked before they are used."""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final


@dataclass(frozen=True, slots=True)
class Identity:
    """What a client of TLS trusts and shows, in PEM.

    Attributes:
        authorities: whom to trust; None is gRPC's own list.
        key: the client's private key.
        certificate: its certificate; both or none.
    """

    authorities: bytes | None = None
    key: bytes | None = field(default=None, repr=False)
    certificate: bytes | None = None


NOTHING: Final = Identity()
"""No TLS, or gRPC's own list and nothing to show."""


def read_identity(ca: str, certificate: str, key: str) -> Identity:
    """What the files hold whose paths these are, empty where there is none.

    Raises:
        ValueError: a file cannot be used; the text is one sentence.
    """
    if bool(certificate) != bool(key):
        raise ValueError("a certificate needs its key: give both of ARENA_TLS_CERT, ARENA_TLS_KEY")
    if certificate:
        _check_pair(certificate, key)
    return Identity(
        authorities=_read_authorities(ca) if ca else None,
        key=_read(key) if key else None,
        certificate=_read(certificate) if certificate else None,
    )


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from error


def _read_authorities(path: str) -> bytes:
    content = _read(path)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(path)
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} holds no certificate in PEM") from error
    return content


def _check_pair(certificate: str, key: str) -> None:
    """gRPC itself would only fail to connect, without a word why."""
    _read_authorities(certificate)
    _read(key)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_cert_chain(certificate, key, password=_silent)
    except (OSError, ValueError) as error:
        raise ValueError(
            f"{key} is no private key in PEM without a passphrase that fits {certificate}"
        ) from error


def _silent() -> str:
    """No passphrase: nobody is there to say one."""
    raise ValueError
