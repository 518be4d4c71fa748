"""Replies of the telemetry endpoints; telemetry stays on this machine."""

from msgspec import UNSET, Struct, UnsetType


class TelemetryEvent(Struct, kw_only=True):
    """An event; its properties are names and numbers."""

    id: str
    event: str
    timestamp: str
    properties: dict[str, str | int | float | bool | None]


class TelemetryEvents(Struct, kw_only=True):
    """Events, newest first; none while telemetry is off."""

    events: list[TelemetryEvent]
    enabled: bool


class ModelTotals(Struct, kw_only=True, rename="camel"):
    """What calls of language models used together; ``p50`` and ``p95`` are of their times in ms."""

    calls: int
    errors: int
    total_input_tokens: int
    total_output_tokens: int
    total_cost: float
    p50: float
    p95: float


class TelemetryStats(Struct, kw_only=True, rename="camel"):
    """Sums of the events; while telemetry is off, only that."""

    enabled: bool
    total_events: int | UnsetType = UNSET
    llm: ModelTotals | UnsetType = UNSET
    pipeline_errors: int | UnsetType = UNSET
    by_event: dict[str, int] | UnsetType = UNSET


class TrainingRow(Struct, kw_only=True, rename="camel"):
    """A memory that a session considered; ``rating`` is its agent's, from -1 to 1."""

    session_key: str
    harness: str
    event: str
    memory_id: str
    rank: int
    score: float | None
    told: bool
    rating: float | None
    created_at: str
