"""``bot.toml``: what a bot's folder says of the bot. Strictly read.

::

    name = "go-starter"
    language = "go"
    build = [["go", "build", "-o", "bin/bot", "."]]  # none where nothing is to be built
    run = ["./bin/bot"]
    check = [["go", "vet", "./..."]]  # format, lint, unit tests; optional
    image = "go-bot:3"  # of a container that it runs in; then it may have no `run`; optional

    [resources]  # wanted, where it is submitted; the organiser's bounds hold; optional
    memory_mb = 256
    processes = 64
    cpus = 1.0

Commands are lists of words; no shell reads them.  They run in the folder.
"""

from __future__ import annotations

import re
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import msgspec

from arena.hosting.fields import Fields
from arena.hosting.folder import MANIFEST

MAX_NAME: Final = 64
MAX_BYTES: Final = 64 * 1024
_MAX_SAID: Final = 200
"""Characters of what is told of a file that will not do."""

Words = tuple[str, ...]

_LANGUAGE: Final = re.compile(r"[a-z][a-z0-9+#-]{0,31}")
_IMAGE: Final = re.compile(r"[a-z0-9][A-Za-z0-9._/:@-]{0,254}", re.ASCII)


class ManifestError(Exception):
    """A ``bot.toml`` that will not do; the sentence names the file and says why."""


NAME_RULE: Final = f"1 to {MAX_NAME} characters that print, none of them a space at its ends"
"""What `is_bot_name` asks for, as a sentence says it."""


def is_bot_name(name: str) -> bool:
    """Whether pages, files and terminals can show a name."""
    return 1 <= len(name) <= MAX_NAME and name.isprintable() and name == name.strip()


class Wanted(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What a bot asks for; None for what the organiser gives to any.

    Attributes:
        memory_mb: in mebibytes, of all its processes.
        processes: and threads.
        cpus: at once.
    """

    memory_mb: Annotated[int, msgspec.Meta(ge=16, le=1024 * 1024)] | None = None
    processes: Annotated[int, msgspec.Meta(ge=1, le=65_536)] | None = None
    cpus: Annotated[float, msgspec.Meta(ge=0.1, le=1024)] | None = None


class _File(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    name: str
    language: str
    run: Words = ()
    build: tuple[Words, ...] = ()
    check: tuple[Words, ...] = ()
    image: str | None = None
    resources: Wanted = Wanted()


_FIELDS: Final = Fields(
    MANIFEST, {"": _File.__struct_fields__, "resources": Wanted.__struct_fields__}
)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a ``bot.toml`` says.

    Attributes:
        folder: where it lies.
        name: the bot's.
        language: that it is written in, as ``arena bot new`` names them.
        run: the words that start it, in the folder; may be none where there is an image.
        build: what makes the program, in this order.
        check: the author's own checks, each of which fails where something is wrong.
        image: of the container that it runs in; None for the organiser's own.
        resources: what it asks for.
    """

    folder: Path
    name: str
    language: str
    run: Words
    build: tuple[Words, ...]
    check: tuple[Words, ...]
    image: str | None
    resources: Wanted


def read_manifest(folder: Path) -> Manifest:
    """What the ``bot.toml`` of a folder says.

    Raises:
        ManifestError: there is none, or it will not do.
    """
    path = folder / MANIFEST
    try:
        fields = tomllib.loads(_text(path))
        file = msgspec.convert(fields, _File)
    except OSError as error:
        raise ManifestError(f"{path} cannot be read: {error.strerror}") from error
    except RecursionError:
        raise ManifestError(f"{path} will not do: its lists lie too deep") from None
    except msgspec.ValidationError as error:
        raise ManifestError(
            f"{path} will not do: {_plain(_FIELDS.sentence(str(error)))}"
        ) from error
    except ValueError as error:
        # tomllib's own, bytes that are no text, and a whole number of thousands of digits.
        raise ManifestError(f"{path} will not do: {_plain(str(error))}") from error
    _check(path, file)
    return Manifest(
        folder.absolute(),
        file.name,
        file.language,
        file.run,
        file.build,
        file.check,
        file.image,
        file.resources,
    )


def _plain(text: str) -> str:
    """A sentence that quotes the file, as any terminal and page can show it."""
    shown = text if len(text) <= _MAX_SAID else f"{text[:_MAX_SAID]}..."
    return "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode() for one in shown
    )


def _text(path: Path) -> str:
    if path.exists() and not path.is_file():
        raise ManifestError(f"{path} is no file")
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ManifestError(f"{path} is too long: at most {MAX_BYTES // 1024} KiB")
    return content.decode("utf-8")


def _check(path: Path, file: _File) -> None:
    if not is_bot_name(file.name):
        raise ManifestError(f"{path} will not do: name has {NAME_RULE}")
    if not _LANGUAGE.fullmatch(file.language):
        raise ManifestError(f"{path} will not do: {file.language!r} is no name of a language")
    if file.image is not None and not _IMAGE.fullmatch(file.image):
        raise ManifestError(f"{path} will not do: {file.image!r} is no name of an image")
    if not file.run and file.image is None:
        raise ManifestError(f"{path} will not do: it has neither run nor image")
    runs = (file.run,) if file.run else ()
    for field, commands in (("run", runs), ("build", file.build), ("check", file.check)):
        if not all(words and words[0] for words in commands):
            raise ManifestError(f"{path} will not do: {field} has a command without words")
        if any("\0" in word for words in commands for word in words):
            raise ManifestError(f"{path} will not do: {field} has a word that no command may have")


def find_program(word: str, folder: Path, *, search_path: str) -> str | None:
    """The absolute path of a command's first word; None where there is no such program.

    Args:
        word: a path counts from the folder, a name is looked up.
        folder: the bot's.
        search_path: where names are looked up, as ``PATH`` has it.
    """
    if "/" not in word:
        return shutil.which(word, path=search_path)
    return shutil.which(str(folder.absolute() / word))
