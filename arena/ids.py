"""Typed identifiers that several rooms share. No behaviour lives here.

Numbers are given once and never reused; strings are opaque outside the room that makes them.
"""

from typing import NewType

BotId = NewType("BotId", int)
"""A bot: a name with an owner."""

VersionId = NewType("VersionId", int)
"""One submission of a bot. The version has the rating, not the bot."""

SubmissionId = NewType("SubmissionId", int)
"""What an author has uploaded once, and what became of it."""

TournamentId = NewType("TournamentId", int)
"""A tournament, numbered in the order of creation (which is the order of rating)."""

EntryNumber = NewType("EntryNumber", int)
"""An entry of one tournament, given once and never reused within it."""

JobKey = NewType("JobKey", str)
"""The key of one mirrored set in a tournament, `r<round>:<entry>-<entry>:<k>`."""

TableId = NewType("TableId", str)
"""Where one half of a set is being played. Opaque to bots."""
