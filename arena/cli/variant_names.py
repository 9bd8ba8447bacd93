"""``--variant``: the name of a shipped variant, or a house-rule file."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

from arena.cli.errors import CliError
from arena.cli.user_files import read_user_text
from arena.rules.errors import VariantError
from arena.rules.house import variant_from_toml
from arena.rules.variant import Variant
from arena.rules.variants import VARIANTS


def find_variant(text: str, *, folder: Path | None = None) -> Variant:
    """The variant of that name, or of the file at that path.

    Args:
        text: a name or a path; what is neither is refused as the likelier of the two.
        folder: where a relative path begins.

    Raises:
        CliError: there is none, or the file is refused.
    """
    if text in VARIANTS:
        return VARIANTS[text]
    path = (folder or Path()) / text
    if path.suffix == ".toml" or "/" in text or path.is_file():
        return read_variant(path)
    raise CliError(f'no variant is called "{text}", and there is no such file', hint=_hint(text))


def read_variant(path: Path) -> Variant:
    """The variant of a house-rule file.

    Raises:
        CliError: it cannot be read or is refused; the sentence names file and field.
    """
    try:
        text = read_user_text(path)
        return variant_from_toml(text)
    except VariantError as error:
        hint = f"see: arena variants show {_base(text)}"
        raise CliError(f"{path}: {error}", hint=hint) from error


def _base(text: str) -> str:
    """The variant that a refused file extends, as far as can be told."""
    named = re.search(r"^\s*extends\s*=\s*[\"'](\w+)[\"']", text, re.MULTILINE)
    return named[1] if named and named[1] in VARIANTS else "classic"


def _hint(text: str) -> str:
    close = difflib.get_close_matches(text, VARIANTS, n=1)
    names = "see: arena variants list"
    return f'did you mean "{close[0]}"?  {names}' if close else names
