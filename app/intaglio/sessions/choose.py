"""Chooses the memories that a session may be shown at its start, the most important first.

Pinned memories and rules always, then decisions and preferences, then what else is fresh; of the
session's project and global ones, never of another project.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Final

from intaglio.base.clock import parse_moment
from intaglio.base.settings import Settings
from intaglio.memory import rows as memories
from intaglio.memory.values import Filter, Memory
from intaglio.sessions.values import Candidate
from intaglio.store.tx import ReadTx

_STANDING: Final = ("decision", "preference")
_OTHERS: Final = ("fact", "procedural", "semantic", "learning", "issue")
_MAX_MUST: Final = 40
# Each type gives its share of the newest and some more, so that a fresh one is not missed.
_SPARE: Final = 5
# What is neither pinned, rule, decision nor preference has to be fresh or important.
_MIN_FRESHNESS: Final = 0.2
_DAY_S: Final = 86_400


def choose(
    tx: ReadTx, agent_id: str, project: str | None, settings: Settings, now: datetime
) -> list[Candidate]:
    """List the candidates for a session's start, best first; each memory once."""
    scopes = _scopes(agent_id, project)
    limit = settings.hooks.start_recall_limit
    rate = settings.memory.decay_rate
    found: dict[str, Candidate] = {}
    for reason, wanted in (("pinned", {"pinned": True}), ("rule", {"type": "rule"})):
        listed = [
            memory
            for scope in scopes
            for memory in memories.page(tx, replace(scope, **wanted), _MAX_MUST, None).memories
        ]
        listed.sort(key=lambda memory: memory.importance, reverse=True)
        for memory in listed:
            candidate = Candidate(memory, _reason(reason, memory), memory.importance, must=True)
            found.setdefault(memory.id, candidate)
    for types, least in ((_STANDING, 0.0), (_OTHERS, _MIN_FRESHNESS)):
        for score, memory in _by_freshness(tx, scopes, types, limit, (rate, now)):
            if score > least:
                reason = _reason(memory.type, memory)
                found.setdefault(memory.id, Candidate(memory, reason, round(score, 4)))
    return list(found.values())


def _scopes(agent_id: str, project: str | None) -> list[Filter]:
    everywhere = Filter(agent_id=agent_id, global_only=True)
    if project is None:
        return [everywhere]
    return [Filter(agent_id=agent_id, project=project, exact_project=True), everywhere]


def _by_freshness(
    tx: ReadTx,
    scopes: list[Filter],
    types: tuple[str, ...],
    limit: int,
    aging: tuple[float, datetime],
) -> Iterator[tuple[float, Memory]]:
    share = limit // len(types) + _SPARE
    scored = [
        (freshness(memory, *aging), memory)
        for scope in scopes
        for kind in types
        for memory in memories.page(tx, replace(scope, type=kind), share, None).memories
    ]
    scored.sort(key=lambda pair: pair[0], reverse=True)
    yield from scored[:limit]


def freshness(memory: Memory, rate: float, now: datetime) -> float:
    """Return the effective importance: importance times ``rate`` for each day of disuse."""
    since = parse_moment(memory.last_accessed or memory.created_at)
    days = max(0.0, (now - since).total_seconds() / _DAY_S) if since else 0.0
    return memory.importance * math.pow(rate, days)


def _reason(what: str, memory: Memory) -> str:
    return f"{what}, {'global' if memory.scope.project is None else 'this project'}"
