"""`scripts/vectors [--oracle] FILE...`: runs vector files over the engine.

Prints each failure in one line and closes with `N passed, N failed`. Exit code 1 on any failure,
2 when a file or the command line cannot be used. `--oracle` runs the reference implementation.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.vectors.checks import failures_of
from tests.vectors.engine import Engine
from tests.vectors.files import BadFile, Vector, read_vectors


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit code."""
    options = parse(arguments)
    try:
        vectors = [vector for path in options.files for vector in read_vectors(path)]
    except BadFile as error:
        print(f"scripts/vectors: {error}", file=sys.stderr)
        return 2
    return report(vectors, chosen_engine(oracle=options.oracle))


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line; argparse itself exits with 2 on a bad one."""
    parser = argparse.ArgumentParser(
        prog="scripts/vectors", description="Runs rule vectors and whole games over the engine."
    )
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="a JSON file of vectors"
    )
    parser.add_argument(
        "--oracle", action="store_true", help="run the reference implementation instead"
    )
    return parser.parse_args(arguments)


def chosen_engine(*, oracle: bool) -> Engine:
    """The arena's engine, or the reference."""
    if oracle:
        from tests.vectors.oracle_engine import OracleEngine

        return OracleEngine()
    from tests.vectors.arena_engine import ArenaEngine

    return ArenaEngine()


def report(vectors: list[Vector], engine: Engine) -> int:
    """Runs all, prints as it goes; the exit code."""
    if sys.stdout is None:
        print("scripts/vectors: standard output is closed; nothing was run", file=sys.stderr)
        return 1
    failed = 0
    try:
        for lines in (list(lines_about(vector, engine)) for vector in vectors):
            failed += bool(lines)
            for line in lines:
                print(line)
        print(f"{len(vectors) - failed} passed, {failed} failed", flush=True)
    except OSError as error:
        return give_up_on_output(error)
    return 1 if failed else 0


def lines_about(vector: Vector, engine: Engine) -> Iterator[str]:
    """The failures of one vector, each with its id."""
    for failure in failures_of(vector, engine):
        yield f"{ascii(vector.id)[1:-1]}: {failure}"


def give_up_on_output(error: OSError) -> int:
    """The reader went away (as `| head` does) or the disk is full; lost output is no success."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return 141
    print(f"scripts/vectors: the report cannot be written ({error.strerror})", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
