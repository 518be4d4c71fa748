"""SQL for the inbox; nothing else in the system writes its tables."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import astuple, fields, replace
from typing import Any, Final

import msgspec

from intaglio.domain.reader import USER, Reader, Visibility
from intaglio.inbox.values import (
    MAX_EVIDENCE,
    Evidence,
    InboxItem,
    ItemFilter,
    ItemPage,
    ItemStatus,
    ProposedChange,
)
from intaglio.memory.filters import reader_condition
from intaglio.memory.values import Scope, Source
from intaglio.store.tx import ReadTx, Sql, WriteTx
from intaglio.store.values import ListPosition

# An item's columns are its fields; its source takes two, and its evidence has its own table.
_FIELDS: Final = tuple(
    field.name for field in fields(InboxItem) if field.name not in {"source", "evidence"}
)
_change: Final = msgspec.json.Decoder(ProposedChange)
_COLUMNS: Final = ", ".join((*_FIELDS, "source_type", "source_id"))
_EVIDENCE: Final = "sentence, harness, session_id, message_id, start_char, end_char, said_at"
_SCOPE: Final = "agent_id = ? AND visibility = ? AND ifnull(project, '') = ifnull(?, '')"
_LISTED: Final = "IN (SELECT value FROM json_each(?))"
# Literals, so that the partial indexes of open and of done items apply.
_STATUS: Final[dict[ItemStatus, str]] = {"open": "status = 'open'", "done": "status = 'done'"}


def _item(*row: Any) -> InboxItem:  # noqa: ANN401 - the columns of a STRICT table
    values = dict(zip(_FIELDS, row, strict=False))
    if values["change"] is not None:
        values["change"] = _change.decode(values["change"])
    values["replaces"] = tuple(json.loads(values["replaces"] or "[]"))
    return InboxItem(**values, source=Source(*row[len(_FIELDS) :]), evidence=())


def _place(seq: int, *columns: Any) -> tuple[int, Evidence]:  # noqa: ANN401 - see _item
    return seq, Evidence(*columns)


def _select(tx: ReadTx, condition: str, params: Sequence[Sql]) -> list[InboxItem]:
    """Return the items that match, with their evidence."""
    items = tx.map(_item, f"SELECT {_COLUMNS} FROM inbox_items m WHERE {condition}", params)  # noqa: S608 - conditions of this module
    if not items:
        return []
    said: dict[int, list[Evidence]] = {item.seq: [] for item in items}
    each = (
        f"SELECT item, {_EVIDENCE} FROM inbox_evidence WHERE item {_LISTED} "  # noqa: S608 - constants
        "ORDER BY item, number"
    )
    for seq, evidence in tx.map(_place, each, (json.dumps(list(said)),)):
        said[seq].append(evidence)
    return [replace(item, evidence=tuple(said[item.seq])) for item in items]


def _first(tx: ReadTx, condition: str, params: Sequence[Sql]) -> InboxItem | None:
    found = _select(tx, f"{condition} LIMIT 1", params)
    return found[0] if found else None


def insert(tx: WriteTx, item: InboxItem, digest: bytes | None) -> None:
    """Write an item with its evidence; its ``seq`` is assigned here."""
    tx.execute(
        "INSERT INTO inbox_items(id, kind, status, content, content_hash, type, confidence, "
        "agent_id, project, visibility, source_type, source_id, memory_id, older_id, created_at, "
        "entity_id, other_entity_id, change, replaces) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            item.id, item.kind, item.status, item.content, digest, item.type, item.confidence,
            item.agent_id, item.project, item.visibility, item.source.type, item.source.id,
            item.memory_id, item.older_id, item.created_at, item.entity_id, item.other_entity_id,
            msgspec.json.encode(item.change).decode() if item.change is not None else None,
            _replaces(item.replaces),
        ),
    )  # fmt: skip
    seq = tx.last_row()
    for number, evidence in enumerate(item.evidence[:MAX_EVIDENCE]):
        _insert_evidence(tx, seq, number, evidence)


def _insert_evidence(tx: WriteTx, seq: int, number: int, evidence: Evidence) -> None:
    tx.execute(
        f"INSERT INTO inbox_evidence(item, number, {_EVIDENCE}) "  # noqa: S608 - constants
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (seq, number, *astuple(evidence)),
    )


def _replaces(ids: Iterable[str]) -> str | None:
    listed = list(ids)
    return json.dumps(listed) if listed else None


def set_replaces(tx: WriteTx, item: InboxItem, ids: Iterable[str]) -> None:
    """Write which memories an accepted suggestion replaces."""
    tx.execute("UPDATE inbox_items SET replaces = ? WHERE seq = ?", (_replaces(ids), item.seq))


def set_wording(tx: WriteTx, item: InboxItem, content: str, digest: bytes) -> None:
    """Write a suggestion's text anew."""
    tx.execute(
        "UPDATE inbox_items SET content = ?, content_hash = ? WHERE seq = ?",
        (content, digest, item.seq),
    )


def add_evidence(tx: WriteTx, item: InboxItem, evidence: Evidence) -> None:
    """Add one more place to an item."""
    _insert_evidence(tx, item.seq, len(item.evidence), evidence)


def get(tx: ReadTx, item_id: str) -> InboxItem | None:
    """Return the item with that id."""
    return _first(tx, "id = ?", (item_id,))


def by_ids(tx: ReadTx, ids: Iterable[str]) -> dict[str, InboxItem]:
    """Return the items with these ids."""
    found = _select(tx, f"id {_LISTED}", (json.dumps(list(ids)),))
    return {item.id: item for item in found}


def with_words(tx: ReadTx, scope: Scope, digest: bytes) -> list[InboxItem]:
    """Return the suggestions of these words in a scope, open ones first, then the latest."""
    return _select(
        tx,
        f"content_hash = ? AND {_SCOPE} ORDER BY status = 'done', seq DESC",
        (digest, scope.agent_id, scope.visibility, scope.project),
    )


def with_source(tx: ReadTx, scope: Scope, source: Source) -> list[InboxItem]:
    """Return the suggestions of a statement in a scope, open ones first, then the latest."""
    return _select(
        tx,
        f"source_id = ? AND source_type = ? AND kind = 'suggestion' AND {_SCOPE} "
        "ORDER BY status = 'done', seq DESC",
        (source.id, source.type, scope.agent_id, scope.visibility, scope.project),
    )


def with_source_prefix(tx: ReadTx, prefix: str) -> list[InboxItem]:
    """Return the suggestions whose source ids begin with a text, oldest first."""
    return _select(
        tx,
        "source_id >= ? AND source_id < ? AND kind = 'suggestion' ORDER BY seq",
        (prefix, f"{prefix}\U0010ffff"),
    )


def open_suggestions(tx: ReadTx, project: str | None, agent_id: str) -> list[InboxItem]:
    """Return an agent's open suggestions of a project, and the global ones; oldest first."""
    return _select(
        tx,
        "status = 'open' AND kind = 'suggestion' AND agent_id = ? "
        "AND (project IS NULL OR project = ?) ORDER BY seq",
        (agent_id, project),
    )


def count_open_of_source(tx: ReadTx, source_type: str) -> int:
    """Return how many open suggestions come from a type of source."""
    return tx.count(
        "SELECT count(*) FROM inbox_items "
        "WHERE status = 'open' AND source_type = ? AND kind = 'suggestion'",
        (source_type,),
    )


def claimed_in(tx: ReadTx, harness: str, session_id: str, limit: int) -> list[InboxItem]:
    """Return the suggestions that an agent made by itself in a session, oldest first."""
    return _select(
        tx,
        "kind = 'suggestion' AND seq IN (SELECT item FROM inbox_evidence "
        "WHERE session_id = ? AND harness = ? AND message_id IS NULL) ORDER BY seq LIMIT ?",
        (tx.as_stored(session_id), harness, limit),
    )


def proposals_of(tx: ReadTx, memory_id: str) -> list[InboxItem]:
    """Return the changes that were proposed of a memory, the latest first."""
    found = [item for item in about(tx, memory_id) if item.change is not None]
    return sorted(found, key=lambda item: -item.seq)


def count_open_proposals(tx: ReadTx) -> int:
    """Return how many proposed changes wait for the user."""
    return tx.count("SELECT count(*) FROM inbox_items WHERE status = 'open' AND change IS NOT NULL")


def of_session(tx: ReadTx, kind: str, session_id: str, limit: int) -> list[InboxItem]:
    """Return the items of a kind that a session's agent led to, oldest first."""
    return _select(
        tx,
        "kind = ? AND seq IN (SELECT item FROM inbox_evidence WHERE session_id = ? "
        "AND message_id IS NULL) ORDER BY seq LIMIT ?",
        (kind, tx.as_stored(session_id), limit),
    )


def about_entity(tx: ReadTx, entity_id: str) -> list[InboxItem]:
    """Return the items that are about an entity."""
    return _select(
        tx,
        "seq IN (SELECT seq FROM inbox_items WHERE entity_id = ? "
        "UNION SELECT seq FROM inbox_items WHERE other_entity_id = ?)",
        (entity_id, entity_id),
    )


def page(tx: ReadTx, wanted: ItemFilter, limit: int, after: ListPosition | None) -> ItemPage:
    """Return a page, newest first: open items by when they were made, done ones by the decision.

    ``after`` is the position of the previous page's last item. Items that are decided on meanwhile
    move no other one.
    """
    condition, params = _where(wanted)
    moment = "created_at" if wanted.status == "open" else "decided_at"
    if after is not None:
        condition += f" AND ({moment}, seq) < (?, ?)"
        params += (after.moment, after.number)
    items = _select(
        tx, f"{condition} ORDER BY {moment} DESC, seq DESC LIMIT ?", (*params, limit + 1)
    )
    shown = tuple(items[:limit])
    if len(items) <= limit or not shown:
        return ItemPage(shown, None)
    last = shown[-1]
    return ItemPage(shown, ListPosition(last.decided_at or last.created_at, last.seq))


def counts(tx: ReadTx, reader: Reader = USER) -> dict[str, int]:
    """Count the open items that a reader may read, by kind."""
    readable, params = reader_condition(reader)
    return dict(
        tx.rows(
            tuple[str, int],
            f"SELECT kind, count(*) FROM inbox_items m WHERE status = 'open' AND {readable} "  # noqa: S608 - see reader_condition()
            "GROUP BY kind",
            params,
        )
    )


def open_by_project(tx: ReadTx, reader: Reader) -> list[tuple[str | None, int, str]]:
    """Count the open items of each project, with when the newest was made."""
    return _by_project(tx, reader, "")


def open_since(tx: ReadTx, reader: Reader, since: str) -> dict[str | None, int]:
    """Count the open items of each project that were made at or after a time."""
    return {project: count for project, count, _ in _by_project(tx, reader, since)}


def count_suggested_since(tx: ReadTx, reader: Reader, since: str) -> int:
    """Count the open suggestions that were made at or after a time."""
    readable, params = reader_condition(reader)
    return tx.count(
        "SELECT count(*) FROM inbox_items m WHERE status = 'open' AND kind = 'suggestion' "  # noqa: S608 - see reader_condition()
        f"AND created_at >= ? AND {readable}",
        (since, *params),
    )


def _by_project(tx: ReadTx, reader: Reader, since: str) -> list[tuple[str | None, int, str]]:
    readable, params = reader_condition(reader)
    return tx.rows(
        tuple[str | None, int, str],
        "SELECT project, count(*), max(created_at) FROM inbox_items m "  # noqa: S608 - see reader_condition()
        f"WHERE status = 'open' AND created_at >= ? AND {readable} GROUP BY project",
        (since, *params),
    )


def _where(wanted: ItemFilter) -> tuple[str, tuple[Sql, ...]]:
    # The reader's condition comes first: no later part can widen it.
    readable, params = reader_condition(wanted.reader)
    condition = f"{readable} AND {_STATUS[wanted.status]}"
    if wanted.kind:
        condition += " AND kind = ?"
        params += (wanted.kind,)
    if wanted.projects:
        condition += f" AND project {_LISTED}"
        params += (json.dumps(wanted.projects),)
    if wanted.sessions is not None:
        condition += (
            " AND EXISTS (SELECT 1 FROM inbox_evidence e WHERE e.item = m.seq "
            "AND (e.harness, e.session_id) IN "
            "(SELECT value ->> 0, value ->> 1 FROM json_each(?)))"
        )
        params += (json.dumps(wanted.sessions),)
    return condition, params


def with_partial_id(
    tx: ReadTx, reader: Reader, prefix: str, suffix: str | None, limit: int
) -> list[InboxItem]:
    """Return the items, open or done, whose ids start or end with a text, ordered by id."""
    readable, params = reader_condition(reader)
    return _select(
        tx,
        f"{readable} AND (id >= ? AND id < ? || char(0x10FFFF) OR substr(id, -length(?)) = ?) "
        "ORDER BY id LIMIT ?",
        (*params, prefix, prefix, suffix, suffix, limit),
    )


def set_done(tx: WriteTx, item: InboxItem) -> None:
    """Write what was decided on an item: its status, time, action and memory."""
    tx.execute(
        "UPDATE inbox_items SET status = ?, decided_at = ?, action = ?, memory_id = ?, "
        "changed_version = ? WHERE seq = ?",
        (item.status, item.decided_at, item.action, item.memory_id, item.changed_version, item.seq),
    )


def drop_words(tx: WriteTx, digest: bytes, at: str) -> None:
    """Remember that these words were dropped in their scope."""
    tx.execute(
        "INSERT INTO dropped_suggestions(digest, dropped_at) VALUES (?, ?) "
        "ON CONFLICT(digest) DO UPDATE SET dropped_at = excluded.dropped_at",
        (digest, at),
    )


def allow_words(tx: WriteTx, digest: bytes) -> None:
    """Forget that these words were dropped."""
    tx.execute("DELETE FROM dropped_suggestions WHERE digest = ?", (digest,))


def are_dropped(tx: ReadTx, digest: bytes) -> bool:
    """Tell whether these words were dropped in their scope."""
    return bool(tx.count("SELECT count(*) FROM dropped_suggestions WHERE digest = ?", (digest,)))


def delete(tx: WriteTx, seqs: Iterable[int]) -> int:
    """Delete items with their evidence; returns how many."""
    listed = (json.dumps(list(seqs)),)
    tx.execute(f"DELETE FROM inbox_evidence WHERE item {_LISTED}", listed)  # noqa: S608 - a constant
    return tx.execute(f"DELETE FROM inbox_items WHERE seq {_LISTED}", listed)  # noqa: S608 - a constant


def set_visibility(tx: WriteTx, item: InboxItem, visibility: Visibility) -> None:
    """Write who may read an item."""
    tx.execute("UPDATE inbox_items SET visibility = ? WHERE seq = ?", (visibility, item.seq))


def about(tx: ReadTx, memory_id: str) -> list[InboxItem]:
    """Return the items that are about a memory."""
    return _select(
        tx,
        "seq IN (SELECT seq FROM inbox_items WHERE memory_id = ? "
        "UNION SELECT seq FROM inbox_items WHERE older_id = ?)",
        (memory_id, memory_id),
    )


def projects(tx: ReadTx) -> list[str]:
    """List the projects of the open items."""
    return tx.column(
        str,
        "SELECT DISTINCT project FROM inbox_items WHERE status = 'open' AND project IS NOT NULL",
    )
