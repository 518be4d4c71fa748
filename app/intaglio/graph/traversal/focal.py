"""Finds the focal entities of a session or a question: what a walk of the graph starts from.

At a session's start: those of its checkpoint, or else those of its project. For a question: those
that it names, and those of the project. Pinned entities always follow; suppressed ones never do,
nor does an entity of another project.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Final

from intaglio.domain.entity_kinds import FocalSource
from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.linking.lexicon.known_names import SPELLINGS
from intaglio.graph.traversal import focal_rows as rows
from intaglio.graph.traversal.values import FocalEntities, FocalEntity, FocalSignals
from intaglio.graph.values import Entity
from intaglio.graph.visibility_rows import as_seen
from intaglio.memory.filters import Filter
from intaglio.projects.names import display_name, is_path
from intaglio.store.tx import ReadTx

_MAX_QUERY_ENTITIES: Final = 20
_MAX_FOLDER_ENTITIES: Final = 5
_MAX_QUERY_WORDS: Final = 60
_NAME_WORDS: Final = 3
_WORD: Final = re.compile(r"(?:[./-]{0,8}[\w@#+])+")


def resolve_focal(tx: ReadTx, signals: FocalSignals) -> FocalEntities:
    """Find the focal entities, in the order in which a walk visits them."""
    filters = signals.filters
    found: list[FocalEntity] = []
    if signals.entity_ids:
        found = _as("checkpoint", rows.with_ids(tx, filters, signals.entity_ids))
    if not found:
        if signals.query:
            found = _as("query", named_entities(tx, filters, signals.query))
        found += _as("project", _of_project(tx, filters))
    source: FocalSource = found[0].source if found else "session_key"
    found += _as("pinned", sorted(rows.pinned(tx, filters), key=salience, reverse=True))
    # A pinned entity keeps its first place, by which the walk has found it.
    first = {each.entity.seq: each for each in reversed(found)}
    unique = [each for each in found if first.pop(each.entity.seq, None) is not None]
    seen = as_seen(tx, [each.entity for each in unique], filters.reader)
    shown = [replace(each, entity=entity) for each, entity in zip(unique, seen, strict=True)]
    return FocalEntities(source, tuple(shown))


def _as(source: FocalSource, found: Sequence[Entity]) -> list[FocalEntity]:
    return [FocalEntity(each, source) for each in found]


def salience(entity: Entity) -> float:
    """Return how much an entity weighs among others (0 to 1): the user's weight, or its mentions.

    Half of the weight is reached by ten mentions.
    """
    if entity.weight_override is not None:
        return entity.weight_override
    return entity.mentions / (entity.mentions + 10)


def _of_project(tx: ReadTx, filters: Filter) -> list[Entity]:
    keys = rows.keys_of(filters)
    if not keys:
        return []
    names = {canonical_name(display_name(key)) for key in keys}
    found = rows.projects(tx, filters, names)
    if found:
        return found
    folders = {
        canonical_name(part) for key in keys if is_path(key) for part in PurePath(key).parts[1:]
    }
    return rows.projects(tx, filters, folders)[:_MAX_FOLDER_ENTITIES]


def named_entities(tx: ReadTx, filters: Filter, query: str) -> list[Entity]:
    """Return entities that a text names, the most mentioned first; a name has up to three words."""
    words = [match.group() for match in _WORD.finditer(query)][:_MAX_QUERY_WORDS]
    names = {
        canonical_name(" ".join(words[start : start + length]))
        for length in range(1, _NAME_WORDS + 1)
        for start in range(len(words) - length + 1)
    }
    names |= {SPELLINGS[name].thing.canonical for name in names & SPELLINGS.keys()}
    return rows.named(tx, filters, names, _MAX_QUERY_ENTITIES) if names else []
