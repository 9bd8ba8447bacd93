"""``bot.toml`` files that mean harm: each is refused in a sentence that can be shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.hosting.manifest import ManifestError, read_manifest

SOUND = 'name = "x"\nlanguage = "sh"\nrun = ["sh", "bot.sh"]\n'
HOSTILE = {
    "a number of thousands of digits": ("[resources]\nmemory_mb = " + "1" * 5000, "5000 digits"),
    "a number that is none": ("[resources]\ncpus = nan", "0.1"),
    "a key that clears the screen": ('"\\u001b[2J" = 1', r"\x1b[2J"),
    "a key that turns text round": ('"\\u202e" = 1', r"\u202e"),
    "a key of two lines": ('"a\\nb" = 1', r"a\nb"),
    "a key without end": ("a" * 9000 + " = 1", "aaa..."),
    "lists in lists": ("x = " + "[" * 30_000, "lists lie too deep"),
    "no text": ("\udcff", "can't decode byte 0xff"),
}


@pytest.mark.parametrize(("more", "words"), HOSTILE.values(), ids=HOSTILE)
def test_it_is_refused_in_one_short_line(tmp_path: Path, more: str, words: str) -> None:
    (tmp_path / "bot.toml").write_bytes(f"{SOUND}{more}\n".encode("utf-8", "surrogateescape"))
    with pytest.raises(ManifestError) as refused:
        read_manifest(tmp_path)
    sentence = str(refused.value).removeprefix(str(tmp_path))
    assert words in sentence
    assert sentence.isprintable()
    assert len(sentence) < 300
