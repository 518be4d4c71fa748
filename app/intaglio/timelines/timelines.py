"""Finds what an id stands for, and puts together what happened to it."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.base.metrics.errors import ErrorEntry, ErrorRing
from intaglio.domain.reader import Reader, UserReader, may_read
from intaglio.graph import query_rows
from intaglio.logs.daemon_log import DaemonLog
from intaglio.logs.values import LogFilter, LogLine
from intaglio.memory import history_rows
from intaglio.memory import rows as memories
from intaglio.memory.values import HistoryEntry, Memory
from intaglio.sessions.overview import rows as sessions
from intaglio.sessions.overview.values import SessionOverview
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx
from intaglio.timelines import rows
from intaglio.timelines.values import Detail, EventTimeline, TimelineEvent, TimelineSubject

_ALL_TIME: Final = ""
_LOG_LINES: Final = 200
_LARGEST: Final = 2**63 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Timelines:
    """Timelines of what a reader may see."""

    db: Database
    errors: ErrorRing
    log: DaemonLog

    async def of(self, subject: str, reader: Reader) -> EventTimeline:
        """Return the timeline of a memory, an entity, a session or a request, by its id.

        A session is found by its number or its harness's id. Only the user sees lines of the log.
        What doesn't exist, was erased, or isn't for the reader is "unknown" and has no events.
        """
        errors = self.errors.since(_ALL_TIME)
        found = await self.db.read(lambda tx: _stored(tx, subject, reader, errors))
        if found is not None:
            return found
        events = await self.db.read(
            lambda tx: [
                *rows.request(tx, subject, reader),
                *_errors(each for each in errors if each.request_id == subject),
            ]
        )
        if isinstance(reader, UserReader):
            wanted = LogFilter(request_id=subject)
            events += map(_log_event, (await self.log.page(wanted, _LOG_LINES, None)).lines)
        return _timeline("request" if events else "unknown", subject, events)


def _stored(
    tx: ReadTx, subject: str, reader: Reader, errors: Sequence[ErrorEntry]
) -> EventTimeline | None:
    memory = memories.get(tx, subject)
    if memory is not None:
        if not may_read(reader, memory.scope.agent_id, memory.scope.visibility):
            return EventTimeline("unknown", subject, ())
        about = [each for each in errors if each.memory_id == subject]
        return _timeline("memory", subject, _of_memory(tx, memory, reader, about))
    entity = query_rows.find(tx, subject, reader)
    if entity is not None:
        events = [
            *rows.entity(tx, entity.seq),
            *rows.mentions(tx, entity.seq, reader),
            *rows.inbox(tx, entity.id, _agent(reader)),
            *rows.jobs(tx, entity.id),
            *rows.model_calls(tx, entity.id),
        ]
        return _timeline("entity", entity.id, events)
    session = _session(tx, subject, reader)
    if session is not None:
        about_session = f"{session.harness} {session.id}"
        events = [
            *rows.session(tx, session.harness, session.id, session.number),
            *rows.jobs(tx, about_session),
            *rows.model_calls(tx, about_session),
        ]
        return _timeline("session", subject, events)
    return None


def _session(tx: ReadTx, subject: str, reader: Reader) -> SessionOverview | None:
    if subject.isascii() and subject.isdecimal() and int(subject) <= _LARGEST:
        found = sessions.get(tx, int(subject), reader)
        if found is not None:
            return found
    return next(iter(sessions.named(tx, subject, reader)), None)


def _of_memory(
    tx: ReadTx, memory: Memory, reader: Reader, errors: Iterable[ErrorEntry]
) -> list[TimelineEvent]:
    agent = _agent(reader)
    changes = history_rows.history(tx, memory.id, reader, rows.MOST) or []
    return [
        *map(_change, changes),
        *rows.told(tx, memory.id, agent),
        *rows.ratings(tx, memory.id, agent),
        *rows.inbox(tx, memory.id, agent),
        *rows.jobs(tx, memory.id),
        *rows.model_calls(tx, memory.id),
        *_errors(errors),
    ]


def _agent(reader: Reader) -> str | None:
    """Return the agent whose sessions and questions the reader may see; None for all."""
    return None if isinstance(reader, UserReader) else reader.agent_id


def _change(entry: HistoryEntry) -> TimelineEvent:
    details: dict[str, Detail] = {
        "actor": entry.changed_by,
        "actorType": entry.actor_type,
        "sessionId": entry.session_id,
        "requestId": entry.request_id,
    }
    # The values of what was changed may be private.
    changed = ", ".join(json.loads(entry.metadata)) if entry.metadata else None
    return TimelineEvent(entry.created_at, "history", entry.event, {**details, "changed": changed})


def _errors(found: Iterable[ErrorEntry]) -> list[TimelineEvent]:
    return [
        TimelineEvent(
            each.at,
            "error",
            each.code,
            {"stage": each.stage, "message": each.message, "requestId": each.request_id},
        )
        for each in found
    ]


def _log_event(line: LogLine) -> TimelineEvent:
    details: dict[str, Detail] = {
        "level": line.level,
        "part": line.part,
        "ms": line.duration_ms,
        "error": line.error.name if line.error else None,
    }
    return TimelineEvent(line.at, "log", line.message, details)


def _timeline(
    kind: TimelineSubject, subject: str, events: Sequence[TimelineEvent]
) -> EventTimeline:
    ordered = sorted(events, key=lambda each: each.at)
    shown = [
        TimelineEvent(
            each.at,
            each.source,
            each.event,
            {name: value for name, value in each.details.items() if value is not None},
        )
        for each in ordered[-rows.MOST :]
    ]
    return EventTimeline(kind, subject, shown, is_cut=len(ordered) > rows.MOST)
