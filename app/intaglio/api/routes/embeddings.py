"""Exports the embeddings and reports their status and health."""

from typing import Annotated

from litestar import Controller, get
from litestar.params import FromQuery, QueryParameter

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, reader_of
from intaglio.api.serializers.convert import convert
from intaglio.api.services import Services
from intaglio.base.text import storage_form
from intaglio.embedding.export import ExportRow, VectorExport
from intaglio.embedding.health.checks import HealthChecks, VectorCheck
from intaglio.embedding.health.provider_check import ProviderCheck
from intaglio.embedding.runner import EmbeddingRunner
from intaglio.embedding.semantic_search import SemanticSearch
from intaglio.embedding.settings import EmbeddingSettings
from intaglio.memory.filters import Filter
from intaglio.redaction.shown_text import without_secrets
from intaglio.wire.queue import (
    EmbeddingPage,
    EmbeddingRow,
    HealthCheckRow,
    HealthConfig,
    ProviderStatus,
    TrackerStatus,
    VectorHealthReply,
)


def _row(row: ExportRow, *, vectors: bool) -> EmbeddingRow:
    memory = row.memory
    return convert(
        memory,
        EmbeddingRow,
        text=storage_form(memory.content),
        source_type=memory.source.type,
        source_id=memory.source.id,
        vector=list(row.vector) if vectors else None,
    )


def _check(check: VectorCheck) -> HealthCheckRow:
    return convert(check, HealthCheckRow, status=check.result)


class EmbeddingsController(Controller):
    """Embeddings."""

    tags = ("embeddings",)

    @get(
        "/api/embeddings",
        operation_id="exportEmbeddings",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def export(
        self,
        services: Services,
        request: AnyRequest,
        *,
        vectors: FromQuery[bool] = False,
        limit: Annotated[int, QueryParameter(ge=50, le=5_000)] = 600,
        offset: Annotated[int, QueryParameter(ge=0, le=100_000)] = 0,
    ) -> EmbeddingPage:
        """List the memories that have an embedding, in pages; `vectors=true` includes it."""
        wanted = Filter(reader=await reader_of(services, request))
        page = await services.get(VectorExport).page(wanted, offset, limit, vectors=vectors)
        return EmbeddingPage(
            embeddings=[_row(row, vectors=vectors) for row in page.rows],
            count=len(page.rows),
            total=page.total,
            limit=limit,
            offset=offset,
            has_more=offset + len(page.rows) < page.total and bool(page.rows),
        )

    @get("/api/embeddings/status", operation_id="getEmbeddingsStatus", opt=declare(Access.PROGRAM))
    async def status(self, services: Services) -> ProviderStatus:
        """Return whether the embedding model is available; it's checked in the background."""
        search, settings = services.get(SemanticSearch), services.settings().of(EmbeddingSettings)
        known, identity = (
            services.get(ProviderCheck).current_state(),
            search.embed.embedder.identity,
        )
        tracker = search.tracker.state
        is_remote = identity.provider in ("ollama", "openai")
        return ProviderStatus(
            provider=identity.provider,
            model=identity.model,
            base_url=without_secrets(settings.base_url) if is_remote else "",
            available=known.available,
            dimensions=identity.dimensions or None,
            error=known.error or None,
            checkedAt=known.at,
            tracker=convert(
                tracker, TrackerStatus, skipped_cycles=tracker.skipped, queue_depth=tracker.queued
            )
            if search.embed.is_on
            else None,
        )

    @get("/api/embeddings/health", operation_id="getEmbeddingsHealth", opt=declare(Access.PROGRAM))
    async def health(self, services: Services) -> VectorHealthReply:
        """Check the embeddings: return the problems found and how to fix them."""
        found = await services.get(HealthChecks).run_checks()
        identity = services.get(EmbeddingRunner).embedder.identity
        return VectorHealthReply(
            status=found.status,
            score=found.score,
            checked_at=found.at,
            config=HealthConfig(
                provider=identity.provider, model=identity.model, dimensions=identity.dimensions
            ),
            checks=[_check(check) for check in found.checks],
        )
