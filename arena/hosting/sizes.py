"""Units of memory and of files."""

from __future__ import annotations

from typing import Final

MEBIBYTE: Final = 1024 * 1024
"""Bytes; people are told and give sizes in it, as MiB."""
