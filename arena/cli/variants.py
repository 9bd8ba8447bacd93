"""``arena variants``: the rule sets that ship, and house rules."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.layout import Column, table_lines
from arena.cli.screen import stdout_screen, write, write_json
from arena.cli.variant_names import find_variant
from arena.rules.house import variant_hash, variant_to_data, variant_to_toml
from arena.rules.variant import Variant
from arena.rules.variants import VARIANTS

app = typer.Typer(help="The rule sets that ship, and house rules.", rich_markup_mode=None)

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@app.command("list")
def list_variants(as_json: AsJson = False) -> None:
    """List the variants that ship."""
    variants = list(VARIANTS.values())
    if as_json:
        rows = [{**variant_to_data(v), "hash": variant_hash(v)} for v in variants]
        write_json({"schema": "arena.variants/1", "variants": rows})
        return
    write("\n".join(table_lines(_columns(variants), stdout_screen())))


@app.command("show")
def show_variant(
    variant: Annotated[str, typer.Argument(metavar="NAME|FILE", help="A name or a TOML file.")],
    as_json: AsJson = False,
) -> None:
    """Print a variant as a house-rule file.

    It is complete: edit it, and play with --variant FILE.
    """
    found = find_variant(variant)
    if as_json:
        data = {**variant_to_data(found), "hash": variant_hash(found)}
        write_json({"schema": "arena.variant/1", "variant": data})
        return
    write(variant_to_toml(found))


def _columns(variants: list[Variant]) -> list[Column]:
    return [
        Column("variant", [v.name for v in variants]),
        Column("cards", [str(4 * len(v.ranks) * v.copies) for v in variants], right=True, need=9),
        Column("hand", [str(v.hand_size) for v in variants], right=True, need=8),
        Column("bids", [" ".join(bid.name for bid in v.bids) for v in variants], need=7),
        Column("calls", [" ".join(c.call.text for c in v.calls) for v in variants], need=6),
        Column("game", [_game(v) for v in variants], need=9),
        Column("hash", [variant_hash(v)[:12] for v in variants], need=1),
    ]


def _game(variant: Variant) -> str:
    return f"{variant.hands} hands" if variant.target is None else f"to {variant.target}"
