"""Tells how the pipeline of language models works now, in one word of the contract."""

from intaglio.kernel import Kernel
from intaglio.models.calls import ModelCalls
from intaglio.pipeline.settings import PipelineSettings
from intaglio.wire.pipeline import PipelineMode


def pipeline_mode(services: Kernel) -> PipelineMode:
    """Return whether a model reads memories, and whether what it proposes is written."""
    settings = services.settings().of(PipelineSettings)
    if not settings.enabled or not services.get(ModelCalls).is_on("extraction"):
        return "disabled"
    if services.frozen():
        return "frozen"
    return "shadow" if settings.shadow_mode else "controlled-write"
