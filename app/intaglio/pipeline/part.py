"""The write pipeline's part of the daemon: remember and modify."""

import asyncio

from intaglio.agents.agent_directory import AgentDirectory
from intaglio.embedding.inline_embedding import InlineEmbedding
from intaglio.embedding.runner import EmbeddingRunner
from intaglio.kernel import Kernel
from intaglio.memory.settings import MemorySettings
from intaglio.package import Package, Part
from intaglio.pipeline.agent_changes import AgentChanges
from intaglio.pipeline.ingest import Ingest
from intaglio.pipeline.modify import Modify
from intaglio.pipeline.proposed_changes import PROPOSED_CHANGE
from intaglio.pipeline.session_changes import AGENT_CHANGES


def part(kernel: Kernel) -> Part:
    """Wire the use cases that save and change memories."""
    ingest = Ingest(
        kernel.database,
        kernel.change_context,
        kernel.frozen,
        asyncio.to_thread,
        on_saved=kernel.get(AgentDirectory).note,
    )
    inline = InlineEmbedding(kernel.get(EmbeddingRunner))
    modify = Modify(kernel.database, kernel.change_context, kernel.frozen, inline)
    changes = AgentChanges(
        kernel.database,
        kernel.change_context,
        kernel.frozen,
        lambda: kernel.settings().of(MemorySettings).agent_changes,
    )
    return Part(
        services=(ingest, modify, changes),
    )


PACKAGE = Package(
    name="pipeline",
    inbox_kinds=(PROPOSED_CHANGE, AGENT_CHANGES),
    make=part,
)
