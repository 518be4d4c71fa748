"""A format is a template: text, ``(a|b)`` for alternatives, ``{class:count}`` for characters.

``gh(p|o)_{alnum:36}`` is ``ghp_`` or ``gho_`` and 36 letters or digits. A count is ``36``,
``20-40`` or ``20+``. The tests draw their secrets from the same templates.
"""

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from intaglio.redaction.entropy import MIN_BITS, entropy_bits, is_name, is_placeholder

CLASSES: Final = {
    "alnum": "A-Za-z0-9",
    "alpha": "A-Za-z",
    "lower": "a-z0-9",
    "upper": "A-Z0-9",
    "digit": "0-9",
    "hex": "a-f0-9",
    "anyhex": "A-Fa-f0-9",
    "base32": "A-Z2-7",
    "run": "A-Za-z0-9_-",
    "b64": "A-Za-z0-9+/",
    "dots": "A-Za-z0-9_.-",
    "url64": "A-Za-z0-9+/%",
}
FIELD: Final = re.compile(r"\{(\w+):(\d+)(\+|-(\d+))?\}")
CHOICE: Final = re.compile(r"\(([^()]*)\)")
WORD_RUN: Final = 16
"""A token starts with so many word characters or hyphens, or is found by a literal in it."""

_UUID: Final = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_CAPITALS: Final = 4
_WORD: Final = re.compile(r"[\w-]*", re.ASCII)
_HEAD: Final = re.compile(r"[\w.-]*", re.ASCII)
_WORDS: Final = frozenset({*CLASSES, "uuid"} - {"b64", "dots", "url64"})

ValueCheck = Callable[[str], bool]


def is_drawn(value: str) -> bool:
    """Check for a value whose characters vary, even if it looks like a placeholder."""
    return entropy_bits(value) >= MIN_BITS


def is_varied(value: str) -> bool:
    """Check for a value that isn't a placeholder and whose characters vary."""
    return is_drawn(value) and not is_placeholder(value)


def is_mixed(value: str) -> bool:
    """Check for a varied value with a digit or a capital: no CSS class, no package name."""
    return is_varied(value) and any(char.isdigit() or char.isupper() for char in value)


def is_random(value: str) -> bool:
    """Check for a random value; for formats with a short prefix that words start with, too."""
    capitals = sum(char.isupper() for char in value)
    return (
        is_varied(value)
        and (capitals >= _CAPITALS or any(char.isdigit() for char in value))
        and not is_name(value)
    )


@dataclass(frozen=True, slots=True)
class TokenFormat:
    """A secret that its own characters identify.

    ``exact`` tokens end where the template ends; others take in the word characters that follow. A
    template without a literal start must make up a whole run of word characters and hyphens.
    """

    kind: str
    template: str
    exact: bool = False
    check: ValueCheck = is_varied


@dataclass(frozen=True, slots=True)
class PatternFormat:
    """A secret that what surrounds it identifies, too: the group ``s`` of an expression.

    One of the ``needles`` must occur in the text. ``sample`` is the template of a case for the
    tests, with the secret between ``«`` and ``»``.
    """

    kind: str
    needles: tuple[str, ...]
    regex: re.Pattern[str]
    sample: str
    check: ValueCheck = is_varied


@dataclass(frozen=True, slots=True)
class KeyedFormat:
    """A value without a mark of its own, which a provider's name before it identifies.

    ``words`` are its names, divided by ``|``, in lower case and without hyphens, underscores or
    spaces.
    """

    kind: str
    words: str
    templates: tuple[str, ...]


def prefixes(template: str) -> list[str]:
    """Return the literal beginnings of a template, one for each alternative."""
    return [alternative.split("{", 1)[0] for alternative in alternatives(template)]


def alternatives(template: str) -> list[str]:
    """Return the templates without ``(a|b)`` that a template stands for."""
    parts = CHOICE.split(template)
    options = [part.split("|") if at % 2 else [part] for at, part in enumerate(parts)]
    return ["".join(chosen) for chosen in itertools.product(*options)]


def starts_with_run(template: str) -> bool:
    """Check whether a long word run starts each token of a template, or follows its dotted head."""
    return all(
        any(_word_run(alternative[at:]) >= WORD_RUN for at in _starts(alternative))
        for alternative in alternatives(template)
    )


def lengths(template: str) -> range:
    """Return the lengths of a template's tokens; the last field may be open."""
    least = most = len(FIELD.sub("", alternatives(template)[0]))
    for field in FIELD.finditer(template):
        least += 36 if field[1] == "uuid" else int(field[2])
        most += 36 if field[1] == "uuid" else int(field[4] or field[2])
    return range(least, most + 1)


def _starts(template: str) -> list[int]:
    """Return where a run may start in a template: at 0, and after each dot of its literal start."""
    head = template.split("{", 1)[0]
    if not _HEAD.fullmatch(head):
        return []
    return [0, *(dot.end() for dot in re.finditer(r"\.", head))]


def expression(template: str) -> str:
    """Return the regular expression of a template; it walks no character twice."""
    parts: list[str] = []
    done = 0
    for field in FIELD.finditer(template):
        parts += (_literal(template[done : field.start()]), _repeated(field))
        done = field.end()
    return "".join((*parts, _literal(template[done:])))


def _literal(text: str) -> str:
    parts = CHOICE.split(text)
    return "".join(
        f"(?:{'|'.join(map(re.escape, part.split('|')))})" if at % 2 else re.escape(part)
        for at, part in enumerate(parts)
    )


def _repeated(field: re.Match[str]) -> str:
    if field[1] == "uuid":
        return _UUID
    most = "" if field[3] == "+" else field[4] or field[2]
    return f"[{CLASSES[field[1]]}]{{{field[2]},{most}}}+"


def _word_run(template: str) -> int:
    """Return how many word characters a template certainly starts with."""
    size = done = 0
    for field in FIELD.finditer(template):
        literal = template[done : field.start()]
        if not _WORD.fullmatch(literal):
            break
        size += len(literal)
        if field[1] not in _WORDS:
            break
        size += WORD_RUN if field[1] == "uuid" else int(field[2])
        done = field.end()
    return size
