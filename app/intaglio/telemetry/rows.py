"""SQL on telemetry events."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from intaglio.store.tx import ReadTx, Row, Sql, WriteTx
from intaglio.telemetry.events import Properties

_RECENT: Final = 1_000


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event with its number, which grows with time, and its properties as JSON."""

    seq: int
    event: str
    at: str
    properties: str


@dataclass(frozen=True, slots=True)
class ModelSums:
    """What calls of language models used together."""

    calls: int
    errors: int
    tokens_read: int
    tokens_written: int
    usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFilter:
    """Which events: of one kind, from a time on, and before another; None is no limit."""

    event: str | None = None
    since: str | None = None
    until: str | None = None


def insert(tx: WriteTx, events: Iterable[tuple[str, str, Properties]]) -> None:
    """Write events: name, time and properties."""
    for event, at, properties in events:
        tx.execute(
            "INSERT INTO telemetry_events(event, at, properties) VALUES (?, ?, ?)",
            (event, at, json.dumps(properties)),
        )


def _where(wanted: EventFilter) -> tuple[str, list[Sql]]:
    parts, params = ["1"], list[Sql]()
    limits = {"event = ?": wanted.event, "at >= ?": wanted.since, "at < ?": wanted.until}
    for condition, value in limits.items():
        if value is not None:
            parts.append(condition)
            params.append(value)
    return " AND ".join(parts), params


def newest(tx: ReadTx, wanted: EventFilter, limit: int) -> list[StoredEvent]:
    """List events, newest first."""
    condition, params = _where(wanted)
    return tx.map(
        StoredEvent,
        f"SELECT seq, event, at, properties FROM telemetry_events WHERE {condition} "  # noqa: S608 - constants
        "ORDER BY seq DESC LIMIT ?",
        (*params, limit),
    )


def after(tx: ReadTx, wanted: EventFilter, seq: int, limit: int) -> list[StoredEvent]:
    """List events after a number, oldest first."""
    condition, params = _where(wanted)
    return tx.map(
        StoredEvent,
        f"SELECT seq, event, at, properties FROM telemetry_events WHERE {condition} AND seq > ? "  # noqa: S608 - constants
        "ORDER BY seq LIMIT ?",
        (*params, seq, limit),
    )


def counts(tx: ReadTx, wanted: EventFilter) -> dict[str, int]:
    """Count events by name."""
    condition, params = _where(wanted)
    return dict(
        tx.rows(
            tuple[str, int],
            f"SELECT event, count(*) FROM telemetry_events WHERE {condition} GROUP BY event",  # noqa: S608 - constants
            params,
        )
    )


def model_sums(tx: ReadTx, wanted: EventFilter) -> ModelSums:
    """Sum up the calls of language models."""
    condition, params = _where(wanted)
    return tx.map(
        ModelSums,
        "SELECT count(*), ifnull(sum(NOT (properties ->> '$.success')), 0), "  # noqa: S608 - constants
        "ifnull(sum(properties ->> '$.inputTokens'), 0), "
        "ifnull(sum(properties ->> '$.outputTokens'), 0), total(properties ->> '$.cost') "
        f"FROM telemetry_events WHERE {condition} AND event = 'llm.generate'",
        params,
    )[0]


def model_times_ms(tx: ReadTx, wanted: EventFilter) -> list[float]:
    """Return how long the newest calls of language models took, the shortest first."""
    condition, params = _where(wanted)
    found = tx.column(
        float,
        "SELECT CAST(properties ->> '$.latencyMs' AS REAL) FROM telemetry_events "  # noqa: S608 - constants
        f"WHERE {condition} AND event = 'llm.generate' ORDER BY seq DESC LIMIT ?",
        (*params, _RECENT),
    )
    return sorted(found)


def expired(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List events from before a time."""
    return tx.all(
        "SELECT seq FROM telemetry_events WHERE at < ? ORDER BY at LIMIT ?", (before, limit)
    )


def purge(tx: WriteTx, key: Row, before: str, _now: str) -> int:
    """Delete an event, if it's still from before the time."""
    return tx.execute("DELETE FROM telemetry_events WHERE seq = ? AND at < ?", (key[0], before))
