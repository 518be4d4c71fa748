"""SQL that reads sessions with their counts, and what happened in one of them."""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any, Final

from intaglio.domain.reader import Reader, UserReader, may_read
from intaglio.inbox import rows as inbox
from intaglio.inbox.values import InboxItem
from intaglio.memory import history_rows as history
from intaglio.memory import rows as memories
from intaglio.memory.values import Memory
from intaglio.sessions.commits import rows as compared_commits
from intaglio.sessions.overview.values import (
    LedgerCall,
    LedgerLine,
    SessionEvents,
    SessionFilter,
    SessionOverview,
    SessionPage,
    SessionReplacement,
    StatementOutcome,
    SuggestionOutcome,
)
from intaglio.sessions.past_sessions import rows as past_sessions
from intaglio.sessions.reminders import rows as reminders
from intaglio.sessions.statements import considered_rows
from intaglio.sessions.statements import rows as statements
from intaglio.sessions.statements.values import RecordedStatement
from intaglio.sessions.values import SessionKey
from intaglio.store.tx import ReadTx, Sql
from intaglio.store.values import ListPosition

MAX_CALLS: Final = 200
MAX_SAVED: Final = 200
MAX_CLAIMS: Final = 200
MAX_REPLACED: Final = 100
_COLUMNS: Final = (
    "s.number, s.id, s.harness, s.agent_id, s.project, s.cwd, s.transcript_path, s.runtime_path, "
    "s.started_at, s.last_seen_at, s.ended_at, s.end_reason, s.prompts, "
    "(SELECT count(DISTINCT m.memory_id) FROM injections i JOIN session_memories m "
    "ON m.injection = i.seq AND m.injected = 1 "
    "WHERE i.session_id = s.id AND i.harness = s.harness AND i.event <> 'recall'), "
    "(SELECT ifnull(sum(tokens), 0) FROM injections "
    "WHERE session_id = s.id AND harness = s.harness AND event <> 'recall'), "
    "(SELECT count(*) FROM (SELECT memory_id FROM statements "
    "WHERE session_id = s.id AND harness = s.harness "
    "AND memory_id IS NOT NULL AND outcome <> 'withdrawal' AND state <> 'erased' "
    "UNION SELECT id FROM memories WHERE session_id = s.id)), "
    "(SELECT count(*) FROM (SELECT inbox_id FROM statements "
    "WHERE session_id = s.id AND harness = s.harness "
    "AND inbox_id IS NOT NULL AND memory_id IS NULL "
    "UNION SELECT i.id FROM inbox_evidence e JOIN inbox_items i ON i.seq = e.item "
    "WHERE e.session_id = s.id AND e.harness = s.harness AND e.message_id IS NULL "
    "AND i.kind = 'suggestion' AND i.memory_id IS NULL)), "
    "(SELECT asked_by FROM bypasses "
    "WHERE session_id = s.id AND harness = s.harness AND ended_at IS NULL)"
)
_CALL_COLUMNS: Final = (
    "seq, event, source, prompt_id, terms, text, candidates, injected, tokens, elapsed_ms, "
    "created_at"
)
_LISTED: Final = "IN (SELECT value FROM json_each(?))"


def _overview(*row: Any) -> SessionOverview:  # noqa: ANN401 - the columns of a STRICT table
    names = (field.name for field in fields(SessionOverview))
    return SessionOverview(**dict(zip(names, row, strict=True)))


def _call(*row: Any) -> LedgerCall:  # noqa: ANN401 - see _overview
    names = (field.name for field in fields(LedgerCall))
    values = dict(zip(names, row, strict=False))
    values["words"] = tuple(json.loads(values["words"])) if values["words"] else ()
    return LedgerCall(**values)


def page(tx: ReadTx, wanted: SessionFilter, limit: int, after: ListPosition | None) -> SessionPage:
    """Return a page of sessions, the latest active first."""
    conditions, params = _conditions(wanted)
    if after is not None:
        conditions.append("(s.last_seen_at, s.number) < (?, ?)")
        params += (after.moment, after.number)
    found = tx.map(
        _overview,
        f"SELECT {_COLUMNS} FROM sessions s WHERE {' AND '.join(conditions) or '1'} "  # noqa: S608 - conditions of this module
        "ORDER BY s.last_seen_at DESC, s.number DESC LIMIT ?",
        (*params, limit + 1),
    )
    listed = tuple(found[:limit])
    if len(found) <= limit:
        return SessionPage(listed, None)
    return SessionPage(listed, ListPosition(listed[-1].last_seen_at, listed[-1].number))


def _conditions(wanted: SessionFilter) -> tuple[list[str], list[Sql]]:
    conditions: list[str] = []
    params: list[Sql] = []

    def add(condition: str, *values: Sql) -> None:
        conditions.append(condition)
        params.extend(values)

    if not isinstance(wanted.reader, UserReader):
        # What a session was told may contain its agent's private memories.
        add("s.agent_id = ?", wanted.reader.agent_id)
    if wanted.global_only:
        add("s.project IS NULL")
    elif wanted.projects:
        add(f"s.project {_LISTED}", json.dumps(wanted.projects, ensure_ascii=False))
    if wanted.without_projects:
        add(
            f"ifnull(s.project, '') NOT {_LISTED}",
            json.dumps(wanted.without_projects, ensure_ascii=False),
        )
    limits = {
        "s.harness = ?": wanted.harness,
        "s.agent_id = ?": wanted.agent_id,
        "s.last_seen_at >= ?": wanted.active_since,
        "s.last_seen_at < ?": wanted.active_until,
    }
    for condition, value in limits.items():
        if value is not None:
            add(condition, value)
    if wanted.memory_id is not None:
        add(
            "(s.harness, s.id) IN (SELECT i.harness, i.session_id FROM session_memories m "
            "JOIN injections i ON i.seq = m.injection "
            "WHERE m.memory_id = ? AND m.injected = 1 UNION "
            "SELECT harness, session_id FROM statements WHERE memory_id = ? UNION "
            "SELECT o.harness, o.id FROM sessions o JOIN memories m ON m.session_id = o.id "
            "WHERE m.id = ?)",
            *(wanted.memory_id,) * 3,
        )
    return conditions, params


def with_keys(
    tx: ReadTx, wanted: SessionFilter, keys: Collection[tuple[str, str]]
) -> list[SessionOverview]:
    """Return the wanted ones of some sessions (harness and id), in no order."""
    conditions, params = _conditions(wanted)
    listed = json.dumps([*map(list, keys)], ensure_ascii=False)
    return tx.map(
        _overview,
        f"SELECT {_COLUMNS} FROM json_each(?) k CROSS JOIN sessions s "  # noqa: S608 - conditions of this module
        "ON s.harness = k.value ->> 0 AND s.id = k.value ->> 1 "
        f"WHERE {' AND '.join(conditions) or '1'}",
        (listed, *params),
    )


def get(tx: ReadTx, number: int, reader: Reader) -> SessionOverview | None:
    """Return a session, if it exists and the reader may see it."""
    conditions, params = _conditions(SessionFilter(reader=reader))
    found = tx.map(
        _overview,
        f"SELECT {_COLUMNS} FROM sessions s WHERE {' AND '.join(('s.number = ?', *conditions))}",  # noqa: S608 - conditions of this module
        (number, *params),
    )
    return found[0] if found else None


def named(tx: ReadTx, name: str, reader: Reader) -> list[SessionOverview]:
    """Return the sessions with a harness's own id that the reader may see, latest active first.

    More than one only if several harnesses gave the same id.
    """
    conditions, params = _conditions(SessionFilter(reader=reader))
    return tx.map(
        _overview,
        f"SELECT {_COLUMNS} FROM sessions s WHERE {' AND '.join(('s.id = ?', *conditions))} "  # noqa: S608 - conditions of this module
        "ORDER BY s.last_seen_at DESC",
        (name, *params),
    )


def last_harness(tx: ReadTx, project: str | None) -> str | None:
    """Return the harness of a project's last active session."""
    return tx.scalar(
        str,
        "SELECT harness FROM sessions WHERE project IS ? ORDER BY last_seen_at DESC LIMIT 1",
        (project,),
    )


def number_of(tx: ReadTx, harness: str, session_id: str) -> int | None:
    """Return the number of the session with a harness's own id."""
    return tx.scalar(
        int, "SELECT number FROM sessions WHERE harness = ? AND id = ?", (harness, session_id)
    )


def key_of(tx: ReadTx, number: int) -> SessionKey | None:
    """Return the key of the session with a number."""
    found = tx.rows(tuple[str, str], "SELECT harness, id FROM sessions WHERE number = ?", (number,))
    return found[0] if found else None


def keys_of_import(tx: ReadTx, import_id: str) -> tuple[SessionKey, ...]:
    """Return the keys of the sessions that an import brought in."""
    return tuple(
        tx.rows(
            tuple[str, str], "SELECT harness, id FROM sessions WHERE import_id = ?", (import_id,)
        )
    )


def events(tx: ReadTx, session: SessionOverview, reader: Reader) -> SessionEvents:
    """Return what happened in a session, with memories that the reader may read."""
    calls = tx.map(
        _call,
        f"SELECT {_CALL_COLUMNS} FROM injections WHERE session_id = ? AND harness = ? "  # noqa: S608 - a constant
        "ORDER BY seq LIMIT ?",
        (session.id, session.harness, MAX_CALLS + 1),
    )
    found = statements.all_of_session(tx, session.harness, session.id)
    said = found[: statements.MAX_OF_SESSION]
    claimed = inbox.claimed_in(tx, session.harness, session.id, MAX_CLAIMS + 1)
    shown = {one.memory_id for one in said} | {item.memory_id for item in claimed}
    saved = _saved(tx, session, shown)
    readable = (memory for memory in saved[:MAX_SAVED] if _may_read(reader, memory))
    return SessionEvents(
        calls=_with_lines(tx, calls[:MAX_CALLS], reader),
        has_more_calls=len(calls) > MAX_CALLS,
        statements=tuple(_outcomes(tx, said)),
        has_more_statements=len(found) > len(said),
        saved=tuple(readable),
        has_more_saved=len(saved) > MAX_SAVED,
        claims=tuple(_claims(tx, claimed[:MAX_CLAIMS], reader)),
        has_more_claims=len(claimed) > MAX_CLAIMS,
        considered=tuple(considered_rows.of_session(tx, session.harness, session.id)),
        reminders=tuple(reminders.of_session(tx, session.harness, session.id)),
        replaced=tuple(_replaced(tx, session, reader)),
    )


def _replaced(tx: ReadTx, session: SessionOverview, reader: Reader) -> Iterator[SessionReplacement]:
    found = history.replaced_in(tx, session.id, MAX_REPLACED)
    known = memories.by_ids(tx, {each for older, newer, _ in found for each in (older, newer)})
    for older, newer, at in found:
        pair = (known.get(older), known.get(newer))
        if all(one is not None and _may_read(reader, one) for one in pair):
            yield SessionReplacement(known[older], known[newer], at)


def _with_lines(tx: ReadTx, calls: Sequence[LedgerCall], reader: Reader) -> tuple[LedgerCall, ...]:
    rows = tx.rows(
        tuple[int, str, float | None, str, int, int],
        "SELECT injection, memory_id, score, reason, tokens, injected FROM session_memories "  # noqa: S608 - a constant
        f"WHERE injection {_LISTED} ORDER BY injection, rank",
        (json.dumps([call.seq for call in calls]),),
    )
    known = memories.by_ids(tx, {memory_id for _, memory_id, *_ in rows})
    lines: dict[int, list[LedgerLine]] = {call.seq: [] for call in calls}
    for injection, memory_id, score, reason, tokens, injected in rows:
        memory = known.get(memory_id)
        line = LedgerLine(
            memory_id=memory_id,
            memory=memory if memory is not None and _may_read(reader, memory) else None,
            is_erased=memory is None,
            shown=bool(injected),
            reason=reason,
            score=score,
            tokens=tokens,
        )
        lines[injection].append(line)
    numbers = [call.seq for call in calls]
    sessions = past_sessions.compared_with(tx, numbers)
    commits = compared_commits.compared_with(tx, numbers)
    return tuple(
        replace(
            call,
            lines=tuple(lines[call.seq]),
            sessions=tuple(sessions.get(call.seq, ())),
            commits=tuple(commits.get(call.seq, ())),
        )
        for call in calls
    )


def _outcomes(tx: ReadTx, said: Sequence[RecordedStatement]) -> list[StatementOutcome]:
    known = memories.by_ids(tx, {one.memory_id for one in said if one.memory_id})
    items = inbox.by_ids(tx, {one.inbox_id for one in said if one.inbox_id})
    found: list[StatementOutcome] = []
    for one in said:
        memory, item = known.get(one.memory_id or ""), items.get(one.inbox_id or "")
        found.append(
            StatementOutcome(
                one,
                is_forgotten=memory.is_deleted if memory else None,
                inbox_status=item.status if item else None,
                inbox_action=item.action if item else None,
            )
        )
    return found


def _claims(tx: ReadTx, claimed: Sequence[InboxItem], reader: Reader) -> list[SuggestionOutcome]:
    known = memories.by_ids(tx, {item.memory_id for item in claimed if item.memory_id})
    found: list[SuggestionOutcome] = []
    for item in claimed:
        if may_read(reader, item.agent_id, item.visibility):
            memory = known.get(item.memory_id or "")
            found.append(SuggestionOutcome(item, memory.is_deleted if memory else None))
    return found


def _saved(tx: ReadTx, session: SessionOverview, shown: set[str | None]) -> list[Memory]:
    """Return the memories saved in a session that aren't shown otherwise, oldest first.

    At most ``MAX_SAVED``, and one more if there are more.
    """
    ids = tx.column(
        str,
        f"SELECT id FROM memories WHERE session_id = ? AND NOT id {_LISTED} "  # noqa: S608 - a constant
        "ORDER BY created_at, seq LIMIT ?",
        (session.id, json.dumps(sorted(filter(None, shown))), MAX_SAVED + 1),
    )
    found = memories.by_ids(tx, set(ids))
    return [found[one] for one in ids if one in found]


def _may_read(reader: Reader, memory: Memory) -> bool:
    return may_read(reader, memory.scope.agent_id, memory.scope.visibility)
