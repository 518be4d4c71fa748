"""How the vectors are as a whole: each check with what it found and what to do about it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.base.clock import parse_moment
from intaglio.base.installation import command
from intaglio.embedding import rows
from intaglio.embedding.job_types import EMBEDDING_TYPE_NAMES
from intaglio.embedding.provider_check import ProviderCheck
from intaglio.embedding.runner import EmbeddingRunner
from intaglio.embedding.vector_sets import VectorSets
from intaglio.jobs import rows as jobs
from intaglio.memory.operations import ChangeContext
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx
from intaglio.store.vectors.values import Model

Result: TypeAlias = Literal["ok", "warn", "fail"]

_FRESH_S: Final = 30.0
_WELL: Final = 0.8
_POOR: Final = 0.5
_OLD_S: Final = 300.0
_PENALTY: Final = {"ok": 0.0, "warn": 0.1, "fail": 0.35}


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """What was looked at, how it is, and how it is mended."""

    name: str
    result: Result
    message: str
    fix: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class VectorHealth:
    """All checks; ``score`` is 1 while each is well."""

    checks: tuple[HealthCheck, ...]
    score: float
    at: str

    @property
    def status(self) -> str:
        """The score as a word."""
        if self.score >= _WELL:
            return "healthy"
        return "degraded" if self.score >= _POOR else "unhealthy"


@dataclass(frozen=True, slots=True)
class _Counts:
    live: int
    embedded: int
    pending: int
    dead: int
    unused: int
    misfits: int
    indexable: int
    oldest: str | None


@dataclass(slots=True, kw_only=True)
class HealthChecks:
    """Looks at everything at most twice a minute: it reads every vector's row."""

    db: Database
    embed: EmbeddingRunner
    sets: VectorSets
    provider: ProviderCheck
    context: ChangeContext
    monotonic_s: Callable[[], float]
    _last: VectorHealth | None = None
    _looked_s: float = 0.0

    async def look(self) -> VectorHealth:
        """Return the checks, at most half a minute old.

        What is told of the provider is never older than its own check.
        """
        if self._last is None or self.monotonic_s() - self._looked_s > _FRESH_S:
            model, searched = self.embed.model, self.sets.vectors.model
            counts = await self.db.read(lambda tx: _count(tx, model, searched))
            self._looked_s = self.monotonic_s()
            self._last = self._judge(counts)
        return self._last

    def forget(self) -> None:
        """Look anew the next time: something was repaired."""
        self._last = None

    def _judge(self, counts: _Counts) -> VectorHealth:
        checks = (
            self._provider(),
            self._coverage(counts),
            self._mirror(counts),
            self._queue(counts),
            _dead(counts),
            _unused(counts),
            _misfits(counts),
        )
        score = max(0.0, 1.0 - sum(_PENALTY[check.result] for check in checks))
        return VectorHealth(checks, round(score, 2), self.context.now)

    def _provider(self) -> HealthCheck:
        if not self.embed.is_on:
            return HealthCheck(
                "provider", "warn", "Embedding is switched off.", "Set embedding.provider."
            )
        known = self.provider.look()
        identity = self.embed.embedder.identity
        if known.available:
            return HealthCheck("provider", "ok", f"{identity.model} at {identity.provider} works.")
        return HealthCheck(
            "provider",
            "fail",
            "The model gives no vectors.",
            "Mend what is named; then POST /api/repair/re-embed looks at it at once.",
            known.error,
        )

    def _coverage(self, counts: _Counts) -> HealthCheck:
        meanwhile = self.sets.searched_meanwhile
        told = f"{counts.embedded} of {counts.live} memories have a vector."
        if not self.embed.is_on or counts.embedded >= counts.live:
            return HealthCheck("coverage", "ok", told)
        if meanwhile:
            return HealthCheck(
                "coverage", "warn", told, "Wait.", f"Meanwhile those of {meanwhile} are searched."
            )
        if counts.pending:
            return HealthCheck("coverage", "warn", told, "Wait: they are being made.")
        return HealthCheck("coverage", "warn", told, "POST /api/repair/re-embed queues the others.")

    def _mirror(self, counts: _Counts) -> HealthCheck:
        state = self.sets.vectors.state
        if state.method != "mirror":
            return HealthCheck("index", "ok", "No index is held in memory.")
        if state.waiting or state.vectors == counts.indexable:
            return HealthCheck(
                "index", "ok", f"{state.vectors} vectors are indexed, {state.waiting} wait."
            )
        return HealthCheck(
            "index",
            "warn",
            f"{state.vectors} vectors are indexed, and {counts.indexable} are stored.",
            "If that lasts: POST /api/repair/resync-vec builds the index anew.",
        )

    def _queue(self, counts: _Counts) -> HealthCheck:
        oldest = parse_moment(counts.oldest) if counts.oldest else None
        age_s = (self.context.clock() - oldest).total_seconds() if oldest else 0.0
        told = f"{counts.pending} jobs wait."
        if age_s > _OLD_S and self.embed.rest_s > 0:
            return HealthCheck("queue", "warn", told, "They go on when the model works again.")
        return HealthCheck("queue", "ok", told)


def _count(tx: ReadTx, model: Model | None, searched: Model | None) -> _Counts:
    covered = rows.coverage(tx, model)
    waiting = jobs.counts(tx, EMBEDDING_TYPE_NAMES)
    return _Counts(
        live=covered.live,
        embedded=covered.embedded,
        pending=waiting.pending + waiting.leased,
        dead=waiting.dead,
        unused=rows.count_unused(tx),
        misfits=rows.count_misfits(tx),
        indexable=rows.count_indexable(tx, searched) if searched else 0,
        oldest=jobs.oldest(tx),
    )


def _dead(counts: _Counts) -> HealthCheck:
    if counts.dead == 0:
        return HealthCheck("dead-jobs", "ok", "No job was given up.")
    return HealthCheck(
        "dead-jobs",
        "warn",
        f"{counts.dead} jobs were given up.",
        "The dashboard's Queue shows each with its error; retry or discard them there.",
    )


def _unused(counts: _Counts) -> HealthCheck:
    if counts.unused == 0:
        return HealthCheck("orphans", "ok", "Every vector belongs to a memory.")
    return HealthCheck(
        "orphans",
        "warn",
        f"{counts.unused} vectors belong to no memory.",
        "POST /api/repair/clean-orphans deletes them.",
    )


def _misfits(counts: _Counts) -> HealthCheck:
    if counts.misfits == 0:
        return HealthCheck("dimensions", "ok", "Every vector is as long as its model makes them.")
    return HealthCheck(
        "dimensions",
        "fail",
        f"{counts.misfits} vectors are of another length than their model's.",
        f"Another program wrote to the database. Restore a backup: `{command('db restore')}`.",
    )
