"""Runs imports: reads the sessions of the past one by one, as if they had just been reported.

What was read is known by the database alone: after kill -9, the next start continues with the
session, and at the position in it, that had not been stored. Reading a part twice stores it once.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

from intaglio.base.agent_id import DEFAULT_AGENT, agent_in_session_key
from intaglio.base.clock import iso
from intaglio.base.errors import UnavailableError
from intaglio.base.events import Changed
from intaglio.base.log import Logger
from intaglio.base.process.threads import quick_switches
from intaglio.capture.transcripts import (
    CaptureLimits,
    TranscriptMessage,
    TranscriptReading,
    TurnReport,
)
from intaglio.history_import import rows
from intaglio.history_import.overview import is_new
from intaglio.history_import.service import TOPIC, HistoryImports
from intaglio.history_import.sources import HistorySource
from intaglio.history_import.times import plausible
from intaglio.history_import.values import EntryState, ImportEntry, ImportRecord, RunState
from intaglio.lifecycle.sources.rows import is_taken_back
from intaglio.sessions import rows as session_rows
from intaglio.sessions.session_end import SessionEnds
from intaglio.sessions.statements import rows as statements
from intaglio.sessions.statements.settlement import Settlement
from intaglio.sessions.statements.values import StatementCounts
from intaglio.sessions.values import SessionReadState, SessionRef
from intaglio.store.tx import WriteTx

READ_BYTES: Final = 4_000_000
CONTEXT_BYTES: Final = 128_000
_ADDED_AT_ONCE: Final = 200
_RETRY_S: Final = 5.0
_NOTIFY_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What became of a session: ``read_at`` is when it was read as far as it goes."""

    state: EntryState
    problem: str = ""
    read_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRunner:
    """Runs the imports that wait; ``seconds`` is a monotonic clock.

    ``forget_source`` is called with the id of each source of which nothing is left to import.
    """

    imports: HistoryImports
    ends: SessionEnds
    settlement: Settlement
    seconds: Callable[[], float]
    publish: Callable[[Changed], None]
    log: Logger
    forget_source: Callable[[str], Awaitable[None]]

    async def run(self) -> None:
        """Run imports as they come, also one that the last daemon didn't finish."""
        imports = self.imports
        while True:
            imports.wake.clear()
            try:
                record = await imports.running()
                if record is None:
                    await imports.wake.wait()
                else:
                    await self._run_safely(record)
            except UnavailableError as error:
                # The import goes on once it can: nothing of it is lost.
                self.log.info("import postponed", reason=error.detail)
                await self._rest()

    async def _run_safely(self, record: ImportRecord) -> None:
        try:
            with quick_switches():
                await self.run_one(record)
        except UnavailableError:
            raise
        # Worker loop: an import that can't be run must not come back for ever.
        except Exception as error:
            self.log.exception("import failed")
            await self._finish(record, "failed", f"It stopped: {type(error).__name__}")

    async def run_one(self, record: ImportRecord) -> None:
        """Run an import to its end.

        Raises UnavailableError if nothing can be stored now.
        """
        db, number = self.imports.db, record.number
        sources = {each.id: each for each in await self.imports.survey.sources.all()}
        if not record.listed:
            await self._list(record, sources)
        while True:
            cancelled, entry = await db.read(
                lambda tx: (
                    # What it would still read isn't wanted any more.
                    rows.is_cancelled(tx, number) or is_taken_back(tx, "import", record.id),
                    rows.next_entry(tx, number),
                )
            )
            if cancelled or entry is None:
                await self._finish(record, "cancelled" if cancelled else "done")
                return
            if await self.ends.paused():
                await self._rest()
                continue
            await self._import(record, entry, sources.get(entry.source))

    async def _rest(self) -> None:
        try:
            async with asyncio.timeout(_RETRY_S):
                await self.imports.wake.wait()
        except TimeoutError:
            return
        self.imports.wake.clear()

    async def _list(self, record: ImportRecord, sources: dict[str, HistorySource]) -> None:
        """Write down the sessions to read, in the order of their beginnings over all sources."""
        db, survey = self.imports.db, self.imports.survey
        found: list[tuple[tuple[datetime, datetime, str], ImportEntry]] = []
        failed: list[ImportEntry] = []
        for source in (sources[each] for each in record.sources or sources if each in sources):
            contents = await survey.contents(source)
            if contents.problem:
                failed.append(_unreadable(source, contents.problem))
            elif not contents.new:
                # An upload that holds nothing new isn't needed any more.
                await self.forget_source(source.id)
            projects = await survey.projects(contents.new)
            found += [
                (
                    each.order,
                    ImportEntry(
                        place=0,
                        source=source.id,
                        harness=source.harness,
                        session_id=each.transcript.session,
                        path=str(each.transcript.path),
                        size=each.size,
                        modified_at=iso(each.modified),
                        started_at=iso(each.started) if each.started else None,
                        cwd=each.cwd,
                        project=projects[each.cwd] or (None if each.cwd else record.project),
                    ),
                )
                for each in contents.new
            ]
        found.sort(key=lambda pair: pair[0])
        entries = [
            replace(entry, place=place)
            for place, entry in enumerate((*failed, *(entry for _, entry in found)))
        ]
        await db.write(lambda tx: rows.clear_entries(tx, record.number))
        for start in range(0, len(entries), _ADDED_AT_ONCE):
            some = entries[start : start + _ADDED_AT_ONCE]
            await db.write(partial(rows.add_entries, number=record.number, entries=some))
        await db.write(lambda tx: rows.set_listed(tx, record.number))
        self._notify(record, at_once=True)

    async def _finish(self, record: ImportRecord, state: RunState, reason: str = "") -> None:
        now = iso(self.imports.clock())

        def work(tx: WriteTx) -> None:
            rows.finish(tx, record.number, state, reason, now)
            session_rows.end_importing(tx, now)
            tx.publish(Changed(TOPIC, "updated", (record.id,)))

        await self.imports.db.write(work)
        if state == "done":
            for source in await self.imports.db.read(lambda tx: rows.sources_of(tx, record.number)):
                await self.forget_source(source)

    async def _import(
        self, record: ImportRecord, entry: ImportEntry, source: HistorySource | None
    ) -> None:
        """Read one session, and record what became of it."""
        began = self.seconds()
        self.imports.reading.begin(record.number, began)
        try:
            outcome = await self._outcome(record, entry, source)
        except UnavailableError:
            raise
        except OSError as error:
            outcome = _Outcome("failed", f"Couldn't read it: {error.strerror or error}")
        # Worker loop: one session must not block the others.
        except Exception as error:
            self.log.exception("session not imported", session=entry.session_id)
            outcome = _Outcome("failed", f"Couldn't import it: {type(error).__name__}")
        if outcome is None:
            return
        if outcome.state == "failed":
            await self.ends.import_end(_ref(record, entry, None))
        seconds = self.seconds() - began

        def work(tx: WriteTx) -> None:
            counts = StatementCounts()
            if outcome.state == "done":
                counts = statements.counts_since(
                    tx, entry.harness, entry.session_id, record.created_at
                )
            rows.close_entry(
                tx,
                record.number,
                entry.place,
                outcome.state,
                counts=counts,
                problem=outcome.problem,
                read_at=iso(outcome.read_at) if outcome.read_at else None,
                seconds=seconds,
            )

        await self.imports.db.write(work)
        self.imports.reading.end()
        self._notify(record)

    async def _outcome(
        self, record: ImportRecord, entry: ImportEntry, source: HistorySource | None
    ) -> _Outcome | None:
        """Read a session to its end; None if the import was cancelled meanwhile."""
        if source is None:
            return _Outcome("failed", "Its source is gone.")
        db = self.imports.db
        wanted, state = await db.read(
            lambda tx: (
                is_new(tx, source, entry.kept_transcript),
                session_rows.known(tx, entry.harness, entry.session_id),
            )
        )
        if not wanted:
            return _Outcome("skipped")
        session = _ref(record, entry, state)
        began = self.imports.clock()
        skipped = 0
        limits = CaptureLimits(asks_first=session.project is None, asks=record.keep == "review")
        reading = TranscriptReading((), _position(session, state), more=True)
        last = entry.kept_transcript.started or entry.kept_transcript.modified
        while reading.more:
            before = reading.position
            reading = await asyncio.to_thread(
                source.read, entry.kept_transcript, before, READ_BYTES, CONTEXT_BYTES
            )
            reading = _with_times(reading, last, began)
            skipped += reading.skipped
            if await self.ends.import_begin(session, reading, record.id, last):
                report = TurnReport(last, last, began, limits=limits)
                await self.ends.turn_end(session, reading, report)
            last = reading.last_time or last
            if reading.more and reading.position == before:
                return _Outcome("failed", "Couldn't read on in the middle of it.")
            self.imports.reading.advance(READ_BYTES if reading.more else 0, entry.size)
            self._notify(record)
            if reading.more and await db.read(lambda tx: rows.is_cancelled(tx, record.number)):
                break
        await self.ends.import_end(session)
        await self.settlement.settle(*session.key)
        if reading.more:
            return None
        lines = "line" if skipped == 1 else "lines"
        return _Outcome("done", f"Skipped {skipped} damaged {lines}." if skipped else "", began)

    def _notify(self, record: ImportRecord, *, at_once: bool = False) -> None:
        """Tell listeners how far the import is, about once a second."""
        if self.imports.reading.is_due(self.seconds(), _NOTIFY_S) or at_once:
            self.publish(Changed(TOPIC, "updated", (record.id,)))


def _unreadable(source: HistorySource, problem: str) -> ImportEntry:
    return ImportEntry(
        place=0,
        source=source.id,
        harness=source.harness,
        session_id="",
        path=source.place,
        size=0,
        modified_at="",
        started_at=None,
        cwd=None,
        project=None,
        state="failed",
        problem=problem,
    )


def _ref(record: ImportRecord, entry: ImportEntry, known: SessionReadState | None) -> SessionRef:
    """Return a session as hooks would report it; one that is known stays where it is."""
    place = known.cwd if known else None
    agent = known.agent_id if known else agent_in_session_key(entry.session_id)
    path = entry.path
    if known is not None and known.transcript is not None and _is_same(known.transcript, path):
        path = known.transcript
    return SessionRef(
        harness=entry.harness,
        id=entry.session_id,
        agent_id=agent or DEFAULT_AGENT,
        project=place or entry.cwd or record.project,
        transcript=path,
    )


def _is_same(path: str, other: str) -> bool:
    try:
        return Path(path).samefile(other)
    except OSError:
        return False


def _position(session: SessionRef, known: SessionReadState | None) -> str:
    return known.position if known and known.transcript == session.transcript else ""


def _with_times(reading: TranscriptReading, since: datetime, now: datetime) -> TranscriptReading:
    """Return a reading in which a message without a true time has that of the one before it."""
    last = since
    messages: list[TranscriptMessage] = []
    for message in reading.messages:
        last = plausible(message.time, now) or last
        messages.append(message if message.time == last else replace(message, time=last))
    return replace(reading, messages=tuple(messages))
