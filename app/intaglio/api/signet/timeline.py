"""GET /api/memory/timeline: memories added and changed today, last week and last month."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from litestar import Controller, get

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, in_project, reader_of
from intaglio.api.routes.memory.filters import TextQuery
from intaglio.api.serializers.convert import convert
from intaglio.api.services import Services
from intaglio.api.signet.view_structs import Bucket, KeyCount, Timeline
from intaglio.base.clock import iso
from intaglio.memory.filters import Filter
from intaglio.memory.timeline.ranges import RangeCounts as Counted
from intaglio.memory.timeline.ranges import ranges
from intaglio.memory.timeline.timeline_rows import timeline

_PRESET: Final = "today-last_week-one_month"


class TimelineController(Controller):
    """Memories over time."""

    tags = ("memory",)

    @get(
        "/api/memory/timeline",
        operation_id="getTimeline",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def timeline(
        self,
        services: Services,
        request: AnyRequest,
        *,
        project: TextQuery = None,
    ) -> Timeline:
        """Count the memories added and changed in three ranges that don't overlap."""
        now = services.clock()
        everything = Filter(
            reader=await reader_of(services, request),
            exact_project=True,
        )
        wanted = await in_project(services, everything, project)
        found = await services.database.read(
            lambda tx: timeline(tx, wanted, ranges(now, datetime.astimezone))
        )
        return Timeline(
            generated_at=iso(now),
            generated_for=iso(now),
            range_preset=_PRESET,
            total_memories=found.memories,
            total_history_events=found.events,
            # Every time is validated before it is written.
            invalid_memory_timestamps=0,
            invalid_history_timestamps=0,
            buckets=[_bucket(number, each) for number, each in enumerate(found.buckets)],
        )


def _bucket(number: int, counted: Counted) -> Bucket:
    return convert(
        counted,
        Bucket,
        era_index=number,
        range_key=counted.range.key,
        label=counted.range.label,
        start=counted.range.start,
        end=counted.range.end,
        memories_added=counted.added,
        tracked_events=counted.events,
        avg_importance=round(counted.mean_importance, 3),
        type_breakdown=_counts(counted.types),
        source_breakdown=_counts(counted.sources),
        top_tags=_counts(counted.tags),
    )


def _counts(names: Sequence[tuple[str, int]]) -> list[KeyCount]:
    return [KeyCount(key=name, count=count) for name, count in names]
