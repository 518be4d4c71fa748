"""The corpus: secrets in many dresses, made up when the test runs, and harmless text."""

import random
import re
import string
import sys
import uuid
from pathlib import Path

from intaglio.redaction.redact import clean, redact

_HERE = Path(__file__).parent / "corpus"
_MARK = re.compile(r"\[redacted:[a-z-]+\]")
_FIELD = re.compile(r"\{(\w+):(\d+)\}")
_ALPHABETS = {
    "alnum": string.ascii_letters + string.digits,
    "run": string.ascii_letters + string.digits + "_-",
    "b64": string.ascii_letters + string.digits + "+/",
    "hex": "0123456789abcdef",
    "upper": string.ascii_uppercase + string.digits,
    "digit": "0123456789",
    "pass": string.ascii_letters + string.digits + "!$%*+",
}
_SEEDS = range(5)
_PIECE = 6


def _draw(source: random.Random, kind: str, length: int) -> str:
    if kind == "uuid":
        return str(uuid.UUID(int=source.getrandbits(128)))
    drawn = [source.choice(_ALPHABETS[kind]) for _ in range(length)]
    if kind == "pass":
        drawn[1], drawn[3], drawn[4] = "7", "q", "R"
    return "".join(drawn)


def _templates() -> list[str]:
    lines = (_HERE / "positives.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines[3:] if line]


def _dress(template: str, seed: int) -> tuple[str, list[str]]:
    source = random.Random(f"{seed}{template}")  # noqa: S311 - the same draw each time
    filled = _FIELD.sub(lambda field: _draw(source, field[1], int(field[2])), template)
    filled = filled.replace("\\\\n", "\0").replace("\\n", "\n").replace("\0", "\\n")
    secrets = re.findall("«(.*?)»", filled, re.DOTALL)
    return filled.replace("«", "").replace("»", ""), secrets


def _leaks(text: str, secrets: list[str]) -> bool:
    """Whether any piece of a secret is still there."""
    left = _MARK.sub(" ", clean(text))
    pieces = (s[at : at + _PIECE] for s in secrets for at in range(max(1, len(s) - _PIECE + 1)))
    return any(piece in left for piece in pieces)


def _negatives() -> list[str]:
    text = (_HERE / "negatives.txt").read_text(encoding="utf-8")
    return text.split("\n", 1)[1].strip("\n").split("\n%%\n")


def test_the_corpus_is_large_enough() -> None:
    assert len(_templates()) >= 120
    assert len(_negatives()) >= 120


def test_at_least_98_percent_of_the_secrets_are_redacted() -> None:
    cases = [(template, seed) for template in _templates() for seed in _SEEDS]
    missed = [(template, seed) for template, seed in cases if _leaks(*_dress(template, seed))]
    for template, seed in missed:
        sys.stdout.write(f"missed: {_dress(template, seed)[0]!r}\n")
    assert len(missed) <= len(cases) * 0.02


def test_at_most_2_percent_of_harmless_texts_are_changed() -> None:
    touched = [(text, clean(text)) for text in _negatives() if clean(text) != text]
    for text, became in touched:
        sys.stdout.write(f"touched: {text!r} became {became!r}\n")
    assert len(touched) <= len(_negatives()) * 0.02


def test_redacted_text_is_not_redacted_again() -> None:
    for template in _templates():
        once = clean(_dress(template, 0)[0])
        again = redact(once)
        assert again.text == once
        assert again.found == ()
