"""Judges the embedding model, how many memories are embedded, and whether the table is whole."""

from dataclasses import dataclass
from typing import Final

from intaglio.base.text import count_of
from intaglio.domain.health import Checked, Figure
from intaglio.domain.issues import Issue
from intaglio.embedding import rows
from intaglio.embedding.health.checks import VectorCounts
from intaglio.embedding.job_types import EMBEDDING_TYPE_NAMES
from intaglio.jobs import rows as jobs
from intaglio.store.tx import ReadTx
from intaglio.store.vectors.values import Model

_LOW_RECALL: Final = 0.95
# The threshold of seed 001.
_LOW_COVERAGE: Final = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCondition:
    """The configured model: its phase, and what is wrong with it, empty if it works.

    ``fallback`` names the former model that is searched meanwhile, ``recall`` is the share of true
    neighbours that the index found in its last check.
    """

    is_on: bool
    model: str
    phase: str
    trouble: str
    fallback: str
    recall: float | None


def judge_model(now: ModelCondition) -> Checked:
    """Judge whether memories and questions can be embedded."""
    if not now.is_on:
        return Checked(line="No embedding model")
    figures = (
        Figure("embeddingModel", "Model", now.model),
        Figure("embeddingPhase", "State", now.phase),
        Figure("indexRecall", "True neighbours found by the index", now.recall, "share"),
    )
    issues: list[Issue] = []
    is_usable = now.phase in {"idle", "ready"} and not now.trouble
    if not is_usable:
        what = (now.trouble or f"The embedding model is {now.phase}").rstrip(".")
        meanwhile = f"search uses {now.fallback}" if now.fallback else "search finds keywords only"
        if now.phase == "damaged":
            # Only the included model can be; it judges what is captured, too.
            meanwhile += ", and less is captured"
        issues.append(
            Issue(
                "model",
                "warn",
                "Embedding model unavailable",
                f"{what}. Until this is fixed, {meanwhile}.",
                page="/settings/embedding.provider",
            )
        )
    if now.recall is not None and now.recall < _LOW_RECALL:
        issues.append(
            Issue(
                "recall",
                "warn",
                "The index of embeddings misses results",
                f"It found {now.recall:.1%} of the true matches at the last check. Rebuild it.",
                action="repair",
                repair="resync-vec",
            )
        )
    return Checked(
        issues=tuple(issues),
        figures=figures,
        penalty=0.0 if is_usable else 0.5,
        line=f"Embedding: {now.model}",
    )


@dataclass(frozen=True, slots=True)
class EmbeddedShare:
    """How many memories are live and embedded, and how many jobs embed others or have failed."""

    live: int
    embedded: int
    queued: int
    failed: int


def read_share(tx: ReadTx, model: Model | None) -> EmbeddedShare:
    """Read the share; counts entries of an index."""
    covered = rows.coverage(tx, model)
    queue = jobs.counts(tx, EMBEDDING_TYPE_NAMES)
    return EmbeddedShare(covered.live, covered.embedded, queue.pending + queue.leased, queue.dead)


def judge_share(counts: EmbeddedShare, *, is_on: bool, fills_gaps: bool) -> Checked:
    """Judge how many memories are embedded.

    ``fills_gaps`` is whether what is missing is queued by itself.
    """
    if not is_on:
        return Checked(line="not embedded")
    share = counts.embedded / counts.live if counts.live else 1.0
    figures = (Figure("embeddingCoverage", "Memories embedded", round(share, 4), "share"),)
    lacking = counts.live - counts.embedded
    left = count_of(lacking, "memory isn't", "memories aren't")
    penalty = 0.3 if share < _LOW_COVERAGE else 0.0
    line = f"{counts.embedded:,} embedded" if lacking else "all embedded" if counts.live else ""
    # What failed for good is an issue of the queue.
    if lacking <= counts.failed:
        return Checked(figures=figures, penalty=penalty, line=line)
    if counts.queued or fills_gaps:
        issue = Issue(
            "embedding",
            "info",
            "Embedding memories",
            f"{left} embedded yet. Until then, search finds them by keywords only.",
        )
    else:
        issue = Issue(
            "embedding_gaps",
            "warn",
            "Memories lack an embedding",
            f"{left} embedded, and nothing is queued. Search finds them by keywords only.",
            action="repair",
            repair="re-embed",
        )
    return Checked(issues=(issue,), figures=figures, penalty=penalty, line=line)


def judge_vectors(counts: VectorCounts) -> Checked:
    """Judge whether every memory has the embedding that it counts as having, and no other."""
    figures = (
        Figure("missingVectors", "Embeddings that are missing", counts.unsynced),
        Figure("orphanVectors", "Embeddings of no memory", counts.unused),
        Figure("misfitVectors", "Embeddings of the wrong length", counts.misfits),
    )
    issues: list[Issue] = []
    if counts.unsynced:
        issues.append(
            Issue(
                "missing_vectors",
                "warn",
                "Embeddings are missing",
                f"{count_of(counts.unsynced, 'memory lacks', 'memories lack')} the embedding "
                "that is recorded: another program wrote to the database. They are made again.",
                action="repair",
                repair="resync-vec",
            )
        )
    if counts.unused:
        issues.append(
            Issue(
                "orphan_vectors",
                "warn",
                "Embeddings belong to no memory",
                f"{counts.unused:,} of them take space. Delete them.",
                action="repair",
                repair="clean-orphans",
            )
        )
    if counts.misfits:
        issues.append(
            Issue(
                "misfit_vectors",
                "danger",
                "Embeddings are damaged",
                f"{counts.misfits:,} have the wrong length for their model: another program wrote "
                "to the database. Restore a backup.",
                action="restore",
            )
        )
    return Checked(issues=tuple(issues), figures=figures)
