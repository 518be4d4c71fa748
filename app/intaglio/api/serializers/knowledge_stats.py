"""From counts of the graph to the struct of the API."""

from intaglio.api.serializers.convert import convert
from intaglio.graph.background.rows import AssignedFacts
from intaglio.graph.background.telemetry import GraphTelemetry
from intaglio.graph.stats_rows import GraphCounts
from intaglio.wire import knowledge as wire


def knowledge_stats(
    counted: GraphCounts, assigned: AssignedFacts, telemetry: GraphTelemetry
) -> wire.KnowledgeStats:
    """Return the counts, and which share of the facts has a place in the graph."""
    missing = max(0, counted.facts - counted.assigned)
    coverage = 100.0 if not counted.facts else 100.0 * (1 - missing / counted.facts)
    return wire.KnowledgeStats(
        entity_count=counted.entities,
        aspect_count=counted.aspects,
        attribute_count=counted.attributes,
        constraint_count=counted.constraints,
        dependency_count=counted.dependencies,
        unassigned_memory_count=missing,
        coverage_percent=round(coverage, 1),
        feedback_updated_aspect_count=counted.feedback,
        average_aspect_weight=round(counted.weight, 3),
        max_weight_aspect_count=counted.heaviest,
        min_weight_aspect_count=counted.lightest,
        unclassified_count=counted.unclassified,
        average_confidence=round(counted.confidence, 3),
        assigned=_assigned(assigned),
        background=wire.BackgroundCounts(
            classified=telemetry.classified,
            uncertain=telemetry.classified_uncertain,
            dependencies=telemetry.dependencies,
        ),
        backfill=convert(telemetry.backfill, wire.BackfillState),
    )


def _assigned(counts: AssignedFacts) -> wire.AssignedFactCounts:
    return convert(
        counts,
        wire.AssignedFactCounts,
        entity=counts.all - counts.project - counts.user,
        medium=counts.all - counts.low - counts.high,
    )
