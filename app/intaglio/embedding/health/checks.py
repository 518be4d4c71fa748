"""The health of the embeddings: each check with its finding and what to do about it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.base.clock import parse_moment
from intaglio.base.installation import command
from intaglio.embedding import rows
from intaglio.embedding.health.provider_check import ProviderCheck
from intaglio.embedding.job_types import EMBEDDING_TYPE_NAMES
from intaglio.embedding.runner import EmbeddingRunner
from intaglio.embedding.vector_sets import VectorSets
from intaglio.jobs import rows as jobs
from intaglio.memory.embedding_model_rows import count_incorrect_models
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
class VectorCheck:
    """A check: its name, result, message and fix."""

    name: str
    result: Result
    message: str
    fix: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class VectorHealth:
    """All checks; ``score`` is 1 if all pass."""

    checks: tuple[VectorCheck, ...]
    score: float
    at: str

    @property
    def status(self) -> str:
        """The score as a word."""
        if self.score >= _WELL:
            return "healthy"
        return "degraded" if self.score >= _POOR else "unhealthy"


@dataclass(frozen=True, slots=True)
class VectorCounts:
    """What the table of vectors holds.

    ``unsynced`` memories count as embedded by another model than the table says, ``unused`` vectors
    belong to no live memory, ``misfits`` have the wrong length.
    """

    live: int
    embedded: int
    pending: int
    dead: int
    unused: int
    misfits: int
    unsynced: int
    indexable: int
    oldest: str | None


@dataclass(slots=True, kw_only=True)
class HealthChecks:
    """Runs the checks at most twice a minute, because they read the row of every vector."""

    db: Database
    embed: EmbeddingRunner
    sets: VectorSets
    provider: ProviderCheck
    context: ChangeContext
    monotonic_s: Callable[[], float]
    _last: VectorCounts | None = None
    _checked_s: float = 0.0
    _checked_at: str = ""

    async def run_checks(self) -> VectorHealth:
        """Return the checks, at most half a minute old.

        The provider's result is as recent as its own check.
        """
        if self._last is None or self.monotonic_s() - self._checked_s > _FRESH_S:
            return self._judge(await self.count())
        return self._judge(self._last)

    async def count(self) -> VectorCounts:
        """Count anew."""
        model, searched = self.embed.model, self.sets.vectors.model
        self._last = await self.db.read(lambda tx: _count(tx, model, searched))
        self._checked_s, self._checked_at = self.monotonic_s(), self.context.now
        return self._last

    def invalidate(self) -> None:
        """Run all checks again next time, because something was repaired."""
        self._last = None

    def _judge(self, counts: VectorCounts) -> VectorHealth:
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
        return VectorHealth(checks, round(score, 2), self._checked_at)

    def _provider(self) -> VectorCheck:
        if not self.embed.is_on:
            return VectorCheck(
                "provider",
                "warn",
                "Embedding is switched off.",
                "Set embedding.provider in Settings.",
            )
        known = self.provider.current_state()
        identity = self.embed.embedder.identity
        if known.available:
            return VectorCheck("provider", "ok", f"{identity.model} ({identity.provider}) works.")
        return VectorCheck(
            "provider",
            "fail",
            "The embedding model doesn't work.",
            "Fix the error, then check again with POST /api/repair/re-embed.",
            known.error,
        )

    def _coverage(self, counts: VectorCounts) -> VectorCheck:
        fallback = self.sets.fallback_model
        message = f"{counts.embedded} of {counts.live} memories are embedded."
        if not self.embed.is_on or counts.embedded >= counts.live:
            return VectorCheck("coverage", "ok", message)
        if fallback:
            return VectorCheck(
                "coverage", "warn", message, "Wait.", f"Until then, search uses {fallback}."
            )
        if counts.pending:
            return VectorCheck("coverage", "warn", message, "Wait until the others are embedded.")
        return VectorCheck(
            "coverage", "warn", message, "Queue the others with POST /api/repair/re-embed."
        )

    def _mirror(self, counts: VectorCounts) -> VectorCheck:
        state = self.sets.vectors.state
        if state.method != "mirror":
            return VectorCheck("index", "ok", "No index is loaded in memory.")
        if state.waiting or state.vectors == counts.indexable:
            return VectorCheck(
                "index", "ok", f"{state.vectors} vectors are indexed, {state.waiting} are pending."
            )
        return VectorCheck(
            "index",
            "warn",
            f"{state.vectors} vectors are indexed, but {counts.indexable} are stored.",
            "If this persists, rebuild the index with POST /api/repair/resync-vec.",
        )

    def _queue(self, counts: VectorCounts) -> VectorCheck:
        oldest = parse_moment(counts.oldest) if counts.oldest else None
        age_s = (self.context.clock() - oldest).total_seconds() if oldest else 0.0
        message = f"{counts.pending} jobs are queued."
        if age_s > _OLD_S and self.embed.rest_s > 0:
            return VectorCheck(
                "queue", "warn", message, "They continue when the model works again."
            )
        return VectorCheck("queue", "ok", message)


def _count(tx: ReadTx, model: Model | None, searched: Model | None) -> VectorCounts:
    covered = rows.coverage(tx, model)
    waiting = jobs.counts(tx, EMBEDDING_TYPE_NAMES)
    return VectorCounts(
        live=covered.live,
        embedded=covered.embedded,
        pending=waiting.pending + waiting.leased,
        dead=waiting.dead,
        unused=rows.count_unused(tx),
        misfits=rows.count_misfits(tx),
        unsynced=count_incorrect_models(tx, model.id if model else None),
        indexable=rows.count_indexable(tx, searched) if searched else 0,
        oldest=jobs.oldest(tx),
    )


def _dead(counts: VectorCounts) -> VectorCheck:
    if counts.dead == 0:
        return VectorCheck("dead-jobs", "ok", "No jobs have failed.")
    return VectorCheck(
        "dead-jobs",
        "warn",
        f"{counts.dead} jobs have failed.",
        "Retry or discard them on the dashboard's Queue page.",
    )


def _unused(counts: VectorCounts) -> VectorCheck:
    if counts.unused == 0:
        return VectorCheck("orphans", "ok", "Every vector belongs to a memory.")
    return VectorCheck(
        "orphans",
        "warn",
        f"{counts.unused} vectors belong to no memory.",
        "Delete them with POST /api/repair/clean-orphans.",
    )


def _misfits(counts: VectorCounts) -> VectorCheck:
    if counts.misfits == 0:
        return VectorCheck("dimensions", "ok", "Every vector has the right length.")
    return VectorCheck(
        "dimensions",
        "fail",
        f"{counts.misfits} vectors have the wrong length for their model.",
        f"Another program wrote to the database. Restore a backup: `{command('db restore')}`.",
    )
