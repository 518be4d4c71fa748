"""Decides where a fact belongs: its primary entity, its kind, its importance."""

from collections.abc import Sequence
from typing import Final

from intaglio.domain.entity_kinds import AttributeKind, EntityType
from intaglio.graph.linking.aspects import aspect_of
from intaglio.graph.linking.detection.drafts import Scanned
from intaglio.graph.linking.lexicon.ordinary_words import IMPERATIVES
from intaglio.graph.linking.lexicon.word_lists import words
from intaglio.graph.linking.standing_limits import constraint_basis
from intaglio.graph.linking.values import (
    SURE_FROM,
    Existing,
    FoundMention,
    LinkedText,
    NewEntity,
    ProjectItself,
    Target,
    TextToLink,
    UserThemself,
)

CONSTRAINT_IMPORTANCE: Final = 0.85

_PROJECT_SUBJECTS: Final = words("assignment", "project_subjects")
_OURS: Final = words("assignment", "ours")
_USER_SUBJECTS: Final = words("assignment", "user_subjects")
_PROJECT_NOUNS: Final = words("assignment", "project_nouns")
_DECIDED: Final = words("assignment", "decided")
_USER_VERBS: Final = words("assignment", "user_verbs")
_LEADING: Final = words("assignment", "leading")
_SPECIFIC: Final[dict[EntityType, int]] = {
    "file": 7, "config": 7, "component": 8, "service": 8, "system": 6, "project": 5, "unknown": 4,
    "concept": 3, "tool": 3, "language": 2, "format": 2, "organization": 4, "person": 4,
}  # fmt: skip


def assign(text: TextToLink, scanned: Scanned, mentions: Sequence[FoundMention]) -> LinkedText:
    """Return the linked text with its primary entity, kind, aspect and importance."""
    sure = [mention for mention in mentions if mention.confidence >= SURE_FROM]
    primary, confidence = _primary(text, scanned, sure)
    kind = _kind(text, scanned.text)
    targets = {mention.target for mention in sure}
    if text.project_name is not None:
        targets.add(ProjectItself())
    return LinkedText(
        mentions=tuple(mentions),
        primary=primary,
        aspect=aspect_of(scanned.text),
        kind=kind,
        importance=max(text.importance, CONSTRAINT_IMPORTANCE)
        if kind == "constraint"
        else text.importance,
        confidence=confidence,
        needs_dependencies=bool(sure) and len(targets) > 1,
    )


def _kind(text: TextToLink, shown: str) -> AttributeKind:
    basis = constraint_basis(shown, text.memory_type, confirmed=text.confirmed)
    return "constraint" if text.by_user and basis is not None else "attribute"


def _default(text: TextToLink) -> Target:
    return UserThemself() if text.project_name is None else ProjectItself()


def _primary(  # noqa: C901, PLR0911 - one rule after the other
    text: TextToLink, scanned: Scanned, mentions: Sequence[FoundMention]
) -> tuple[Target, float]:
    tokens = scanned.tokens
    places = {mention.start: mention for mention in mentions}
    index = 0
    while index < len(tokens) and (tokens[index].kind == "mark" or tokens[index].low in _LEADING):
        if tokens[index].low in {"this", "our"} and scanned.low(index + 1) in _PROJECT_NOUNS:
            return _default(text), 0.8
        if tokens[index].low == "the" and scanned.low(index + 1) in _PROJECT_NOUNS:
            return _default(text), 0.75
        index += 1
    if index < len(tokens):
        low = tokens[index].low
        if low == "user" and scanned.low(index + 1) in _USER_VERBS:
            return UserThemself(), 0.75
        if low == "team":
            return _default(text), 0.6
        if low in _USER_SUBJECTS:
            return UserThemself(), 0.75
        subject = _subject(scanned, places, index)
        if subject is not None:
            return subject.target, 0.85
        owned = index > 0 and tokens[index - 1].low in _OURS
        french = low == "on" and scanned.language == "fr"
        if low in _PROJECT_SUBJECTS or owned or french:
            return _default(text), 0.7
        if text.memory_type == "rule" or low in _DECIDED:
            return _default(text), 0.7
        if low in IMPERATIVES or low in {"never", "always", "don't", "do", "no", "only", "avoid"}:
            return _default(text), 0.7
    if not mentions:
        return _default(text), 0.5
    best = max(mentions, key=lambda each: (_specific(each.target), -each.start))
    return best.target, 0.55


def _subject(scanned: Scanned, places: dict[int, FoundMention], index: int) -> FoundMention | None:
    """Return the entity that the sentence begins with, if it begins with one."""
    token = scanned.tokens[index]
    found = places.get(token.start)
    if found is not None:
        rest = scanned.text[found.end : found.end + 3]
        owned = places.get(found.end + 3) if rest in {"'s ", "\u2019s "} else None
        return owned or found
    inside = [
        one
        for one in places.values()
        if token.start <= one.start < token.end and token.kind == "cjk"
    ]
    if inside:
        return inside[0]
    return None


def _specific(target: Target) -> int:
    if isinstance(target, NewEntity):
        return _SPECIFIC.get(target.type, 4)
    return 6 if isinstance(target, Existing) else 1
