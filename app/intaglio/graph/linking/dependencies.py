"""Finds what a text says about how entities depend on each other."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, get_args

from intaglio.domain.entity_kinds import DependencyType
from intaglio.graph.linking.lexicon.word_lists import FOLDER
from intaglio.graph.linking.values import (
    FoundDependency,
    FoundMention,
    LinkedText,
    ProjectItself,
    Target,
)
from intaglio.language.word_lists import sections

_RULES: Final = sections(FOLDER / "dependencies.txt")
_TYPES: Final[tuple[DependencyType, ...]] = get_args(DependencyType)
_COMPILED: Final[tuple[tuple[DependencyType, bool, re.Pattern[str]], ...]] = tuple(
    (
        next(type_ for type_ in _TYPES if name.endswith(type_)),
        name.startswith("by_"),
        re.compile(rf"(?<!\w)(?:{'|'.join(lines)})(?![A-Za-z])", re.IGNORECASE),
    )
    for name, lines in _RULES.items()
)
_NEGATED: Final = re.compile(
    (
        r"(?<!\w)(?:not|n't|no longer|never|without|don't|doesn't|didn't|isn't|aren't|won't|"
        r"wouldn't|shouldn't|cannot|can't|instead of|rather than|nicht|kein\w*|nie|no|nunca|ne|"
        r"pas|jamais|plus)(?!\w)|n't(?!\w)|n’t(?!\w)|不|没|ない|ません"
    ),
    re.IGNORECASE,
)
_HYPOTHETICAL: Final = re.compile(
    (
        r"(?<!\w)(?:if|whether|would|could|might|may|should|maybe|perhaps|considering|consider|"
        r"thinking about|thinking of|plan(?:s|ning)? to|want(?:s)? to|proposed?|suggest\w*|"
        r"used to|previously|formerly|once|what if|evaluat\w+|try(?:ing)? out|falls|wenn|ob|"
        r"könnte|vielleicht|si|podría|quizás|pourrait|peut-être)(?!\w)|もし|如果|可能"
    ),
    re.IGNORECASE,
)
_SENTENCES: Final = re.compile(
    r"[^.!?\n;。！？；]+(?:\.(?=\S)[^.!?\n;。！？；]*)*[.!?\n;。！？；]?"
)
_WE: Final = re.compile(
    (
        r"^\W{0,3}(?:(?:so|and|now|currently|here|today)\s)?(?:we|this (?:repo|project|"
        r"codebase|app|service)|the (?:repo|project|codebase)|our (?:\w+ )?(?:repo|project|"
        r"codebase|stack)|wir|nosotros|nous|on|我们|私たち)\b"
    ),
    re.IGNORECASE,
)  # fmt: skip
_CONTINUED: Final = re.compile(r"\s*(?:,\s*)?(?:and|but|und|y|et)\s", re.IGNORECASE)
_DENIED_AFTER: Final = re.compile(
    r"\s(?:no longer|any ?more|no more|nicht|no|pas|ya no)\b|\s?(?:を使わ|は使わ|不再)",
    re.IGNORECASE,
)
_OTHER_SUBJECT: Final = re.compile(
    r"[,;，；:](?!\s?(?:which|that|who|and|now|also|der|die|das|que|qui)\b)"
)
_AFTER_LIST: Final = re.compile(
    (
        r"\s*(?:[,.;:)!、。，]|$|(?:and|or|und|y|et|for|to|in|as|on|with|zum|für|para|pour)\b|"
        r"[&和と])"
    ),
    re.IGNORECASE,
)
_COMMAS: Final = frozenset(",;，；:")
_LIST: Final = re.compile(r"\s*(?:,|and|&|,\s*and|und|y|et|、|和|と)\s*(?:the\s)?", re.IGNORECASE)
_MOST_CHARS: Final = 8_000
_MOST: Final = 40
_FAR: Final = 60
_SOURCES: Final = frozenset({"uses", "requires"})


def find_dependencies(text: str, linked: LinkedText) -> tuple[FoundDependency, ...]:
    """Return the dependencies that a text states; what it denies, asks or supposes is none."""
    found: dict[tuple[Target, Target, DependencyType], FoundDependency] = {}
    for match in _SENTENCES.finditer(text, 0, _MOST_CHARS):
        if match.group().rstrip().endswith(("?", "？")):
            continue
        inside = [
            one for one in linked.mentions if match.start() <= one.start and one.end <= match.end()
        ]
        for one in _in_sentence(text, match.start(), match.end(), inside):
            if one.source != one.target:
                found.setdefault((one.source, one.target, one.type), one)
            if len(found) >= _MOST:
                return tuple(found.values())
    return tuple(found.values())


def _in_sentence(
    text: str, start: int, end: int, mentions: Sequence[FoundMention]
) -> Iterator[FoundDependency]:
    """Yield what one sentence states; its subject goes on after "and"."""
    subject: FoundMention | None = None
    previous: FoundDependency | None = None
    if mentions and _WE.match(text, start, end):
        one = _between(text, start, start, ProjectItself(), mentions[0])
        if one is not None and one.type in _SOURCES:
            previous = one
            yield one
    for place, mention in enumerate(mentions[:-1]):
        following = mentions[place + 1]
        gap = text[mention.end : following.start]
        listed = _LIST.fullmatch(gap) and _AFTER_LIST.match(text, following.end)
        if previous is not None and previous.target == mention.target and listed:
            previous = FoundDependency(previous.source, following.target, previous.type, 0.6)
            yield previous
            continue
        if subject is None or not _CONTINUED.match(gap):
            subject = mention
        previous = _between(text, start, mention.end, subject.target, following)
        if previous is not None:
            yield previous


def _between(
    text: str, sentence: int, start: int, left: Target, right: FoundMention
) -> FoundDependency | None:
    """Return what the words from ``start`` to a mention say of it and of ``left``."""
    between, before = text[start : right.start], text[max(sentence, start - 2 * _FAR) : start]
    if not between.strip() or len(between) > 2 * _FAR or _DENIED_AFTER.match(text, right.end):
        return None
    if _NEGATED.search(between) or _HYPOTHETICAL.search(between) or _HYPOTHETICAL.search(before):
        return None
    for kind, swapped, pattern in _COMPILED:
        match = pattern.search(between)
        if match is None or len(between) - match.end() > _FAR:
            continue
        before_verb = between[: match.start()]
        if not _COMMAS.isdisjoint(between[match.end() :]) or _OTHER_SUBJECT.search(before_verb):
            continue
        source, target = (right.target, left) if swapped else (left, right.target)
        return FoundDependency(source, target, kind, 0.75 if len(between) < _FAR else 0.55)
    return None
