"""Converts imports of history, their sources and sessions."""

from collections.abc import Iterable, Sequence

from intaglio.api.serializers.convert import convert
from intaglio.base.clock import iso
from intaglio.domain.reader import Reader
from intaglio.history_import.values import ImportEntry, ImportProgress, SourceOverview
from intaglio.projects import rows as projects
from intaglio.projects.names import distinct_names
from intaglio.sessions.overview import rows as overview
from intaglio.sessions.overview.descriptions import describe
from intaglio.sessions.overview.values import SessionFilter
from intaglio.store.tx import ReadTx
from intaglio.wire import history_import as wire

_NO_PROJECT = "No project"


def import_sources(tx: ReadTx, found: Iterable[SourceOverview]) -> list[wire.ImportSource]:
    """Return sources with the names of their projects."""
    listed = list(found)
    keys = {each.key for one in listed for each in one.projects if each.key is not None}
    names = distinct_names(sorted(keys), projects.display_names(tx))
    return [
        convert(
            each,
            wire.ImportSource,
            bytes=each.size,
            since=iso(each.since) if each.since else None,
            until=iso(each.until) if each.until else None,
            expires_at=iso(each.expires_at) if each.expires_at else None,
            projects=[
                wire.ImportProject(
                    key=one.key, name=names.get(one.key or "", _NO_PROJECT), sessions=one.sessions
                )
                for one in each.projects
            ],
        )
        for each in listed
    ]


def import_run(progress: ImportProgress) -> wire.ImportRun:
    """Return an import with its progress."""
    record, totals = progress.record, progress.totals
    return wire.ImportRun(
        id=record.id,
        state=record.state,
        keep=record.keep,
        sources=list(record.sources),
        created=record.created_at,
        finished=record.finished_at,
        sessions=totals.sessions,
        done=totals.done,
        skipped=totals.skipped,
        failed=totals.failed,
        bytes=totals.size,
        bytes_done=totals.size_done,
        remaining_s=progress.remaining_s,
        kept=totals.kept,
        suggested=totals.suggested,
        known=totals.known,
        problems=[wire.ImportProblem(place=p.place, reason=p.reason) for p in progress.problems],
        removed=progress.removed_at,
        reason=record.reason,
    )


def imported_sessions(
    tx: ReadTx, entries: Sequence[ImportEntry], reader: Reader
) -> list[wire.ImportedSession]:
    """Return sessions of an import; those that the reader may see with their titles."""
    keys = {(each.harness, each.session_id) for each in entries}
    stored = overview.with_keys(tx, SessionFilter(reader=reader), keys)
    described = describe(tx, stored, reader)
    by_key = {(each.harness, each.id): each for each in stored}
    found: list[wire.ImportedSession] = []
    for entry in entries:
        session = by_key.get((entry.harness, entry.session_id))
        found.append(
            wire.ImportedSession(
                session=str(session.number) if session else None,
                harness=entry.harness,
                title=described[session.number].title if session else "",
                project=session.project if session else entry.project,
                started=entry.started_at,
                state=entry.state,
                kept=entry.kept,
                suggested=entry.suggested,
                problem=entry.problem,
            )
        )
    return found
