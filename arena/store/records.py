"""Records as the journal keeps them: deflated JSON, with the hashes that vouch for them."""

import hashlib
import json
import zlib
from dataclasses import dataclass

from arena.store.errors import Damaged, Rejected

_TIMING = "timing"

# Records are long and alike: the fastest level makes them a seventh, the default a tenth at four
# times the cost, and every finished set pays it.
_LEVEL = 1


@dataclass(frozen=True, slots=True)
class Packed:
    """A record ready for the database.

    Attributes:
        content_hash: of what two plays of one seed have in common: all but the times.
        record_hash: of the bytes as they were handed over.
        data: the bytes, deflated.
    """

    content_hash: str
    record_hash: str
    data: bytes


def packed(record: bytes, label: str) -> Packed:
    """Pack a record; `label` names its set in messages.

    Raises:
        Rejected: it is not a JSON object.
    """
    return Packed(_content_hash(record, label), _sha256(record), zlib.compress(record, _LEVEL))


def unpacked(data: bytes, record_hash: str, label: str) -> bytes:
    """The record as it was handed over.

    Raises:
        Damaged: the stored bytes have changed.
    """
    try:
        record = zlib.decompress(data)
    except zlib.error as error:
        raise Damaged(f"the stored record of {label} is damaged: {error}") from error
    if _sha256(record) != record_hash:
        raise Damaged(f"the stored record of {label} is damaged: its SHA-256 is another")
    return record


def _content_hash(record: bytes, label: str) -> str:
    try:
        content = json.loads(record)
    except ValueError as error:
        raise Rejected(f"the record of {label} is not JSON: {error}") from error
    if not isinstance(content, dict):
        raise Rejected(f"the record of {label} is not a JSON object")
    content.pop(_TIMING, None)
    return _sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode("ascii"))


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
