"""What can be imported: the sessions of each source that aren't imported yet."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from intaglio.base.clock import Clock, parse_moment
from intaglio.base.errors import NotFoundError
from intaglio.base.log import Logger
from intaglio.harness.events import KeptTranscript
from intaglio.history_import import rows
from intaglio.history_import.sources import HistorySource, HistorySources
from intaglio.history_import.times import plausible
from intaglio.history_import.values import (
    DEFAULT_RATE,
    SourceOverview,
    SourceProject,
    estimated_s,
)
from intaglio.lifecycle.sources.rows import is_taken_back
from intaglio.lifecycle.sources.values import session_item_id
from intaglio.pauses import bypass_rows
from intaglio.sessions import rows as sessions
from intaglio.sessions.values import SessionKey, SessionReadState
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx

SOON: Final = timedelta(days=7)
_AT_ONCE: Final = 200


@dataclass(frozen=True, slots=True)
class SourceContents:
    """A source's sessions that aren't imported yet, and how many others it has."""

    new: tuple[KeptTranscript, ...] = ()
    imported: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSurvey:
    """Looks through the sources."""

    db: Database
    clock: Clock
    sources: HistorySources
    log: Logger
    project_key: Callable[[str | None], Awaitable[str | None]]

    async def chosen(self, wanted: Sequence[str]) -> list[HistorySource]:
        """Return the sources with these ids, all for none; raises NotFoundError for another id."""
        found = await self.sources.all()
        known = {source.id for source in found}
        missing = [each for each in wanted if each not in known]
        if missing:
            raise NotFoundError(
                f"There is no source {missing[0]!r}", hint="GET /api/imports/sources lists them."
            )
        return [source for source in found if not wanted or source.id in wanted]

    async def contents(self, source: HistorySource) -> SourceContents:
        """List a source's sessions, those that aren't imported yet in the order of beginnings."""
        try:
            found = await asyncio.to_thread(self._kept, source)
        except OSError as error:
            return SourceContents(problem=f"Couldn't read it: {error.strerror or error}")
        # What another program wrote must not keep the other sources from being imported.
        except Exception as error:
            self.log.exception("source not listed", source=source.id)
            return SourceContents(problem=f"Couldn't read it: {type(error).__name__}")
        new: list[KeptTranscript] = []
        for start in range(0, len(found), _AT_ONCE):
            some = found[start : start + _AT_ONCE]
            new += await self.db.read(partial(_new, source=source, some=some))
        return SourceContents(tuple(sorted(new, key=_order)), len(found) - len(new))

    def _kept(self, source: HistorySource) -> list[KeptTranscript]:
        now = self.clock()
        return [replace(each, started=plausible(each.started, now)) for each in source.sessions()]

    async def projects(self, found: Sequence[KeptTranscript]) -> dict[str | None, str | None]:
        """Return the key of the project of each directory of sessions."""
        return {cwd: await self.project_key(cwd) for cwd in {each.cwd for each in found}}

    async def overviews(self) -> list[SourceOverview]:
        """Return what can be imported of each source."""
        rate = await self.rate()
        return [await self.overview(source, rate) for source in await self.sources.all()]

    async def rate(self) -> float:
        """Return how many bytes a second are read, as the latest import has shown."""
        return await self.db.read(rows.rate) or DEFAULT_RATE

    async def overview(self, source: HistorySource, rate: float) -> SourceOverview:
        """Return what can be imported of a source, read at so many bytes a second."""
        contents = await self.contents(source)
        shown = SourceOverview(
            id=source.id,
            kind=source.kind,
            label=source.label,
            place=source.place,
            imported=contents.imported,
            problem=contents.problem,
        )
        new = contents.new
        if not new:
            return shown
        keys = await self.projects(new)
        counted = Counter(keys[each.cwd] for each in new)
        soon = self.clock() + SOON
        ends = [each.expires_at for each in new if each.expires_at and each.expires_at <= soon]
        size = sum(each.size for each in new)
        return replace(
            shown,
            sessions=len(new),
            size=size,
            since=min(each.started or each.modified for each in new),
            until=max(each.modified for each in new),
            projects=tuple(SourceProject(key, number) for key, number in counted.most_common()),
            expiring=len(ends),
            expires_at=min(ends, default=None),
            estimated_s=estimated_s(len(new), size, rate),
        )


def _new(tx: ReadTx, source: HistorySource, some: Sequence[KeptTranscript]) -> list[KeptTranscript]:
    return [each for each in some if is_new(tx, source, each)]


def _order(found: KeptTranscript) -> tuple[datetime, datetime, str]:
    return found.order


def is_new(tx: ReadTx, source: HistorySource, found: KeptTranscript) -> bool:
    """Whether a session has something to import, and may be.

    One that is open is read by its hooks.
    """
    key = source.harness, found.transcript.session
    known = sessions.known(tx, *key)
    if known is not None and known.is_open:
        return False
    return not (_is_read(tx, source, found, known) or _is_unwanted(tx, key, known))


def _is_read(
    tx: ReadTx, source: HistorySource, found: KeptTranscript, known: SessionReadState | None
) -> bool:
    """Whether a session was read to its end; one that an import is still reading wasn't."""
    if known is not None:
        if known.importing:
            return False
        if known.position == (found.end or str(found.size)):
            return True
    if source.kind == "upload":
        # An export that was read since may be older than what was said last in the session.
        return False
    last = rows.last_read(tx, source.harness, found.transcript.session)
    times = (parse_moment(each) for each in (last, known.read_at if known else None) if each)
    return any(read is not None and found.modified < read for read in times)


def _is_unwanted(tx: ReadTx, key: SessionKey, known: SessionReadState | None) -> bool:
    """Whether the user took a session or its import back, or switched it off."""
    return (
        bypass_rows.running(tx, *key) is not None
        or is_taken_back(tx, "session", session_item_id(key))
        or (
            known is not None
            and known.import_id is not None
            and is_taken_back(tx, "import", known.import_id)
        )
    )
