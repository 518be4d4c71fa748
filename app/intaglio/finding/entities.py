"""Finds entities: by their names and aliases, and by what is said about them."""

from collections.abc import Sequence
from typing import Final

from intaglio.domain.reader import Reader
from intaglio.finding.matching import QuestionMatcher
from intaglio.finding.memories import ScoredMemory
from intaglio.finding.values import Found
from intaglio.graph import mention_rows, query_rows
from intaglio.graph.name_lookup import USER_NAME
from intaglio.graph.search_rows import entities_of_memories
from intaglio.graph.values import Entity, EntityQuery
from intaglio.graph.visibility_rows import as_seen
from intaglio.store.tx import ReadTx

_BY_NAME: Final = 8
_WORDS: Final = 6
_BY_MEMORY: Final = 6
_OF_MEMORY: Final = 0.65
_PERSON: Final = 0.1
_LEAST: Final = 0.2
_MENTIONED: Final = 0.01
_MANY: Final = 5


def find_entities(  # noqa: PLR0913, PLR0917 - each is a part of the request
    tx: ReadTx,
    matcher: QuestionMatcher,
    reader: Reader,
    projects: tuple[str, ...],
    without_projects: tuple[str, ...],
    memories: Sequence[ScoredMemory],
    limit: int,
) -> list[Found]:
    """Return the best of what matches, best first."""
    by_name = _named(tx, matcher, reader, projects)
    leading = {each.memory.seq: each for each in memories[:_BY_MEMORY]}
    # Most memories are about the user, who is found by name.
    said = [
        (memory, entity)
        for memory, entity in entities_of_memories(tx, [*leading], reader)
        if entity.name != USER_NAME
    ]
    every = {each.seq: each for each in (*by_name, *(entity for _, entity in said))}
    about: dict[int, ScoredMemory] = {}
    for memory, entity in said:
        known = about.get(entity.seq)
        if known is None or leading[memory].score > known.score:
            about[entity.seq] = leading[memory]
    seen = as_seen(tx, [*every.values()], reader)
    scored = [
        (score, entity)
        for entity in seen
        if entity.project not in without_projects
        and (not projects or entity.project is None or entity.project in projects)
        and (score := _score(tx, matcher, entity, about.get(entity.seq), reader)) >= _LEAST
    ]
    best = sorted(scored, key=lambda each: -each[0])[:limit]
    return [
        _found(tx, matcher, entity, score, about.get(entity.seq), reader) for score, entity in best
    ]


def _named(
    tx: ReadTx, matcher: QuestionMatcher, reader: Reader, projects: tuple[str, ...]
) -> list[Entity]:
    question = matcher.question
    asked = dict.fromkeys((question.content, *question.words[:_WORDS]))
    found: dict[int, Entity] = {}
    for text in asked:
        query = EntityQuery(reader=reader, text=text, projects=projects, limit=_BY_NAME)
        found |= {each.seq: each for each in query_rows.page(tx, query)}
    return [*found.values()]


def _score(
    tx: ReadTx,
    matcher: QuestionMatcher,
    entity: Entity,
    about: ScoredMemory | None,
    reader: Reader,
) -> float:
    score = matcher.measure(entity.name).as_title
    if not score and about is None:
        aliases = (each.alias for each in query_rows.aliases(tx, entity.seq, reader))
        score = max((matcher.measure(each).as_title for each in aliases), default=0.0)
    # Of two that match alike, the one that more memories name.
    score += _MENTIONED * min(_MANY, entity.mentions) / _MANY if score else 0.0
    if about is not None:
        score = max(score, _OF_MEMORY * about.score)
    if matcher.question.asks_person and entity.type == "person":
        score += _PERSON
    return min(1.0, score)


def _found(
    tx: ReadTx,
    matcher: QuestionMatcher,
    entity: Entity,
    score: float,
    about: ScoredMemory | None,
    reader: Reader,
) -> Found:
    text = about.memory.content if about is not None else _newest_fact(tx, entity, reader)
    passage = matcher.passage(text) if text else ""
    words = (*matcher.measure(entity.name).words, *matcher.measure(passage).words)
    return Found(
        kind="entity",
        id=entity.id,
        title=entity.name,
        text=passage,
        detail=entity.type.capitalize() if entity.type != "unknown" else "Entity",
        words=tuple(dict.fromkeys(words)),
        project=entity.project,
        at=entity.updated_at,
        score=round(score, 3),
    )


def _newest_fact(tx: ReadTx, entity: Entity, reader: Reader) -> str:
    facts = mention_rows.facts(tx, entity.seq, reader, None, 1)
    return facts[0].content if facts else ""
