"""Certificates for tests, made when they are needed."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path

import grpc
import trustme

from arena.server.tls import TlsFiles

LONG_AGO = datetime.datetime(2001, 1, 1, tzinfo=datetime.UTC)
THEN = datetime.datetime(2002, 1, 1, tzinfo=datetime.UTC)
SOME_DAY = datetime.datetime(2400, 1, 1, tzinfo=datetime.UTC)


@dataclass(frozen=True, slots=True)
class Authority:
    """An authority, and the files of those whom it has certified."""

    ca: trustme.CA

    @property
    def root(self) -> bytes:
        """Its own certificate."""
        return self.ca.cert_pem.bytes()

    def certify(
        self,
        folder: Path,
        *,
        name: str = "server",
        not_before: datetime.datetime | None = None,
        not_after: datetime.datetime | None = None,
    ) -> TlsFiles:
        """A certificate for this machine, in `NAME.pem` and `NAME.key`."""
        made = self.ca.issue_cert(
            "localhost", "127.0.0.1", not_before=not_before, not_after=not_after
        )
        folder.mkdir(exist_ok=True)
        certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
        certificate.write_bytes(b"".join(one.bytes() for one in made.cert_chain_pems))
        key.write_bytes(made.private_key_pem.bytes())
        return TlsFiles(certificate, key)

    def root_file(self, folder: Path) -> Path:
        """Its own certificate as a file."""
        path = folder / "ca.pem"
        path.write_bytes(self.root)
        return path

    def trusting(self, client: TlsFiles | None = None) -> grpc.ChannelCredentials:
        """What a client knows that trusts it, with a certificate of its own or without."""
        if client is None:
            return grpc.ssl_channel_credentials(self.root)
        key, chain = client.key.read_bytes(), client.certificate.read_bytes()
        return grpc.ssl_channel_credentials(self.root, key, chain)


def new_authority() -> Authority:
    """Another one than all before."""
    return Authority(trustme.CA())
