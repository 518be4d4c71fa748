"""Chooses the memories that a session may be shown at its start, the most important first.

Pinned memories and rules always, then decisions and preferences, then what else is fresh; of the
session's project and global ones, never of another project.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Final

from intaglio.base.settings.schema import Settings
from intaglio.memory import rows as memories
from intaglio.memory.decay import Aging
from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.sessions.values import ContextCandidate
from intaglio.store.tx import ReadTx

_STANDING: Final = ("decision", "preference")
_OTHERS: Final = ("fact", "procedural", "semantic", "learning", "issue")
_MAX_MUST: Final = 40
# Each type gives its share of the newest and some more, so that a fresh one is not missed.
_SPARE: Final = 5
# What is neither pinned, rule, decision nor preference has to be fresh or important.
_MIN_EFFECTIVE: Final = 0.2


def select_memories(
    tx: ReadTx, filters: Filter, settings: Settings, now: datetime
) -> list[ContextCandidate]:
    """List the candidates for a session's start, best first; each memory once.

    ``filters`` say who reads, and in which project.
    """
    scopes = _scopes(filters)
    limit = settings.hooks.start_recall_limit
    aging = Aging(settings.memory.decay_rate, now)
    found: dict[str, ContextCandidate] = {}
    for reason, wanted in (("pinned", {"pinned": True}), ("rule", {"type": "rule"})):
        listed = [
            memory
            for scope in scopes
            for memory in memories.page(tx, replace(scope, **wanted), _MAX_MUST, None).memories
        ]
        listed.sort(key=aging.effective_importance, reverse=True)
        for memory in listed:
            score = round(aging.effective_importance(memory), 4)
            candidate = ContextCandidate(memory, _reason(reason, memory), score, must=True)
            found.setdefault(memory.id, candidate)
    for types, least in ((_STANDING, 0.0), (_OTHERS, _MIN_EFFECTIVE)):
        for score, memory in _by_importance(tx, scopes, types, limit, aging):
            if score > least:
                reason = _reason(memory.type, memory)
                found.setdefault(memory.id, ContextCandidate(memory, reason, round(score, 4)))
    return list(found.values())


def _scopes(place: Filter) -> list[Filter]:
    everywhere = Filter(reader=place.reader, global_only=True)
    if place.project is None:
        return [everywhere]
    return [replace(place, exact_project=True), everywhere]


def _by_importance(
    tx: ReadTx,
    scopes: list[Filter],
    types: tuple[str, ...],
    limit: int,
    aging: Aging,
) -> Iterator[tuple[float, Memory]]:
    share = limit // len(types) + _SPARE
    scored = [
        (aging.effective_importance(memory), memory)
        for scope in scopes
        for kind in types
        for memory in memories.page(tx, replace(scope, type=kind), share, None).memories
    ]
    scored.sort(key=lambda pair: pair[0], reverse=True)
    yield from scored[:limit]


def _reason(what: str, memory: Memory) -> str:
    return f"{what}, {'global' if memory.scope.project is None else 'this project'}"
