"""All formats of secrets, compiled for the search.

The facts (prefix, alphabet, length) come from the rule set of gitleaks and the providers' own
documentation; see the decision record on secret formats.
"""

import re
from dataclasses import dataclass
from typing import Final

from intaglio.redaction.formats import clouds, code, models, services
from intaglio.redaction.formats.language import (
    FIELD,
    KeyedFormat,
    PatternFormat,
    TokenFormat,
    ValueCheck,
    expression,
    lengths,
    prefixes,
    starts_with_run,
)

TOKENS: Final[tuple[TokenFormat, ...]] = (
    *models.TOKENS,
    *code.TOKENS,
    *clouds.TOKENS,
    *services.TOKENS,
)
PATTERNS: Final[tuple[PatternFormat, ...]] = (
    *code.PATTERNS,
    *clouds.PATTERNS,
    *services.PATTERNS,
)
KEYED: Final[tuple[KeyedFormat, ...]] = (
    *models.KEYED,
    *code.KEYED,
    *clouds.KEYED,
    *services.KEYED,
)
_NEEDLE: Final = 3
KEY_LENGTH: Final = 2
"""Tokens are looked up by their first characters."""


@dataclass(frozen=True, slots=True)
class CompiledToken:
    """A token format as an expression that is matched at a token's start.

    ``inside`` tokens may start after a hyphen within a word.
    """

    kind: str
    regex: re.Pattern[str]
    check: ValueCheck
    inside: bool


@dataclass(frozen=True, slots=True)
class CompiledKeyed:
    """A keyed format for one of the provider's names: the expression of its values."""

    kind: str
    word: str
    regex: re.Pattern[str]
    marks: tuple[str, ...]


def _end(form: TokenFormat) -> str:
    return "(?![A-Za-z0-9_-])" if form.exact else "[A-Za-z0-9_]*+={0,2}"


def _token(form: TokenFormat) -> CompiledToken:
    regex = re.compile(expression(form.template) + _end(form))
    # A format that may fail after its longest part would be tried at every hyphen of that part.
    open_end = form.template.find("+}")
    inside = open_end in (-1, len(form.template) - 2)
    return CompiledToken(form.kind, regex, form.check, inside)


def _by_start() -> dict[str, tuple[CompiledToken, ...]]:
    found: dict[str, list[CompiledToken]] = {}
    for form in TOKENS:
        if prefixes(form.template)[0] and starts_with_run(form.template):
            compiled = _token(form)
            for start in sorted({prefix[:KEY_LENGTH] for prefix in prefixes(form.template)}):
                found.setdefault(start, []).append(compiled)
    return {start: tuple(forms) for start, forms in found.items()}


def _pattern(form: TokenFormat) -> PatternFormat:
    """Return a token that can't be found by a word as a pattern with its literal start."""
    heads = prefixes(form.template)
    head = "(?:" + "|".join(map(re.escape, heads)) + ")"
    before = "|".join(rf"(?<![A-Za-z0-9_]{re.escape(h)})(?<={re.escape(h)})" for h in heads)
    after_break = "|".join(rf"(?<=\\[nrt]{re.escape(h)})" for h in heads)
    rest = expression(form.template[_body(form.template) :])
    regex = re.compile(f"(?P<s>{head}(?:{before}|{after_break}){rest}{_end(form)})")
    return PatternFormat(
        form.kind, _needles(form.template), regex, f"«{form.template}»", form.check
    )


def _needles(template: str) -> tuple[str, ...]:
    """Return literals of which one is in each token: the start that all share, if long enough."""
    shared = template.split("(", 1)[0].split("{", 1)[0]
    return (shared,) if len(shared) >= _NEEDLE else tuple(prefixes(template))


def _body(template: str) -> int:
    field = FIELD.search(template)
    return field.start() if field else len(template)


def _marks(form: KeyedFormat) -> tuple[str, ...]:
    """Return the literals that start the values if all have one; then the provider is enough."""
    starts = tuple(template.split("{", 1)[0] for template in form.templates)
    return starts if all(start.endswith(("-", "_")) for start in starts) else ()


def _by_length() -> dict[int, tuple[CompiledToken, ...]]:
    found: dict[int, list[CompiledToken]] = {}
    for form in TOKENS:
        if not prefixes(form.template)[0]:
            for length in lengths(form.template):
                found.setdefault(length, []).append(_token(form))
    return {length: tuple(forms) for length, forms in found.items()}


BY_START: Final = _by_start()
BY_LENGTH: Final = _by_length()
BY_NEEDLE: Final = (
    *(_pattern(form) for form in TOKENS if not starts_with_run(form.template)),
    *PATTERNS,
)
BY_NAME: Final = tuple(
    CompiledKeyed(
        form.kind, word, re.compile("|".join(map(expression, form.templates))), _marks(form)
    )
    for form in KEYED
    for word in form.words.split("|")
)
