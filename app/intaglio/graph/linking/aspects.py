"""Decides which aspect of an entity a fact is about, from its verbs and nouns."""

import re
from collections.abc import Sequence
from typing import Final

from intaglio.domain.entity_kinds import EntityType
from intaglio.graph.linking.lexicon.word_lists import FOLDER
from intaglio.language.overlap import topic_overlap
from intaglio.language.stems import stem
from intaglio.language.topics import topic_words
from intaglio.language.word_lists import sections

_SECTIONS: Final = sections(FOLDER / "aspects.txt")
_CUES: Final = {name: lines for name, lines in _SECTIONS.items() if not name.startswith("cjk_")}
_PLAIN: Final = re.compile(r"([\w-]+)(\?)?")
_ENDINGS: Final = re.compile(r"([\w-]{1,60})\(\?:([\w|]+)\)(\?)?")


def _words_of(cue: str) -> list[str]:
    """Return the words that an alternative stands for, none if it isn't that simple."""
    plain, ending = _PLAIN.fullmatch(cue), _ENDINGS.fullmatch(cue)
    if plain:
        return [plain[1], plain[1][:-1]] if plain[2] else [plain[1]]
    if ending:
        words = [ending[1] + end for end in ending[2].split("|")]
        return [*words, ending[1]] if ending[3] else words
    return []


_LITERAL: Final = {
    word: name
    for name, cues in reversed(_CUES.items())
    for cue in cues
    for word in _words_of(cue.lower())
}
"""Cues that are plain words, which a table finds faster than an expression."""

_OTHERS: Final = {
    name: "|".join(cue for cue in cues if not _words_of(cue.lower()))
    for name, cues in _CUES.items()
}
_ONE: Final = re.compile(
    rf"(?<![\w-])(?:{'|'.join(f'(?P<{name}>{cues})' for name, cues in _OTHERS.items() if cues)})"
    r"(?![\w-])",
    re.IGNORECASE,
)
_CJK_CUES: Final = {
    cue: name.removeprefix("cjk_")
    for name, lines in _SECTIONS.items()
    if name.startswith("cjk_")
    for cue in " ".join(lines).split()
}
_WORD: Final = re.compile(r"[\w-]+")
_ORDER: Final = {name: place for place, name in enumerate(_CUES)}
_MOST_CHARS: Final = 600
_SUGGESTIONS: Final[dict[EntityType, tuple[str, ...]]] = {
    "person": ("ownership", "communication", "preferences", "schedule"),
    "organization": ("communication", "ownership", "schedule"),
    "project": ("conventions", "workflow", "deployment", "testing"),
    "tool": ("configuration", "versions", "preferences"),
    "language": ("versions", "conventions", "preferences"),
    "service": ("interface", "deployment", "storage", "performance"),
    "component": ("interface", "storage", "performance"),
    "file": ("configuration", "conventions"),
    "config": ("configuration",),
}
_LEAST_OVERLAP: Final = 0.12
_OTHER: Final = "general"


def suggested_aspects(entity_type: EntityType) -> tuple[str, ...]:
    """Return the aspects that entities of a type usually have."""
    return _SUGGESTIONS.get(entity_type, ())


def aspect_of(text: str) -> str | None:
    """Return the aspect that the words of a text tell, None if they don't."""
    scores: dict[str, int] = {}
    for match in _ONE.finditer(text, 0, _MOST_CHARS):
        name = match.lastgroup or ""
        scores[name] = scores.get(name, 0) + 1
    for word in _WORD.findall(text.lower(), 0, _MOST_CHARS):
        told = _LITERAL.get(word)
        if told is not None:
            scores[told] = scores.get(told, 0) + 1
    if not text.isascii():
        for cue, told in _CJK_CUES.items():
            if cue in text[:_MOST_CHARS]:
                scores[told] = scores.get(told, 0) + 1
    if not scores:
        return None
    return max(scores, key=lambda name: (scores[name], -_ORDER[name]))


def classify_aspect(
    content: str, entity_type: EntityType, existing: Sequence[tuple[str, Sequence[str]]]
) -> tuple[str, float]:
    """Return the aspect of a fact and how sure that is; aspects that exist come first.

    ``existing`` are the entity's aspects, each with some of its facts.
    """
    told = aspect_of(content)
    names = {name for name, _ in existing}
    if told is not None and (told in names or not existing):
        return told, 0.75
    words = topic_words(content)
    best, most = "", 0.0
    for name, samples in existing:
        near = max((topic_overlap(content, sample).share for sample in samples), default=0.0)
        if stem(name) in words:
            near += 0.3
        if near > most:
            best, most = name, near
    if best and most >= max(_LEAST_OVERLAP, 0.3 if told else 0.0):
        # Similar to facts that told nothing either.
        return best, min(0.5 if best == _OTHER else 0.8, 0.4 + most)
    if told is not None:
        return told, 0.65
    for name in suggested_aspects(entity_type):
        if stem(name) in words:
            return name, 0.5
    return _OTHER, 0.3
