"""Certificates: what is wrong with the files, TLS on the wire, and new ones without a restart."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shutil
import ssl
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from urllib.parse import urlsplit

import grpc
import pytest
from cryptography.hazmat.primitives import serialization

from arena.server import tls
from arena.server.addresses import http_address, http_socket
from arena.server.app import running_arena
from arena.server.listening import ListenError
from arena.server.pages import serving_pages
from arena.server.tls import Certificates, TlsFiles, read_identity
from tests.server.certificates import LONG_AGO, SOME_DAY, THEN, Authority, new_authority
from tests.server.client import Client


@pytest.fixture(scope="module")
def authority() -> Authority:
    return new_authority()


@pytest.fixture
def files(authority: Authority, tmp_path: Path) -> TlsFiles:
    return authority.certify(tmp_path)


# Files.


def none_there(files: TlsFiles, _: Authority) -> None:
    files.certificate.unlink()


def no_key_there(files: TlsFiles, _: Authority) -> None:
    files.key.unlink()


def nonsense(files: TlsFiles, _: Authority) -> None:
    files.certificate.write_text("once upon a time")


def empty(files: TlsFiles, _: Authority) -> None:
    files.certificate.write_text("")


def nonsense_as_key(files: TlsFiles, _: Authority) -> None:
    files.key.write_text("once upon a time")


def changed_places(files: TlsFiles, _: Authority) -> None:
    files.certificate.write_bytes(files.key.read_bytes())


def another_key(files: TlsFiles, authority: Authority) -> None:
    other = authority.certify(files.key.parent / "other")
    files.key.write_bytes(other.key.read_bytes())


def a_passphrase(files: TlsFiles, _: Authority) -> None:
    key = serialization.load_pem_private_key(files.key.read_bytes(), None)
    files.key.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(b"secret"),
        )
    )


def expired(files: TlsFiles, authority: Authority) -> None:
    authority.certify(files.key.parent, not_before=LONG_AGO, not_after=THEN)


def too_early(files: TlsFiles, authority: Authority) -> None:
    authority.certify(files.key.parent, not_before=SOME_DAY)


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (none_there, "server.pem cannot be read: No such file or directory"),
        (no_key_there, "server.key cannot be read: No such file or directory"),
        (nonsense, "server.pem holds no certificate in PEM"),
        (empty, "server.pem holds no certificate in PEM"),
        (nonsense_as_key, "server.key holds no private key in PEM, or one of another kind"),
        (changed_places, "server.pem holds no certificate in PEM"),
        (another_key, "the key in server.key does not fit server.pem"),
        (a_passphrase, "server.key has a passphrase: write the key without one"),
        (expired, "server.pem has expired: get a new one"),
        (too_early, "server.pem is not valid yet: is the clock of this machine right?"),
    ],
    ids=lambda value: "" if isinstance(value, str) else value.__name__.replace("_", " "),
)
def test_files_that_will_not_do_are_told_in_a_sentence(
    files: TlsFiles,
    authority: Authority,
    spoil: Callable[[TlsFiles, Authority], None],
    sentence: str,
) -> None:
    spoil(files, authority)
    with pytest.raises(ListenError) as refused:
        read_identity(files)
    folder = f"{files.key.parent}{os.sep}"
    assert str(refused.value).replace(folder, "") == sentence


def test_an_authority_that_is_none_is_told(files: TlsFiles, tmp_path: Path) -> None:
    nothing = tmp_path / "ca.pem"
    nothing.write_text("nobody")
    with pytest.raises(ListenError, match=r"ca\.pem holds no certificate in PEM"):
        read_identity(TlsFiles(files.certificate, files.key, nothing))


def test_files_that_change_while_they_are_read_are_not_used(
    files: TlsFiles, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    try_out = tls._handshake

    def meanwhile(context: ssl.SSLContext, certificate: Path) -> float:
        good_until = try_out(context, certificate)
        authority.certify(files.key.parent)
        return good_until

    monkeypatch.setattr(tls, "_handshake", meanwhile)
    with pytest.raises(ListenError, match="is being written: it will be read again"):
        read_identity(files)


def test_a_good_certificate_says_how_long(authority: Authority, tmp_path: Path) -> None:
    identity = read_identity(authority.certify(tmp_path, not_after=SOME_DAY))
    assert identity.good_until == SOME_DAY.timestamp()
    assert "PRIVATE KEY" not in repr(identity)


# On the wire.


@contextlib.asynccontextmanager
async def listening(certificates: Certificates) -> AsyncIterator[str]:
    """The address of an arena that speaks TLS, as a client dials it without its `tls:`."""
    async with running_arena("127.0.0.1:0", tables=1, tls=certificates.credentials()) as arena:
        (address,) = arena.addresses
        assert address.startswith("tls:127.0.0.1:")
        yield address.removeprefix("tls:")


async def heard(address: str, credentials: grpc.ChannelCredentials | None) -> str:
    """What a bot is told that shows an unknown token."""
    client = Client(address, credentials)
    with contextlib.suppress(grpc.aio.AioRpcError):
        await client.say_hello("nobody")
    code, sentence = await client.ends()
    await client.hang_up()
    return sentence if code is grpc.StatusCode.UNAUTHENTICATED else code.name


KNOWN = "the token is not known"
NOT_HEARD = "UNAVAILABLE"


async def test_only_who_trusts_the_certificate_gets_through(
    files: TlsFiles, authority: Authority
) -> None:
    async with listening(Certificates(files)) as address:
        assert await heard(address, authority.trusting()) == KNOWN
        assert await heard(address, new_authority().trusting()) == NOT_HEARD
        assert await heard(address, None) == NOT_HEARD


async def test_the_unix_socket_speaks_no_tls(files: TlsFiles) -> None:
    with tempfile.TemporaryDirectory(prefix="tls") as folder:
        credentials = Certificates(files).credentials()
        async with running_arena(f"unix:{folder}/s", tables=1, tls=credentials) as arena:
            assert await heard(arena.addresses[0], None) == KNOWN


async def test_mutual_tls_asks_for_a_certificate_of_the_authority(
    files: TlsFiles, authority: Authority, tmp_path: Path
) -> None:
    mutual = TlsFiles(files.certificate, files.key, authority.root_file(tmp_path))
    friend = authority.certify(tmp_path, name="friend")
    stranger = new_authority().certify(tmp_path, name="stranger")
    async with listening(Certificates(mutual)) as address:
        assert await heard(address, authority.trusting(friend)) == KNOWN
        assert await heard(address, authority.trusting()) == NOT_HEARD
        assert await heard(address, authority.trusting(stranger)) == NOT_HEARD


async def test_a_new_certificate_counts_without_a_restart(
    files: TlsFiles, authority: Authority, caplog: pytest.LogCaptureFixture
) -> None:
    other = new_authority()
    async with listening(Certificates(files)) as address:
        assert await heard(address, authority.trusting()) == KNOWN
        with caplog.at_level(logging.INFO, "arena"):
            other.certify(files.key.parent)
            assert await heard(address, other.trusting()) == KNOWN
            assert await heard(address, authority.trusting()) == NOT_HEARD
    told = [line for line in caplog.messages if "certificate" in line]
    assert len(told) == 1
    assert told[0].startswith("the certificate has been read again, good until ")


@pytest.mark.parametrize("spoil", [nonsense, none_there, another_key, expired])
async def test_a_broken_new_certificate_keeps_the_old_one_and_is_told_once(
    files: TlsFiles,
    authority: Authority,
    caplog: pytest.LogCaptureFixture,
    spoil: Callable[[TlsFiles, Authority], None],
) -> None:
    async with listening(Certificates(files)) as address:
        with caplog.at_level(logging.INFO, "arena"):
            spoil(files, authority)
            for _ in range(2):
                assert await heard(address, authority.trusting()) == KNOWN
        told = [line for line in caplog.messages if "certificate" in line]
        assert len(told) == 1
        assert told[0].startswith("the certificate stays as it was: ")
        authority.certify(files.key.parent)
        assert await heard(address, authority.trusting()) == KNOWN


# Pages.


async def page(_scope: object, _receive: object, send: Callable[..., object]) -> None:
    start = {"type": "http.response.start", "status": 200, "headers": []}
    for message in (start, {"type": "http.response.body", "body": b"hello"}):
        await send(message)  # type: ignore[misc]


async def read_page(url: str, root: bytes, server_name: str | None) -> str:
    """The answer for a page, asked for over TLS by name or by address; or why not."""
    context = ssl.create_default_context(cadata=root.decode())
    context.check_hostname = server_name is not None
    parts = urlsplit(url)
    try:
        reader, writer = await asyncio.open_connection(
            parts.hostname, parts.port, ssl=context, server_hostname=server_name or ""
        )
    except ssl.SSLCertVerificationError as error:
        return error.reason
    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer.decode()


@pytest.mark.parametrize("name", ["localhost", None], ids=["by its name", "by its address"])
async def test_pages_follow_their_certificate_too(
    files: TlsFiles, authority: Authority, name: str | None
) -> None:
    other, certificates = new_authority(), Certificates(files)
    with http_socket("127.0.0.1:0") as socket:
        url = http_address(socket, tls=True)
        assert url.startswith("https://127.0.0.1:")
        async with serving_pages(page, socket, certificates.context()):
            assert "hello" in await read_page(url, authority.root, name)
            fresh = other.certify(files.key.parent / "new")
            shutil.copy(fresh.certificate, files.certificate)
            shutil.copy(fresh.key, files.key)
            certificates.refresh()
            assert "hello" in await read_page(url, other.root, name)
            assert await read_page(url, authority.root, name) == "CERTIFICATE_VERIFY_FAILED"
            files.key.write_text("nothing")
            certificates.refresh()
            assert "hello" in await read_page(url, other.root, name)
