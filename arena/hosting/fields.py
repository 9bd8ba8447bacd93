"""What is wrong with a field of a file that people write, said as this project says it.

The library that reads such files speaks of objects, arrays and paths that begin with ``$``.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

_NAMED: Final = re.compile(r"Object (contains unknown|missing required) field `(.*)`")
_EXPECTED: Final = re.compile(r"Expected `(.*)`, got `(.*)`")
_BOUND: Final = re.compile(r"Expected `.*` (>=|<=) (.*)")
_BOUNDS: Final = {">=": "at least", "<=": "at most"}
_WORDS: Final = {
    "int": "a whole number",
    "int | null": "a whole number",
    "float": "a number with a point",
    "float | null": "a number",
    "bool": "true or false",
    "str": "a text",
    "str | null": "a text",
    "array": "a list",
    "object": "a table",
    "str | object": "a text or a table with name and command",
}


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a kind of file.

    Attributes:
        what: the kind, as in "is no field of a tournament".
        known: the names of the fields of each table, by its place (empty for the file itself,
            ``bots[]`` for each one of a list).
        choices: the values of fields that have but some, by place.
    """

    what: str
    known: Mapping[str, tuple[str, ...]]
    choices: Mapping[str, Collection[str]] = field(default_factory=dict)

    def sentence(self, message: str) -> str:
        """A sentence for one of the library's: the field first."""
        what, place = _parts(message)
        named = _NAMED.fullmatch(what)
        if named:
            where = f"{place}.{named[2]}" if place else named[2]
            if named[1] == "missing required":
                return f"{where} is missing"
            known = ", ".join(self._known(place))
            return f"{where} is no field of {self.what}: {place or 'it'} has {known}"
        bound = _BOUND.fullmatch(what)
        if bound:
            return f"{place} must be {_BOUNDS[bound[1]]} {bound[2]}"
        expected = _EXPECTED.fullmatch(what)
        if expected:
            wanted, given = (_WORDS.get(kind, kind) for kind in expected.groups())
            return f"{place} must be {wanted}, not {given}"
        if what.startswith("Invalid enum value"):
            return f"{place} must be one of {', '.join(self.choices[place])}"
        return f"{place}: {what}"

    def meant(self, message: str) -> str:
        """A question about the field nearest to an unknown one; empty where none is."""
        what, place = _parts(message)
        named = _NAMED.fullmatch(what)
        if not named or named[1] == "missing required":
            return ""
        close = difflib.get_close_matches(named[2], self._known(place), n=1)
        return f'did you mean "{close[0]}"?' if close else ""

    def _known(self, place: str) -> tuple[str, ...]:
        return self.known[re.sub(r"\[\d+\]", "[]", place)]


def _parts(message: str) -> tuple[str, str]:
    """What is wrong, and with which field; the file itself has an empty name."""
    what, _, path = message.partition(" - at ")
    return what, path.strip("`").removeprefix("$").removeprefix(".")
