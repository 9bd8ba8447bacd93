"""The golden records: one set of each variant, kept as it was written.

They hold what later versions must still read, replay and print byte for byte.  A golden shows
change, not truth, so the independent oracle plays each of them too.  They were written by::

    arena match counting rule_of_thumb --variant V --sets 1 --seed SEED --out DIR

and lack the times.  A change of the format adds files beside these and never rewrites them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.rules import VARIANTS
from arena.rules.record import GameRecord, SetOutcome
from arena.rules.verify import verify
from arena.wire.record_files import read_record
from arena.wire.records import record_json
from tests.reference.game import Game

FOLDER = Path(__file__).parent
SEED = bytes.fromhex("7".zfill(64))
EACH = pytest.mark.parametrize("name", sorted(VARIANTS))


def test_every_variant_has_a_golden_record() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(VARIANTS)


@EACH
def test_a_golden_record_holds_and_prints_as_it_stands(name: str) -> None:
    text = (FOLDER / f"{name}.json").read_bytes()
    record = read_record(text)
    verify(record, SEED)
    assert record_json(record, timing=False) == text
    assert record.variant == VARIANTS[name]
    assert record.verdict.outcome is not SetOutcome.NONE


@EACH
@pytest.mark.parametrize("half", [0, 1], ids=["half a", "half b"])
def test_the_oracle_plays_a_golden_record_to_the_same_end(name: str, half: int) -> None:
    record = read_record((FOLDER / f"{name}.json").read_bytes())
    game = record.halves[half]
    oracle = Game(name, SEED, game.deal_set, 0)
    for move in _moves(game):
        assert move[1] in oracle.hand.legal()
        oracle.apply(*move)
    for recorded, scored in zip(game.hands, oracle.scored, strict=True):
        assert recorded.result is not None
        assert list(recorded.result.scores) == scored["scores"]
        assert list(recorded.result.tokens) == scored["tokens"]
        assert list(recorded.result.token_debt) == scored["token_debt"]
        assert list(recorded.result.hlm_debt) == scored["hlm_debt"]
    assert oracle.scored[-1]["scores"] == list(game.scores)


def _moves(game: GameRecord) -> list[tuple[int, str]]:
    return [(move.seat, move.action) for hand in game.hands for move in hand.moves]
