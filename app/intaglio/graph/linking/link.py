"""Links a text to the entities that it names."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Final

from intaglio.domain.entity_kinds import EntityType
from intaglio.graph.linking.assignment import assign
from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.linking.detection.components import components
from intaglio.graph.linking.detection.drafts import (
    BY_FORM,
    BY_LIST,
    Draft,
    Scanned,
    without_overlaps,
)
from intaglio.graph.linking.detection.identifiers import identifiers
from intaglio.graph.linking.detection.introductions import Introduction, introductions
from intaglio.graph.linking.detection.known_aliases import (
    canonical_words,
    known_aliases,
    names_to_look_up,
)
from intaglio.graph.linking.detection.listed_names import listed_names
from intaglio.graph.linking.detection.people import people
from intaglio.graph.linking.detection.proper_names import is_heading, proper_names
from intaglio.graph.linking.lexicon.ordinary_words import is_ordinary
from intaglio.graph.linking.resolution import SameNames, resolve
from intaglio.graph.linking.tokens import MOST_CHARS, scan
from intaglio.graph.linking.values import FindNames, FoundMention, KnownName, LinkedText, TextToLink
from intaglio.language.detection import language_of

MOST_ENTITIES: Final = 50
MOST_MENTIONS: Final = 200
_IN_LOG_CONFIDENCE: Final = 0.3
_LINES: Final = re.compile(r"[^\n]+")
_LOG_LINE: Final = re.compile(
    r"\d\d:\d\d:\d\d[.,]\d{3}|\dT\d\d:\d\d:\d\d|^[ \t]{1,8}at \S{1,200}\(|^[ \t]{1,8}File \""
    r"|Traceback \(|(?:Error|Exception): ",
    re.MULTILINE,
)
_CODE: Final = frozenset({"repo", "repository", "project", "codebase"})


def link(text: TextToLink, find_names: FindNames) -> LinkedText:
    """Find the entities that a text names, and where the fact that it states belongs."""
    shown = text.text[:MOST_CHARS]
    scanned = Scanned(shown, scan(shown), language_of(shown), text.project_name)
    scanned.heading = is_heading(scanned)
    drafts = list(listed_names(scanned))
    listed = {place for draft in drafts for place in range(draft.first, draft.last + 1)}
    drafts += chain(
        identifiers(scanned),
        components(scanned),
        people(scanned),
        proper_names(scanned, listed),
        _project_names(scanned),
    )
    introduced = introductions(scanned, without_overlaps(drafts))
    for one in introduced:
        # "The repo is called slipway" names nothing but slipway.
        drafts += (one.alias,) if one.entity.canonical in _CODE else (one.entity, one.alias)
    words = canonical_words(scanned)
    names = names_to_look_up(scanned, words)
    names.update(key for draft in drafts for key in draft.keys)
    known: Mapping[str, Sequence[KnownName]] = find_names(names) if names else {}
    drafts += _with_types(known_aliases(scanned, words, known), drafts)
    kept = without_overlaps(drafts)
    _doubt_names_in_logs(scanned, kept)
    same = _same_names(kept, introduced, known)
    mentions = resolve(kept, same, known, text.project_name)
    return assign(text, scanned, _bounded(shown, mentions))


def _with_types(known: Iterable[Draft], drafts: Sequence[Draft]) -> list[Draft]:
    """Give known names without a type the one that the text shows."""
    types: dict[tuple[int, int], EntityType] = {
        (draft.start, draft.end): draft.type for draft in drafts if draft.type != "unknown"
    }
    found = list(known)
    for draft in found:
        told = types.get((draft.start, draft.end))
        if draft.type == "unknown" and told is not None:
            draft.type = told
    return found


def _doubt_names_in_logs(scanned: Scanned, drafts: Sequence[Draft]) -> None:
    """Lower the confidence of what a line of a log or of an error message names."""
    if not _LOG_LINE.search(scanned.text):
        return
    for line in _LINES.finditer(scanned.text):
        if _LOG_LINE.search(line.group()):
            for draft in drafts:
                if line.start() <= draft.start < line.end() and draft.rank != BY_LIST:
                    draft.confidence = min(draft.confidence, _IN_LOG_CONFIDENCE)


def _project_names(scanned: Scanned) -> list[Draft]:
    """Return where the memory's own project is named."""
    own = canonical_name(scanned.project) if scanned.project else ""
    if not own:
        return []
    size = len(own.split())
    found: list[Draft] = []
    for index, token in enumerate(scanned.tokens):
        if token.kind not in {"word", "repository"} or not own.startswith(token.low[:1]):
            continue
        last = index + (size - 1 if token.low == own.split()[0] else 0)
        if last < len(scanned.tokens) and canonical_name(scanned.slice(index, last)) == own:
            plain = token.text.islower() and not token.code and last == index
            apart = scanned.low(index - 1) == "the" and scanned.low(index + 1) not in _CODE
            if plain and (is_ordinary(own) or apart):
                continue
            found.append(scanned.draft(index, last, "project", 0.9, BY_FORM, name=scanned.project))
    return found


def _same_names(
    drafts: Sequence[Draft],
    introduced: Sequence[Introduction],
    known: Mapping[str, Sequence[KnownName]],
) -> SameNames:
    """Return which names of the text mean the same."""
    same = SameNames()
    for draft in drafts:
        for alias in draft.aliases:
            canonical = canonical_name(alias)
            if draft.type == "person":
                same.people.setdefault(canonical, draft.canonical)
            elif canonical not in known:
                same.names.setdefault(canonical, draft.canonical)
    for one in introduced:
        entity = same.names.get(one.entity.canonical, one.entity.canonical)
        if one.alias.canonical != entity:
            same.names[one.alias.canonical] = entity
            one.entity.aliases = (*one.entity.aliases, one.alias.name)
    return same


def _bounded(text: str, mentions: Sequence[FoundMention]) -> list[FoundMention]:
    """Return the mentions in the order of the text, of the first entities only."""
    targets: dict[object, None] = {}
    kept: list[FoundMention] = []
    for mention in sorted(mentions, key=lambda each: each.start):
        if len(kept) == MOST_MENTIONS:
            break
        if mention.target not in targets and len(targets) == MOST_ENTITIES:
            continue
        targets[mention.target] = None
        surface = text[mention.start : mention.end]
        kept.append(
            FoundMention(mention.start, mention.end, surface, mention.target, mention.confidence)
        )
    return kept
