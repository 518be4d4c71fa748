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
    """Whether a session has something to import.

    Not if it is open, which its hooks read; if it was read since it was last written; if it was
    taken back; or if the user has switched it off.
    """
    harness, session = source.harness, found.transcript.session
    known = sessions.known(tx, harness, session)
    if known is not None:
        if known.is_open:
            return False
        if known.import_id and is_taken_back(tx, "import", known.import_id):
            return False
        if not known.importing and known.position == (found.end or str(found.size)):
            return False
    last = [rows.last_read(tx, harness, session), known.read_at if known else None]
    read = max((moment for each in last if each and (moment := parse_moment(each))), default=None)
    # An export that was read since may be older than what was said last in the session.
    is_file = source.kind == "harness"
    if is_file and read is not None and found.modified < read and not (known and known.importing):
        return False
    if bypass_rows.running(tx, harness, session) is not None:
        return False
    return not is_taken_back(tx, "session", session_item_id((harness, session)))
