"""The graph in the daemon."""

from intaglio.base.settings.values import Settings
from intaglio.embedding.runner import EmbeddingRunner
from intaglio.graph.background.backfill import GraphBackfill
from intaglio.graph.background.classification import AspectClassifier
from intaglio.graph.background.dependency_search import DependencySearch
from intaglio.graph.background.resolution import EntityResolver
from intaglio.graph.background.telemetry import GraphTelemetry
from intaglio.graph.by_model.disambiguation import DISAMBIGUATION, Disambiguation
from intaglio.graph.by_model.passes import STAGES, ModelPasses
from intaglio.graph.by_model.services import PassServices
from intaglio.graph.collection import erase_names
from intaglio.graph.edits import retention_rows
from intaglio.graph.edits.entity_edits import EntityEdits
from intaglio.graph.job_types import CLASSIFY, DEPENDENCIES, RESOLVE
from intaglio.graph.link_memory import follow_memory
from intaglio.graph.migrations import MIGRATIONS
from intaglio.graph.possible_merges import POSSIBLE_MERGE
from intaglio.graph.repair.repairs import GraphRepairs
from intaglio.graph.settings import GraphSettings
from intaglio.graph.traversal.last_walk import LastWalk
from intaglio.inference.name_similarity import NameSimilarity
from intaglio.jobs.job_type import OneByOne
from intaglio.kernel import Kernel
from intaglio.memory.settings import MemorySettings
from intaglio.models.calls import ModelCalls
from intaglio.package import KeptData, Loop, Package, Part, SweepStep
from intaglio.store.settings import RetentionSettings


def _is_enabled(settings: Settings) -> bool:
    return settings.of(GraphSettings).enabled


def part(kernel: Kernel) -> Part:
    """Add changes by the user, background jobs, and the backfill of old memories."""
    db, context = kernel.database, kernel.change_context
    telemetry = GraphTelemetry()
    calls = kernel.get(ModelCalls)

    def settings() -> GraphSettings:
        return kernel.settings().of(GraphSettings)

    services = PassServices(
        db=db, context=context, telemetry=telemetry, settings=settings, calls=calls
    )
    passes = ModelPasses(services, kernel.bus)
    classifier = AspectClassifier(
        db=db, context=context, telemetry=telemetry, asks_model=services.is_on
    )
    search = DependencySearch(db=db, context=context, telemetry=telemetry)

    embed = kernel.get(EmbeddingRunner)
    resolver = EntityResolver(
        db=db,
        context=context,
        telemetry=telemetry,
        settings=settings,
        frozen=kernel.frozen,
        compare=NameSimilarity(lambda: embed.embedder).compare,
        ask=Disambiguation(services).compare,
    )
    backfill = GraphBackfill(
        db=db,
        context=context,
        bus=kernel.bus,
        telemetry=telemetry,
        settings=settings,
        seconds=kernel.monotonic_s,
    )

    edits = EntityEdits(db, kernel.clock, kernel.new_id, kernel.frozen)
    repairs = GraphRepairs(
        db=db, context=context, edits=edits, backfill=backfill, settings=settings
    )

    return Part(
        services=(
            edits,
            telemetry,
            LastWalk(),
        ),
        loops=(Loop("graph backfill", backfill.run, when=_is_enabled), *passes.loops()),
        job_types=(
            CLASSIFY.run_by(OneByOne(classifier.run)),
            DEPENDENCIES.run_by(search),
            RESOLVE.run_by(resolver),
            *passes.job_types(),
        ),
        stages=(*STAGES, DISAMBIGUATION),
        repairs=repairs.declare(),
    )


PACKAGE = Package(
    name="graph",
    tables={
        "entities": "what memories name: name, type, project (none if all share it), number of "
        "live memories, pinned, suppressed and by whom, merged into which; `is_stale` after one "
        "of its memories is deleted",
        "entity_aliases": "the names of an entity: from a memory's text, from the list of known "
        "names, or from the user",
        "memory_entity_mentions": "where a memory names an entity: position, alias, confidence",
        "entities_fts": "the full-text index over names and summaries, maintained by triggers",
        "entity_aspects": "the dimensions of an entity that its facts are grouped by, with a "
        "weight",
        "entity_attributes": "which entity and aspect a memory's fact is about, as an attribute "
        "or a constraint; one is primary; the text is the memory's",
        "entity_dependencies": "directed edges between entities: type and strength",
        "dependency_sources": "the memories that a dependency was read from",
        "attribute_readings": "how a fact's aspect or dependencies were found: by rules, with "
        "their confidence, or by a model, with the version of its prompt",
        "task_meta": "state and dates of entities that are tasks",
        "relations": "edges with a fact, a confidence and two time axes",
        "relation_sources": "the memories that a relation was read from",
        "relation_messages": "the messages of transcripts that a relation was read from",
        "communities": "groups of entities that belong together",
        "episodes": "sessions as nodes of the graph",
        "episode_entities": "the entities that a session was about",
        "entity_changes": "what the user changed of an entity (merge, split, names, type), as row "
        "numbers and ids that undo needs; no text of a memory",
    },
    migrations=MIGRATIONS,
    memory_listeners=(follow_memory,),
    on_erase=(erase_names,),
    retention=(
        SweepStep(
            "entity_changes",
            lambda s: s.of(RetentionSettings).entity_change_days,
            retention_rows.expired_changes,
            retention_rows.purge_changes,
        ),
        SweepStep(
            "entities",
            lambda s: s.of(MemorySettings).tombstone_days,
            retention_rows.stale,
            retention_rows.clean,
            has_period=False,
        ),
    ),
    kept=(
        KeptData(
            "the graph: `entities`, `entity_aliases`, `memory_entity_mentions`, `entities_fts`, "
            "`entity_aspects`, `entity_attributes`, `entity_dependencies`, "
            "`attribute_readings`, `dependency_sources`, `relations`, `relation_sources`, "
            "`relation_messages`",
            "as long as a memory supports it, superseded facts too; entities that are pinned, "
            "made by the user, skills or tasks stay",
            deleted_by=(
                "a trigger with the memory; step `entities` removes what no memory supports any "
                "more, an erase at once"
            ),
        ),
        KeptData(
            "`task_meta`, `episode_entities`",
            "as long as the entity",
            deleted_by="with the entity",
        ),
        KeptData(
            "`communities`, `episodes`",
            "nothing writes them yet",
        ),
        KeptData(
            "`entity_changes`",
            "90 days, then they can't be undone any more; no longer than the entity",
            deleted_by="step `entity_changes`",
            settings=("retention.entityChangeDays",),
        ),
    ),
    inbox_kinds=(POSSIBLE_MERGE,),
    make=part,
)
