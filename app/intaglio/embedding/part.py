"""Embedding in the daemon: vectors of memories and questions, their index, health and repair."""

from intaglio.embedding import rows
from intaglio.embedding.export import VectorExport
from intaglio.embedding.health.checks import HealthChecks
from intaglio.embedding.health.model_files import FOLLOW_EVERY_S, ModelFiles
from intaglio.embedding.health.provider_check import ProviderCheck
from intaglio.embedding.health.repairs import EmbeddingRepairs
from intaglio.embedding.job_types import EMBEDDING_TYPES, queue_vector
from intaglio.embedding.semantic_search import build_semantic_search, is_configured
from intaglio.inference.ports import EmbedderState
from intaglio.kernel import Kernel
from intaglio.memory.settings import MemorySettings
from intaglio.package import KeptData, Loop, Package, Part, SweepStep, singly


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
        checks=(files.declare(),),
        job_types=tuple(each.run_by(search.embed, search.recheck) for each in EMBEDDING_TYPES),
        close=search.close,
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
