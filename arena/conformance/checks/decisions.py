"""Every kind of question in every variant that ships, and in two that do not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from arena.conformance.examinee import Examinee
from arena.conformance.positions import (
    CALL,
    DISCARD,
    FORCE,
    GIVE,
    HOUSE,
    PLAY,
    SHOOTER,
    SPEAK,
    STRANGER,
    TRADE,
    Kind,
    positions,
)
from arena.conformance.steps import Run, Step, protocol, rules
from arena.conformance.verdicts import Finding, passed
from arena.rules.variant import Variant
from arena.rules.variants import CLASSIC, DOUBLE, TOKEN

OF_EACH: Final = 4
"""Questions of a kind."""

_KINDS: Final = {
    CLASSIC: (SPEAK, CALL, TRADE, GIVE, PLAY),
    TOKEN: (SPEAK, FORCE, SHOOTER, CALL, GIVE, DISCARD, PLAY),
    DOUBLE: (SPEAK, PLAY),
}
_OTHERS: Final = {
    HOUSE: (SPEAK, CALL, TRADE, GIVE, PLAY),
    STRANGER: (SPEAK, FORCE, SHOOTER, CALL, TRADE, GIVE, DISCARD, PLAY),
}

_WHAT: Final = {
    SPEAK: ("bid or pass", "C2"),
    FORCE: ("bid, pass or force", "T5.1"),
    SHOOTER: ("which of two forced opponents shoots", "T5.2"),
    CALL: ("the call", "B3"),
    TRADE: ("the declarer's half of a trade, or none", "B4"),
    GIVE: ("the partner's card in an exchange", "B4"),
    DISCARD: ("the declarer's discard", "T1.4"),
    PLAY: ("a card to a trick", "C3.4"),
}
_OWN: Final = {
    (TOKEN, CALL): "T1.2",
    (TOKEN, GIVE): "T1.5",
    (DOUBLE, SPEAK): "D3",
    (DOUBLE, PLAY): "D2",
}


def prepare() -> None:
    """Find all questions, which takes a while the first time; for a thread besides."""
    for variant, kinds in (_KINDS | _OTHERS).items():
        for kind in kinds:
            positions(variant, kind, OF_EACH)


def _asking(variant: Variant, *kinds: Kind) -> Run:
    async def run(exam: Examinee) -> Finding:
        session = await exam.session()
        for kind in kinds:
            await session.ask(*positions(variant, kind, OF_EACH))
        return passed()

    return run


def _of_kind(variant: Variant, kind: Kind) -> Step:
    what, paragraph = _WHAT[kind]
    return Step(
        f"{variant.name}-{kind.name}",
        f"Answers in {variant.name}: {what}.",
        rules(_OWN.get((variant, kind), paragraph)),
        _asking(variant, kind),
    )


def _shipped() -> Iterator[Step]:
    for variant, kinds in _KINDS.items():
        for kind in kinds:
            yield _of_kind(variant, kind)


DECISIONS: Final = (
    *_shipped(),
    Step(
        "house-rule",
        "Answers every kind of question under a house rule.",
        rules("House rules"),
        _asking(HOUSE, *_OTHERS[HOUSE]),
    ),
    Step(
        "unknown-variant",
        "Answers in a variant that it was not compiled for, from the data of MatchStart.",
        protocol("MatchStart"),
        _asking(STRANGER, *_OTHERS[STRANGER]),
    ),
)
