"""Reads the memories that a session's start chooses from, and what recent work was about."""

import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from intaglio.base.clock import iso, parse_moment
from intaglio.domain.context_groups import ConstraintBasis
from intaglio.domain.reader import GLOBAL, USER, may_read
from intaglio.graph.link_memory import basis_of, edited_by_user
from intaglio.memory import rows as memories
from intaglio.memory.filters import Filter, vector_filter
from intaglio.memory.listing.paging import Sort
from intaglio.memory.values import Memory
from intaglio.sessions.selection import recent_work_rows as rows
from intaglio.sessions.selection.recent_work import RecentWork, WorkSource, recent_work
from intaglio.sessions.selection.term_cache import TermCache
from intaglio.store import fts
from intaglio.store.tx import ReadTx
from intaglio.terms.query_terms import plan_terms, stop_terms

LASTING: Final = ("decision", "preference")
_OTHERS: Final = ("fact", "procedural", "semantic", "learning", "issue")
_OTHERS_EVERYWHERE: Final = ("fact", "procedural")
_TYPES: Final = frozenset({*LASTING, *_OTHERS, "rule"})
# Of pinned memories, and of rules, in each scope; of more, the most important.
_MAX_READ: Final = 60
_NEWEST_LASTING: Final = 16
_NEWEST_OTHERS: Final = 8

_SESSIONS: Final = 8
_CALLS_EACH: Final = 12
_WORDS_EACH: Final = 24
_HALF_LIFE_DAYS: Final = 7.0
_DAY_S: Final = 86_400
RECENT_DAYS: Final = 14
_CHANGED_DAYS: Final = 7
_MAX_CHANGED: Final = 8
_RECENT_MEMORIES: Final = 20
_MEMORY_WEIGHT: Final = 0.5
_RECALLED: Final = 24

_SEARCHED: Final = 24
_SEARCH_TERMS: Final = 6
_SEARCH_POSTINGS: Final = 1_000
_SEARCH_DEADLINE_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class MemoryPool:
    """What a session's start chooses from.

    ``constraints`` are the pinned memories, and the rules that the user confirmed or said outright;
    they and ``others`` are in no order of importance. ``changed`` are the project's memories whose
    words were corrected, or that replaced another one, in the last days, latest first. ``tokens``
    are the index terms of the others by id. ``recalled`` are the ids of memories that recent
    sessions received with their prompts, ``recent`` of those that were saved or changed lately.
    ``spelled`` has a word for each index term of recent work.
    """

    constraints: tuple[tuple[Memory, ConstraintBasis], ...]
    others: tuple[Memory, ...]
    changed: tuple[Memory, ...]
    tokens: Mapping[str, Sequence[str]]
    work: RecentWork
    spelled: Mapping[str, str]
    recalled: frozenset[str]
    recent: frozenset[str]


def read_pool(
    tx: ReadTx, filters: Filter, now: datetime, known_terms: TermCache | None = None
) -> MemoryPool:
    """Read what a start chooses from; ``filters`` name the reader and the project."""
    terms = known_terms or TermCache()
    own, *everywhere = places = _scopes(filters)
    pinned = [each for place in places for each in _all(tx, replace(place, pinned=True))]
    rules = [each for place in places for each in _all(tx, replace(place, type="rule"))]
    calls = _searched(tx, filters)
    recalled = rows.recalled(tx, [call.injection for call in calls])[:_RECALLED]
    newest, complete = _newest(tx, own, _OTHERS)
    newest += memories.page(tx, own, _RECENT_MEMORIES, None, sort="changed").memories
    recent = _recent(newest, own, now)
    sources, spelled = _sources(tx, calls, recent[:_RECENT_MEMORIES], terms)
    changed = _changed(tx, own, recent, now)
    general = [each for place in everywhere for each in _newest(tx, place, _OTHERS_EVERYWHERE)[0]]
    read = {each.id: each for each in (*rules, *changed, *newest, *general)}
    told = [each for each in recalled if each not in read]
    read |= {each.id: each for each in memories.select(tx, filters, told, _RECALLED)}
    if not complete:
        numbers = [each.seq for each in read.values()]
        read |= {each.id: each for each in _found_by(tx, own, sources, spelled, numbers)}
    edited = edited_by_user(tx, rules)
    constraints: dict[str, tuple[Memory, ConstraintBasis]] = {}
    for each in (*pinned, *rules):
        basis = basis_of(each, edited=each.seq in edited)
        if basis is not None:
            constraints[each.id] = each, basis
    others = {
        key: each for key, each in read.items() if each.type in _TYPES and key not in constraints
    }
    tokens = {key: _tokens(tx, memory, terms) for key, memory in others.items()}
    return MemoryPool(
        constraints=tuple(constraints.values()),
        others=tuple(others.values()),
        changed=tuple(changed),
        tokens=tokens,
        work=recent_work(sources, tokens.values()),
        spelled=spelled,
        recalled=frozenset(recalled),
        recent=frozenset(memory.id for memory in recent),
    )


def _scopes(filters: Filter) -> list[Filter]:
    """Return the filters of the project's own memories and of global ones, if those are others."""
    everywhere = Filter(
        reader=filters.reader, global_only=True, memory_status=filters.memory_status
    )
    if filters.project is None:
        return [everywhere]
    return [replace(filters, exact_project=True), everywhere]


def _all(tx: ReadTx, filters: Filter) -> Sequence[Memory]:
    """Return all matches, or the most important ones of very many."""
    # Whoever may read them: an index alone tells, and a page by importance holds all of few.
    indexed = replace(filters, reader=USER, vouched=False, memory_status=None)
    count = memories.count_up_to(tx, indexed, _MAX_READ + 1)
    if not count:
        return ()
    sort: Sort = "importance" if count > _MAX_READ else "newest"
    return memories.page(tx, filters, _MAX_READ, None, sort=sort).memories


def _newest(tx: ReadTx, place: Filter, others: Sequence[str]) -> tuple[list[Memory], bool]:
    """Return the newest memories of each type, and whether these are all."""
    found: list[Memory] = []
    complete = True
    for types, most in ((LASTING, _NEWEST_LASTING), (others, _NEWEST_OTHERS)):
        for each in types:
            page = memories.page(tx, replace(place, type=each), most, None)
            found += page.memories
            complete = complete and page.next_cursor is None
    return found, complete


def _recent(found: Iterable[Memory], own: Filter, now: datetime) -> list[Memory]:
    """Return the project's memories that were saved or changed lately, latest first."""
    since = iso(now - timedelta(days=RECENT_DAYS))
    keys = (own.project, *own.project_aliases)
    recent = [each for each in found if each.scope.project in keys and each.updated_at >= since]
    recent.sort(key=lambda each: (each.updated_at, each.seq), reverse=True)
    return recent


def _changed(tx: ReadTx, own: Filter, recent: Iterable[Memory], now: datetime) -> list[Memory]:
    """Return the project's memories that say otherwise than some days ago, latest first."""
    since = iso(now - timedelta(days=_CHANGED_DAYS))
    corrected = [each for each in recent if each.created_at < each.worded_at >= since]
    found = {
        each.id: each for each in (*corrected, *memories.replacing(tx, own, since, _MAX_CHANGED))
    }
    ordered = sorted(found.values(), key=lambda each: (each.worded_at, each.seq), reverse=True)
    return ordered[:_MAX_CHANGED]


def _searched(tx: ReadTx, filters: Filter) -> list[rows.SearchedWords]:
    """Return what the project's latest sessions searched for.

    What agents asked whose memories the reader may not read stays their own.
    """
    keys = (filters.project, *filters.project_aliases)
    found = [each for key in keys for each in rows.sessions(tx, key, _SESSIONS)]
    readable = [each for each in found if may_read(filters.reader, each.agent_id, GLOBAL)]
    readable.sort(key=lambda each: each.last_seen_at, reverse=True)
    return [call for each in readable[:_SESSIONS] for call in rows.searched(tx, each, _CALLS_EACH)]


def _sources(
    tx: ReadTx,
    calls: Sequence[rows.SearchedWords],
    recent: Sequence[Memory],
    terms: TermCache,
) -> tuple[list[WorkSource], dict[str, str]]:
    """Return what recent work consists of, and a word for each of its index terms."""
    newest = max((*(call.at for call in calls), *(each.updated_at for each in recent)), default="")
    sources: list[WorkSource] = []
    spelled: dict[str, str] = {}
    for memory in recent:
        words = terms.spellings(tx, memory.content)
        spelled |= words
        weight = _MEMORY_WEIGHT * _recency(memory.updated_at, newest)
        sources.append(WorkSource(frozenset(words), weight, memory.id))
    for call in calls:
        given: list[str] = json.loads(call.words)
        words = terms.spellings(tx, " ".join(given[:_WORDS_EACH]))
        spelled |= words
        sources.append(WorkSource(frozenset(words), _recency(call.at, newest)))
    return sources, spelled


def _recency(at: str, newest: str) -> float:
    """Return how much something counts (0 to 1) by how long before the newest it was."""
    then, last = parse_moment(at), parse_moment(newest)
    days = (last - then).total_seconds() / _DAY_S if then and last else 0.0
    return math.pow(0.5, max(0.0, days) / _HALF_LIFE_DAYS)


def _found_by(
    tx: ReadTx,
    own: Filter,
    sources: Sequence[WorkSource],
    spelled: Mapping[str, str],
    known: Collection[int],
) -> list[Memory]:
    """Search a large project for memories about recent work by its most frequent words.

    Those that are ``known`` by their row numbers aren't read again.
    """
    support: dict[str, float] = {}
    for source in sources:
        for term in source.terms - stop_terms():
            support[term] = support.get(term, 0.0) + source.weight
    best = sorted(support, key=lambda term: (-support[term], term))[:_SEARCH_TERMS]
    words = {term: spelled[term] for term in best}
    counted = fts.frequencies(tx, words, _SEARCH_POSTINGS + 1)
    if not counted:
        return []
    plan = plan_terms(tuple(counted), fts.Vocabulary(0, 0, 0.0, counted), _SEARCH_POSTINGS)
    if plan.postings > _SEARCH_POSTINGS:
        return []
    found = fts.search(
        tx,
        fts.KeywordQuery(
            words=[spelled[term] for term in plan.terms],
            among=vector_filter(own),
            limit=_SEARCHED,
            deadline_s=_SEARCH_DEADLINE_S,
        ),
    )
    scores = found.scores if isinstance(found, fts.Ranked) else {}
    return list(memories.by_seq(tx, sorted(scores.keys() - known)).values())


def _tokens(tx: ReadTx, memory: Memory, terms: TermCache) -> Sequence[str]:
    return terms.index_terms(tx, f"{memory.content} {' '.join(memory.tags)}")
