"""House rules: a variant as TOML text, strictly, both ways; and its hash.

The fields of the dataclasses in ``variant`` are the schema: there is no second list of them.  A
file is either complete (``arena variants show NAME`` prints one) or begins with
``extends = "NAME"`` and changes what differs.  Unknown, missing and nonsensical fields are
refused by name.  ``none`` stands for "not there".
"""

from __future__ import annotations

import difflib
import hashlib
import json
import tomllib
import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum, IntEnum
from functools import cache
from typing import Any, Final, TypeVar, cast

from arena.rules.calls import CALL_TEXTS, CALLS_BY_TEXT, Call
from arena.rules.cards import RANK_TEXTS, Rank
from arena.rules.errors import VariantError
from arena.rules.variant import Variant
from arena.rules.variants import VARIANTS

_NONE: Final = "none"
_EXTENDS: Final = "extends"
MAX_TEXT: Final = 64 * 1024

D = TypeVar("D")


def variant_to_data(variant: Variant) -> dict[str, Any]:
    """The variant as plain data: dictionaries, lists, strings, numbers, booleans."""
    data = _dump(variant)
    assert isinstance(data, dict), "a variant is a record"
    return data


def variant_from_data(data: Mapping[str, Any]) -> Variant:
    """The variant that plain data describe.

    Raises:
        VariantError: a field is unknown, missing, of the wrong kind, or makes no sense.
    """
    merged = dict(data)
    if _EXTENDS in merged:
        name = merged.pop(_EXTENDS)
        if not isinstance(name, str) or name not in VARIANTS:
            raise VariantError(f"extends must be one of {', '.join(VARIANTS)}")
        merged = _overlay(variant_to_data(VARIANTS[name]), merged)
    return _load_record(Variant, merged, "")


def variant_hash(variant: Variant) -> str:
    """The hex SHA-256 of the data without the name: the key of a ladder."""
    data = variant_to_data(variant)
    del data["name"]
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def variant_to_toml(variant: Variant) -> str:
    """The variant as a complete house-rule file."""
    data = variant_to_data(variant)
    plain = {key: value for key, value in data.items() if not _is_table(value)}
    lines = [f"{key} = {_toml(value)}" for key, value in plain.items()]
    for key, value in data.items():
        if isinstance(value, dict):
            lines += ["", f"[{key}]", *(f"{k} = {_toml(v)}" for k, v in value.items())]
        elif _is_table(value):
            for row in value:
                lines += ["", f"[[{key}]]", *(f"{k} = {_toml(v)}" for k, v in row.items())]
    return "\n".join(lines) + "\n"


def variant_from_toml(text: str) -> Variant:
    """The variant of a house-rule file.

    Raises:
        VariantError: it is no TOML, or its data are refused.
    """
    if len(text) > MAX_TEXT:
        raise VariantError(f"the file is longer than {MAX_TEXT} characters")
    try:
        data = tomllib.loads(text.removeprefix("\ufeff"))
    except ValueError as error:
        # TOMLDecodeError is one; a whole number of thousands of digits raises a bare one.
        raise VariantError(f"the file is no TOML: {error}") from error
    except RecursionError as error:
        raise VariantError("the file is nested too deeply") from error
    return variant_from_data(data)


def _overlay(base: dict[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """``base`` with the changed fields; tables are merged, lists replaced."""
    merged = dict(base)
    for key, value in change.items():
        old = merged.get(key)
        both = isinstance(old, dict) and isinstance(value, dict)
        merged[key] = _overlay(old, value) if both else value  # type: ignore[arg-type]
    return merged


# Values to plain data.


def _dump(value: object) -> Any:
    if is_dataclass(value):
        return {field.name: _dump(getattr(value, field.name)) for field in fields(value)}
    if value is None:
        return _NONE
    if isinstance(value, Call):
        return value.text
    if isinstance(value, tuple):
        if value and all(isinstance(item, Rank) for item in value):
            return "".join(RANK_TEXTS[rank] for rank in value)
        return [_dump(item) for item in value]
    if isinstance(value, Enum) and not isinstance(value, IntEnum):
        return value.value
    return value


def _is_table(value: object) -> bool:
    rows = isinstance(value, list) and bool(value) and isinstance(value[0], dict)
    return rows or isinstance(value, dict)


def _toml(value: object) -> str:
    # JSON writes strings, numbers, booleans and flat lists of them as TOML does.
    return json.dumps(value)


# Plain data to values, guided by the declared types.


def _load_record(kind: type[D], data: object, path: str) -> D:
    if not isinstance(data, dict):
        raise VariantError(f"{path or 'the file'} must be a table")
    schema: dict[str, Any] = _schema(cast("Any", kind))
    for key in data:
        if key not in schema:
            close = difflib.get_close_matches(key, schema, n=1)
            hint = f"; did you mean {_at(path, close[0])}?" if close else ""
            raise VariantError(f"{_at(path, key)} is no field of a variant{hint}")
    for key in schema:
        if key not in data:
            raise VariantError(f"{_at(path, key)} is missing")
    return kind(**{key: _load(schema[key], data[key], _at(path, key)) for key in schema})


@cache
def _schema(kind: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _load(kind: Any, value: object, path: str) -> Any:
    if typing.get_origin(kind) in (types.UnionType, typing.Union):
        inner = next(part for part in typing.get_args(kind) if part is not type(None))
        return None if value == _NONE else _load(inner, value, path)
    if typing.get_origin(kind) is tuple:
        return _load_list(typing.get_args(kind)[0], value, path)
    if kind is Call:
        return _load_call(value, path)
    if is_dataclass(kind):
        return _load_record(cast("type", kind), value, path)
    if issubclass(kind, Enum):
        return _load_choice(kind, value, path)
    if type(value) is not kind:
        words = {int: "a whole number", bool: "true or false", str: "a text"}
        raise VariantError(f"{path} must be {words[kind]}")
    return value


def _load_list(kind: Any, value: object, path: str) -> tuple[Any, ...]:
    if kind is Rank:
        return _load_ranks(value, path)
    if not isinstance(value, list):
        raise VariantError(f"{path} must be a list")
    return tuple(_load(kind, item, f"{path}[{index}]") for index, item in enumerate(value))


def _load_ranks(value: object, path: str) -> tuple[Rank, ...]:
    if value == []:
        return ()
    if not isinstance(value, str) or not all(letter in RANK_TEXTS for letter in value):
        raise VariantError(f"{path} must be a text of the ranks {RANK_TEXTS}")
    return tuple(Rank(RANK_TEXTS.index(letter)) for letter in value)


def _load_call(value: object, path: str) -> Call:
    if not isinstance(value, str) or value not in CALLS_BY_TEXT:
        raise VariantError(f"{path} must be one of {', '.join(CALL_TEXTS)}")
    return CALLS_BY_TEXT[value]


def _load_choice(kind: type[Enum], value: object, path: str) -> Enum:
    choices = [member.value for member in kind]
    if value not in choices:
        raise VariantError(f"{path} must be one of {', '.join(choices)}")
    return kind(value)


def _at(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
