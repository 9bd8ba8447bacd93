"""The table of the steps of ``arena bot check``, from the steps."""

from __future__ import annotations

from arena.conformance.catalogue import all_steps


def steps_table() -> str:
    """One row a step."""
    rows = ["| | step | the bot | rests on |", "| ---: | --- | --- | --- |"]
    for number, step in enumerate(all_steps(), start=1):
        rows.append(f"| {number} | `{step.name}` | {step.sentence} | {_link(step.paragraph)} |")
    return "\n".join(rows)


def _link(paragraph: str) -> str:
    document, _, place = paragraph.removeprefix("docs/").partition(", ")
    return f"[{document.removesuffix('.md')}](../{document}), {place}"
