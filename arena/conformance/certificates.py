"""A certificate for this machine that is good for a day, made with the program openssl."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Final

from arena.conformance.verdicts import NotTried
from arena.server.tls import TlsFiles

_SECONDS: Final = 20.0


async def make_certificates(folder: Path) -> TlsFiles:
    """A key and a certificate that is its own authority: ``ca.pem`` is to be trusted.

    Raises:
        NotTried: there is no openssl, or it fails.
    """
    program = shutil.which("openssl")
    if program is None:
        raise NotTried("the program openssl is not there to make a certificate")
    key, certificate = folder / "key.pem", folder / "ca.pem"
    arguments = (
        *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
        *("-nodes", "-days", "1", "-subj", "/CN=localhost"),
        *("-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
        *("-keyout", str(key), "-out", str(certificate)),
    )
    process = await asyncio.create_subprocess_exec(
        program,
        *arguments,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(_SECONDS):
            _, said = await process.communicate()
    except TimeoutError as error:
        process.kill()
        await process.wait()
        raise NotTried("openssl did not make a certificate in time") from error
    if process.returncode:
        words = said.decode("utf-8", "replace").strip().splitlines()
        raise NotTried(f"openssl made no certificate: {words[-1] if words else 'no reason given'}")
    return TlsFiles(certificate, key)
