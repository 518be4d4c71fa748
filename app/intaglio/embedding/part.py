"""Embedding in the daemon: vectors of memories and questions, their index, health and repair."""

from pathlib import Path
from typing import Final

from intaglio.domain.health import Checked, HealthCheck
from intaglio.embedding import rows
from intaglio.embedding.export import VectorExport
from intaglio.embedding.health.checks import HealthChecks
from intaglio.embedding.health.judging import (
    ModelCondition,
    judge_model,
    judge_share,
    judge_vectors,
    read_share,
)
from intaglio.embedding.health.model_files import FOLLOW_EVERY_S, ModelFiles
from intaglio.embedding.health.provider_check import ProviderCheck
from intaglio.embedding.health.repairs import EmbeddingRepairs
from intaglio.embedding.job_types import EMBEDDING_TYPES, queue_vector
from intaglio.embedding.semantic_search import SemanticSearch, build_semantic_search, is_configured
from intaglio.inference.ports import EmbedderState
from intaglio.kernel import Kernel
from intaglio.memory.settings import MemorySettings
from intaglio.package import KeptData, Loop, Package, Part, SweepStep, singly, while_changing
from intaglio.store.database import Database

# It reads the row of every vector.
_COUNTS_FRESH_S: Final = 30.0


def part(kernel: Kernel) -> Part:
    """Wire embedding; the models are built from the settings and replaced when these change."""
    search = build_semantic_search(
        kernel.settings,
        kernel.running.paths.model,
        kernel.database,
        kernel.change_context,
        kernel.metrics.add,
    )
    provider = ProviderCheck(
        embed=search.embed,
        context=kernel.change_context,
        monotonic_s=kernel.monotonic_s,
        later=kernel.background.start,
    )
    health = HealthChecks(
        db=kernel.database,
        embed=search.embed,
        sets=search.sets,
        provider=provider,
        context=kernel.change_context,
        monotonic_s=kernel.monotonic_s,
    )
    repairs = EmbeddingRepairs(
        db=kernel.database,
        context=kernel.change_context,
        tracker=search.tracker,
        index_sync=search.index_sync,
        recheck=search.recheck,
        done=health.invalidate,
    )

    def included_state() -> EmbedderState | None:
        embedder = search.embed.embedder
        return embedder.state if embedder.identity.provider == "onnx" else None

    files = ModelFiles(
        folder=kernel.running.paths.model, state=included_state, recheck=search.recheck
    )
    return Part(
        services=(
            search,
            search.embed,
            provider,
            health,
            VectorExport(kernel.database),
        ),
        repairs=repairs.declare(),
        loops=(
            Loop("embedding", lambda: search.run(kernel.bus), when=is_configured),
            Loop.repeating("model files", kernel.database, files.follow, FOLLOW_EVERY_S),
        ),
        checks=(
            files.declare(),
            *_checks(kernel.database, kernel.running.paths.database, search, health),
        ),
        job_types=tuple(each.run_by(search.embed, search.recheck) for each in EMBEDDING_TYPES),
        close=search.close,
    )


def _checks(
    db: Database, file: Path, search: SemanticSearch, health: HealthChecks
) -> tuple[HealthCheck, ...]:
    embed = search.embed

    async def model() -> Checked:
        state = embed.embedder.state
        return judge_model(
            ModelCondition(
                is_on=embed.is_on,
                model=embed.embedder.identity.model,
                phase=state.phase,
                trouble=state.detail or embed.trouble,
                fallback=search.sets.fallback_model,
                recall=search.vectors.state.recall,
            )
        )

    async def coverage() -> Checked:
        share = await db.read(lambda tx: read_share(tx, embed.model))
        return judge_share(share, is_on=embed.is_on, fills_gaps=search.tracker.settings().enabled)

    async def vectors() -> Checked:
        return judge_vectors(await health.count())

    return (
        HealthCheck(
            name="embedding_model",
            domain="models",
            title="Embedding model",
            reads="Whether the model works, and which share of the true neighbours the index found "
            "at its last check: less than 95 % is too few.",
            run=model,
        ),
        HealthCheck(
            name="embeddings",
            domain="index",
            title="Embeddings of memories",
            reads="How many memories are embedded: fewer than 80 % lower the score, and what isn't "
            "queued needs a repair.",
            run=coverage,
        ),
        HealthCheck(
            name="vectors",
            domain="index",
            title="Table of embeddings",
            reads="Embeddings that are missing, belong to no memory, or have the wrong length. "
            "Intaglio leaves none.",
            run=while_changing(file, vectors),
            fresh_s=_COUNTS_FRESH_S,
            deadline_s=20.0,
        ),
    )


PACKAGE = Package(
    name="embedding",
    tables={
        "embeddings": "one vector per memory and model, 8 bits per dimension; for the included "
        "model also the ids of its word pieces, and what it was made with; triggers delete it "
        "when its memory is forgotten or rewritten, or what it was made with changes; two sets "
        "exist side by side while the model changes",
        "embedding_models": "the models that made vectors: provider, name, hash, dimensions, scale",
    },
    memory_listeners=(queue_vector,),
    retention=(
        SweepStep(
            "vectors",
            lambda s: s.of(MemorySettings).tombstone_days,
            rows.left_by_tombstones,
            singly(rows.purge_unused),
            has_period=False,
        ),
    ),
    kept=(
        KeptData(
            "vectors in `embeddings`",
            "as long as their memory is live",
            deleted_by="trigger; step `vectors` deletes any left over",
        ),
        KeptData(
            "vectors of a former model in `embeddings`, and `embedding_models`",
            "until every live memory has a vector of the new model; the model's row stays",
            deleted_by="the change of model",
        ),
    ),
    make=part,
)
