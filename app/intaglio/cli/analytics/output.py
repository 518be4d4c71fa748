"""How timelines and telemetry are shown in a terminal."""

from collections.abc import Iterator

from msgspec import UNSET

from intaglio.cli.output import INDENT, local_time
from intaglio.fence.characters import visible
from intaglio.wire.telemetry import TelemetryStats
from intaglio.wire.timelines import TimelineEventRow, TimelineReply


def timeline_lines(found: TimelineReply) -> Iterator[str]:
    """Yield the lines of a timeline, oldest event first."""
    yield f"{found.entity_type.capitalize()} {visible(found.entity_id)}"
    if found.cut:
        yield f"{INDENT}(Older events aren't shown.)"
    yield from map(_line, found.events)


def _line(event: TimelineEventRow) -> str:
    details = ", ".join(f"{name} {value}" for name, value in event.details.items())
    at = local_time(event.timestamp, "%Y-%m-%d %H:%M:%S")
    return visible(f"{INDENT}{at}  {event.source:<7}  {event.event}  {details}").rstrip()


def stats_lines(found: TelemetryStats) -> Iterator[str]:
    """Yield the lines of telemetry's sums."""
    yield f"{found.total_events or 0:,} events on this machine. Nothing is sent anywhere."
    if found.by_event is not UNSET:
        for name, count in sorted(found.by_event.items()):
            yield f"{INDENT}{name:<20}  {count:>9,}"
    if found.llm is not UNSET and found.llm.calls:
        used = found.llm
        yield (
            f"Language models: {used.calls:,} calls, {used.errors:,} failed, "
            f"{used.total_input_tokens + used.total_output_tokens:,} tokens, "
            f"half of them within {used.p50:,.0f} ms, 95 % within {used.p95:,.0f} ms."
        )
