"""Places as fields of events: which bot, which chair, which lane."""

from __future__ import annotations

from typing import Any

from arena.server.admission import Admission, Place


def place_fields(admission: Admission, place: Place) -> dict[str, Any]:
    """Who plays what, for an event."""
    return {
        "bot": admission.name,
        "label": admission.label,
        "version": place.version,
        "chair": place.chair.name.lower(),
        "lane": "any" if place.lane is None else place.lane.name.lower(),
    }
