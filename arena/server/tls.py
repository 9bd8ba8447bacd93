"""Certificates: read from files, checked before they are used, read again when the files change.

One set of files serves gRPC and the pages. What cannot be used is told in one sentence and changes
nothing: the certificate that was good before stays.
"""

from __future__ import annotations

import asyncio
import ssl
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import grpc

from arena.events import Event, event_log
from arena.server.listening import ListenError

LOOK_SECONDS: Final = 2.0
"""How often the files are looked at; besides, at each connection to gRPC."""

_PARTIAL_CHAIN: Final = 0x80000  # X509_V_FLAG_PARTIAL_CHAIN: any certificate may be trusted
_NOT_YET: Final = 9
_EXPIRED: Final = 10

log = event_log(__name__)


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """Files in PEM.

    Attributes:
        certificate: the server's, followed by those that lead to its authority.
        key: its private key, without a passphrase.
        client_ca: the authorities whose clients may dial gRPC; None asks no client.
    """

    certificate: Path
    key: Path
    client_ca: Path | None = None

    @property
    def all(self) -> tuple[Path, ...]:
        """Those that there are."""
        paths = (self.certificate, self.key, self.client_ca)
        return tuple(path for path in paths if path is not None)


@dataclass(frozen=True, slots=True)
class Identity:
    """What the files held when they were read, found good.

    Attributes:
        content: of each file.
        context: for the pages.
        good_until: seconds since 1970 when the certificate expires.
    """

    content: tuple[bytes, ...] = field(repr=False)
    context: ssl.SSLContext
    good_until: float

    def configuration(self) -> grpc.ServerCertificateConfiguration:
        """The same for gRPC."""
        chain, key, *roots = self.content
        return grpc.ssl_server_certificate_configuration(
            [(key, chain)], root_certificates=roots[0] if roots else None
        )


def read_identity(files: TlsFiles) -> Identity:
    """Read the files and try them out.

    Raises:
        ListenError: they cannot be used; the sentence says why.
    """
    content = tuple(map(_read, files.all))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    _load_pair(context, files)
    if files.client_ca is not None:
        _load_authorities(files.client_ca)
    good_until = _handshake(context, files.certificate)
    if tuple(map(_read, files.all)) != content:
        raise ListenError(f"{files.certificate} is being written: it will be read again")
    return Identity(content, context, good_until)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ListenError(f"{path} cannot be read: {error.strerror}") from error


def _load_pair(context: ssl.SSLContext, files: TlsFiles) -> None:
    certificate, key = files.certificate, files.key
    try:
        # Before the pair, since its error would not say which of the two is meant.
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(certificate)
    except (ssl.SSLError, OSError, ValueError) as error:
        raise ListenError(f"{certificate} holds no certificate in PEM") from error
    try:
        context.load_cert_chain(certificate, key, password=_no_passphrase)
    except _HasPassphrase as error:
        raise ListenError(f"{key} has a passphrase: write the key without one") from error
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise ListenError(f"the key in {key} does not fit {certificate}") from error
        if str(error.reason).endswith(("KEY_TOO_SMALL", "MD_TOO_WEAK")):
            raise ListenError(f"{certificate} is too weak: make a longer key") from error
        raise ListenError(f"{key} holds no private key in PEM, or one of another kind") from error


class _HasPassphrase(Exception):
    """The key asks for a passphrase, and nobody is there to say it."""


def _no_passphrase() -> str:
    raise _HasPassphrase


def _load_authorities(path: Path) -> None:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_verify_locations(path)
    except (ssl.SSLError, OSError, ValueError) as error:
        raise ListenError(f"{path} holds no certificate in PEM") from error


def _handshake(server_context: ssl.SSLContext, certificate: Path) -> float:
    """Greet a client in memory that trusts this very certificate; when it expires.

    Raises:
        ListenError: no client would take it.
    """
    client_context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client_context.check_hostname = False
    client_context.verify_flags |= ssl.VerifyFlags(_PARTIAL_CHAIN)
    client_context.load_verify_locations(certificate)
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = client_context.wrap_bio(down, up)
    server = server_context.wrap_bio(up, down, server_side=True)
    try:
        for side in (client, server, client, server):
            _step(side)
    except ssl.SSLCertVerificationError as error:
        raise ListenError(f"{certificate} {_why(error)}") from error
    except ssl.SSLError as error:
        raise ListenError(f"{certificate} cannot be used: {error.reason}") from error
    told = client.getpeercert()
    assert told is not None, "the client has verified it"
    return ssl.cert_time_to_seconds(str(told["notAfter"]))


def _step(side: ssl.SSLObject) -> None:
    try:
        side.do_handshake()
    except ssl.SSLWantReadError:
        return


def _why(error: ssl.SSLCertVerificationError) -> str:
    match error.verify_code:
        case code if code == _EXPIRED:
            return "has expired: get a new one"
        case code if code == _NOT_YET:
            return "is not valid yet: is the clock of this machine right?"
        case _:
            return f"would be trusted by no client: {error.verify_message}"


class Certificates:
    """The certificate of a server at this moment. Its methods may be called from any thread."""

    def __init__(self, files: TlsFiles) -> None:
        """Read the files. Raises ListenError where they cannot be used."""
        self._files = files
        self._lock = threading.Lock()
        self._seen = self._stamp()
        self._identity = read_identity(files)
        self._given = self._identity

    @property
    def good_until(self) -> float:
        """Seconds since 1970 when the certificate expires."""
        return self._identity.good_until

    def refresh(self) -> None:
        """Look whether the files have changed, and read them again if so."""
        with self._lock:
            stamp = self._stamp()
            if stamp == self._seen:
                return
            self._seen = stamp
            try:
                self._identity = read_identity(self._files)
            except ListenError as error:
                log.warning(Event.CERTIFICATE_REFUSED, reason=str(error))
            else:
                log.info(Event.CERTIFICATE_READ, until=until_words(self.good_until))

    def _stamp(self) -> tuple[object, ...]:
        """What is another thing once a file has been written or replaced."""
        return tuple(_stamp_of(path) for path in self._files.all)

    def credentials(self) -> grpc.ServerCredentials:
        """For the addresses of gRPC; each connection gets the certificate of its moment."""
        return grpc.dynamic_ssl_server_credentials(
            self._identity.configuration(),
            self._newer,  # type: ignore[arg-type]  # None is no change, says its documentation
            require_client_authentication=self._files.client_ca is not None,
        )

    def _newer(self) -> grpc.ServerCertificateConfiguration | None:
        """What gRPC asks at each connection, in a thread of its own; None is no change."""
        self.refresh()
        with self._lock:
            if self._identity is self._given:
                return None
            self._given = self._identity
            return self._given.configuration()

    def context(self) -> ssl.SSLContext:
        """For the pages; each connection gets the certificate of its moment."""
        front = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        front.minimum_version = ssl.TLSVersion.TLSv1_2
        front.sni_callback = self._choose
        return front

    def _choose(self, connection: ssl.SSLObject, _name: str | None, _: ssl.SSLContext) -> None:
        connection.context = self._identity.context


def _stamp_of(path: Path) -> object:
    try:
        found = path.stat()
    except OSError as error:
        return error.errno
    return found.st_ino, found.st_size, found.st_mtime_ns


def until_words(seconds: float) -> str:
    """Until when a certificate is good, in words."""
    return time.strftime("good until %Y-%m-%d %H:%M UTC", time.gmtime(seconds))


async def keep_fresh(certificates: Certificates) -> None:
    """Look at the files again and again, until cancelled, so that what is wrong is told soon."""
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        await asyncio.to_thread(certificates.refresh)
