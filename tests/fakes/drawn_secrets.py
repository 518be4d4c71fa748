"""Draws secrets of every format, at run time: no file contains one.

Templates are those of ``redaction/formats/language.py``, with the further classes ``pass`` (a
password) and ``b64s`` (base64 with at least one sign); ``«…»`` marks the secret part.
"""

import random
import re
import string
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from intaglio.redaction.formats.language import CHOICE, FIELD
from intaglio.redaction.formats.table import KEYED, PATTERNS, TOKENS

_ALNUM: Final = string.ascii_letters + string.digits
_ALPHABETS: Final = {
    "alnum": _ALNUM,
    "alpha": string.ascii_letters,
    "lower": string.ascii_lowercase + string.digits,
    "upper": string.ascii_uppercase + string.digits,
    "digit": string.digits,
    "hex": "0123456789abcdef",
    "anyhex": "0123456789abcdefABCDEF",
    "base32": string.ascii_uppercase + "234567",
    "run": _ALNUM + "_-",
    "b64": _ALNUM + "+/",
    "dots": _ALNUM + "_-",
    "url64": _ALNUM + "+%",
    "pass": _ALNUM + "!$%*+",
}
_MARKED: Final = re.compile("«(.*?)»", re.DOTALL)
_PIECE: Final = 6
_MARK: Final = re.compile(r"\[redacted:[a-z0-9-]+\]")

CONTEXTS: Final = (
    "We use {value} for staging, so keep it.",
    "SERVICE_VALUE={value}",
    '{{"name": "acme", "value": "{value}", "on": true}}',
    "curl -s https://api.example.org/v1/list?k={value}&page=2",
)
"""Around a secret with a format of its own."""

KEYED_CONTEXTS: Final = (
    "The {word} API key is {value} until May.",
    "{WORD}_API_KEY={value}",
    '{{"{word}": {{"apiKey": "{value}"}}}}',
    "{word} deploy --auth-token {value} --verbose",
)
"""Around a secret that its provider's name identifies."""


@dataclass(frozen=True, slots=True)
class Case:
    """A text, the secrets in it, and the kind of format they have."""

    kind: str
    text: str
    secrets: tuple[str, ...]


def seeded(seed: object) -> random.Random:
    """Return a source that draws the same for the same seed."""
    return random.Random(str(seed))  # noqa: S311 - the same draw each time


def draw(template: str, source: random.Random) -> str:
    """Fill in a template."""
    chosen = CHOICE.sub(lambda choice: source.choice(choice[1].split("|")), template)
    return FIELD.sub(lambda field: _characters(field, source), chosen)


def dressed(kind: str, template: str, source: random.Random) -> Case:
    r"""Fill in a line of a corpus, in which ``\n`` is a line break."""
    text = FIELD.sub(lambda field: _characters(field, source), template)
    text = text.replace("\\\\n", "\0").replace("\\n", "\n").replace("\0", "\\n")
    return Case(kind, text.replace("«", "").replace("»", ""), tuple(_MARKED.findall(text)))


def cases_of_every_format(seed: object) -> Iterator[Case]:
    """Draw one secret of every format of the table, in every context."""
    for form in TOKENS:
        source = seeded((seed, form.template))
        value = draw(form.template, source)
        yield from _in_contexts(form.kind, value)
    for pattern in PATTERNS:
        source = seeded((seed, pattern.sample))
        case = dressed(pattern.kind, pattern.sample, source)
        for context in CONTEXTS:
            yield Case(case.kind, context.format(value=case.text), case.secrets)
    for keyed in KEYED:
        for template in keyed.templates:
            source = seeded((seed, keyed.kind, template))
            value = draw(template, source)
            word = keyed.words.split("|")[0]
            for context in KEYED_CONTEXTS:
                text = context.format(word=word, WORD=word.upper(), value=value)
                yield Case(keyed.kind, text, (value,))


def leaks(left: str, secrets: tuple[str, ...]) -> bool:
    """Check whether any piece of a secret is left in a text."""
    rest = _MARK.sub(" ", left)
    pieces = (s[at : at + _PIECE] for s in secrets for at in range(max(1, len(s) - _PIECE + 1)))
    return any(piece in rest for piece in pieces)


def _in_contexts(kind: str, value: str) -> Iterator[Case]:
    # The part before the first drawn character is public and may stay.
    for context in CONTEXTS:
        yield Case(kind, context.format(value=value), (value,))


def _characters(field: re.Match[str], source: random.Random) -> str:
    if field[1] == "uuid":
        return str(uuid.UUID(int=source.getrandbits(128)))
    least = int(field[2])
    most = int(field[4]) if field[4] else least
    size = source.randint(least, most)
    drawn = [source.choice(_ALPHABETS[field[1]]) for _ in range(size)]
    if field[1] == "pass":
        drawn[1], drawn[3], drawn[4] = "7", "q", "R"
    return "".join(drawn)
