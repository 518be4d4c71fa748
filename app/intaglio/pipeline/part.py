"""The write pipeline's part of the daemon: remember, modify, and reading memories by a model."""

import asyncio

from intaglio.agents.agent_directory import AgentDirectory
from intaglio.embedding.inline_embedding import InlineEmbedding
from intaglio.embedding.runner import EmbeddingRunner
from intaglio.fence.outgoing import Fence
from intaglio.kernel import Kernel
from intaglio.memory.settings import MemorySettings
from intaglio.models.calls import ModelCalls
from intaglio.models.job_runner import ModelJobs
from intaglio.package import KeptData, Package, Part
from intaglio.pipeline.agent_changes import AgentChanges
from intaglio.pipeline.extraction.candidates import CandidateSearch
from intaglio.pipeline.extraction.following import (
    follow_erased,
    follow_forgotten,
    follow_restored,
)
from intaglio.pipeline.extraction.job_type import EXTRACT, queue_extraction
from intaglio.pipeline.extraction.proposals import PipelineProposals
from intaglio.pipeline.extraction.runner import MemoryReader
from intaglio.pipeline.extraction.stages import STAGES, ExtractionJobs
from intaglio.pipeline.ingest import Ingest
from intaglio.pipeline.migrations import MIGRATIONS
from intaglio.pipeline.modify import Modify
from intaglio.pipeline.proposed_changes import PROPOSED_CHANGE
from intaglio.pipeline.session_changes import AGENT_CHANGES
from intaglio.pipeline.settings import PipelineSettings
from intaglio.recall.query import Recall


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
    reader = MemoryReader(
        db=kernel.database,
        context=kernel.change_context,
        calls=kernel.get(ModelCalls),
        candidates=CandidateSearch(kernel.database, kernel.get(Recall), kernel.get(Fence)),
        embedding=inline,
        fence=kernel.get(Fence),
        settings=lambda: kernel.settings().of(PipelineSettings),
        frozen=kernel.frozen,
        measure=kernel.metrics.add,
    )
    extraction = ExtractionJobs(
        ModelJobs(
            db=kernel.database,
            calls=kernel.get(ModelCalls),
            clock=kernel.clock,
            role="extraction",
            stage=EXTRACT.name,
            work=reader.run,
        ),
        lambda: kernel.settings().of(PipelineSettings).enabled and not kernel.frozen(),
        lambda: reader.at_once,
    )
    return Part(
        services=(ingest, modify, changes, PipelineProposals(kernel.database)),
        job_types=(EXTRACT.run_by(extraction),),
        stages=STAGES,
    )


PACKAGE = Package(
    name="pipeline",
    tables={
        "extractions": "how far a language model has read each memory, when, with which version of "
        "the prompt and which model",
        "derived_facts": "which memories were read in which other ones, the words that were "
        "quoted, and by which version of the prompt and which model",
    },
    migrations=MIGRATIONS,
    memory_listeners=(queue_extraction,),
    on_forget=(follow_forgotten,),
    on_restore=(follow_restored,),
    on_erase=(follow_erased,),
    kept=(
        KeptData(
            "`extractions`, `derived_facts`",
            "as long as the memory",
            deleted_by="a trigger with the memory; erasing the memory that a fact was read in",
        ),
    ),
    inbox_kinds=(PROPOSED_CHANGE, AGENT_CHANGES),
    make=part,
)
