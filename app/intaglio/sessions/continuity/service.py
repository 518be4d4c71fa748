"""Writes checkpoints in the background, and lists them; no model is called."""

import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import PurePosixPath
from typing import Final

from intaglio.base.clock import iso, parse_moment
from intaglio.base.ids import NewId
from intaglio.base.text import first_sentences
from intaglio.domain.reader import Reader
from intaglio.fence.characters import visible
from intaglio.memory import rows as memories
from intaglio.memory.filters import Filter
from intaglio.pauses import bypass_rows
from intaglio.pauses import rows as pauses
from intaglio.pauses.service import pause_state
from intaglio.sessions.continuity import rows
from intaglio.sessions.continuity.digest import (
    DIGEST_CHARS,
    digest_lines,
    edited_files,
    kept_memories,
)
from intaglio.sessions.continuity.rows import CheckpointedSession
from intaglio.sessions.continuity.settings import ContinuitySettings
from intaglio.sessions.continuity.standing import intact_lines
from intaglio.sessions.continuity.values import (
    Checkpoint,
    CheckpointTrigger,
    NewCheckpoint,
    StructuralSnapshot,
)
from intaglio.sessions.continuity.wording import GUIDELINES
from intaglio.sessions.services import ContextServices
from intaglio.sessions.settings import HarnessSettings
from intaglio.sessions.statements.constraints import constraints_among
from intaglio.sessions.values import SessionKey, SessionRef
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.transcripts.preparation import stored_text

_SUMMARY_CHARS: Final = 4_000
# About 4 ms; a secret that is cut here stands far behind what is kept.
_MAX_READ_CHARS: Final = 20_000
_MAX_SESSIONS: Final = 200
_MAX_FILES: Final = 40
_AT_ONCE: Final = 20
_MOST_LISTED: Final = 100
# A session without a sign of life for so long isn't going on.
_ACTIVE: Final = timedelta(hours=1)
_UNTRACED: Final = timedelta(days=1)
_PATH: Final = re.compile(r"[\w ./@+()\[\]-]{1,200}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCheckpoints:
    """Notes where sessions stand, and lists what was noted.

    ``in_background`` runs a write in the background and logs its failure. ``edited`` are the files
    that sessions edited, until they are noted.
    """

    context: ContextServices
    new_id: NewId
    in_background: Callable[[Awaitable[None]], None]
    edited: OrderedDict[SessionKey, dict[str, None]]
    _waiting: set[tuple[SessionKey, CheckpointTrigger]] = field(
        default_factory=set[tuple[SessionKey, CheckpointTrigger]]
    )

    def note(self, session: SessionRef, trigger: CheckpointTrigger, summary: str = "") -> None:
        """Write a checkpoint in the background.

        ``summary`` is what the harness says of the session. Once the transcript was read.
        """
        key = session.key, trigger
        if key in self._waiting:
            return
        self._waiting.add(key)

        async def work() -> None:
            try:
                await self.write(session, trigger, summary)
            finally:
                self._waiting.discard(key)

        self.in_background(work())

    def note_edit(self, session: SessionRef, path: str) -> None:
        """Note that the session's agent edited a file, if it is within the session's directory."""
        name = _within(path, session.project)
        if session.subagent or session.anonymous or not name:
            return
        files = self.edited.setdefault(session.key, {})
        files.pop(name, None)
        files[name] = None
        self.edited.move_to_end(session.key)
        while len(files) > _MAX_FILES:
            del files[next(iter(files))]
        while len(self.edited) > _MAX_SESSIONS:
            self.edited.popitem(last=False)

    async def guidelines(self, session: SessionRef) -> str:
        """Return what the model that summarises the conversation is asked; empty for nothing.

        In a project that is to be told nothing, nothing is.
        """
        if session.subagent or not self.context.settings().of(ContinuitySettings).enabled:
            return ""
        project = await self.context.visibility.project_key(session.project)
        own = await self.context.chosen_for(project)
        return "" if own.told == "nothing" else GUIDELINES

    async def write(
        self, session: SessionRef, trigger: CheckpointTrigger, summary: str = ""
    ) -> bool:
        """Write a checkpoint of a session with prompts; returns whether it was written.

        None is written while capture is paused or off. Raises UnavailableError if nothing can be
        stored now.
        """
        settings = self.context.settings().of(ContinuitySettings)
        if session.subagent or session.anonymous or not settings.enabled:
            return False
        visibility = self.context.visibility
        project = await visibility.project_key(session.project)
        filters = await visibility.filters(session.agent_id, project, is_active=False)
        now = self.context.clock()
        found = await self.context.db.read(
            lambda tx: self._read(tx, session, filters, trigger, now)
        )
        if found is None:
            return False
        known, new, keeps_summary = found
        new = replace(new, summary=self._as_kept(summary) if keeps_summary else "")
        new_id = self.new_id()

        def work(tx: WriteTx) -> bool:
            # The session, or words of it, may have been forgotten meanwhile, or a pause have begun.
            if _is_off(tx, session, now) or rows.session(tx, session.key) is None:
                return False
            lines = intact_lines(tx, session.harness, new.lines)
            rows.insert(
                tx, new_id, known.number, replace(new, lines=lines), settings.most_per_session
            )
            return True

        return await self.context.db.write(work)

    async def write_due(self) -> int:
        """Write checkpoints of the sessions that are due, and return how many were written."""
        settings = self.context.settings().of(ContinuitySettings)
        if not settings.enabled:
            return 0
        now = self.context.clock()
        before = iso(now - timedelta(milliseconds=settings.interval_ms))
        found = await self.context.db.read(
            lambda tx: rows.due(tx, settings.prompt_interval, before, iso(now - _ACTIVE), _AT_ONCE)
        )
        return sum([await self.write(each, "periodic") for each in found])

    async def list_for_project(
        self, project: str | None, reader: Reader, limit: int = 10
    ) -> list[Checkpoint]:
        """Return the latest checkpoints of a project's sessions, latest first.

        The project is a directory or a name; the user reads those of all agents, an agent its own.
        """
        key = await self.context.visibility.project_key(project)
        if key is None:
            return []
        keys = (key, *await self.context.visibility.project_aliases(key))
        most = min(limit, _MOST_LISTED)
        return await self.context.db.read(lambda tx: rows.of_projects(tx, keys, reader, most))

    async def list_for_session(
        self, session_id: str, reader: Reader, harness: str | None = None, limit: int = _MOST_LISTED
    ) -> list[Checkpoint]:
        """Return the latest checkpoints of the session with an id, latest first.

        Without a harness, of each harness's session with it.
        """
        most = min(limit, _MOST_LISTED)
        return await self.context.db.read(
            lambda tx: rows.of_session(tx, session_id, harness, reader, most)
        )

    async def kept_summary(self, session: SessionRef, summary: str) -> str:
        """Return as much of what a harness says of a session as may be kept; empty for nothing."""
        project = await self.context.visibility.project_key(session.project)
        now = self.context.clock()

        def work(tx: ReadTx) -> bool:
            known = rows.session(tx, session.key)
            # It isn't known since when a session without a trace has gone on.
            started = parse_moment(known.started_at) if known else now - _UNTRACED
            return (
                not _is_off(tx, session, now)
                and self._captures(tx, session, project)
                and self._is_whole(tx, session, started, project)
            )

        return self._as_kept(summary) if await self.context.db.read(work) else ""

    def _is_whole(
        self, tx: ReadTx, session: SessionRef, started: datetime | None, project: str | None
    ) -> bool:
        """Whether capture was on since a session's start: a summary tells all of it."""
        left_out = pauses.since(tx, started) or bypass_rows.spans(tx, *session.key, started)
        return not left_out and not self.context.chosen(tx, project).captured_since

    def _as_kept(self, summary: str) -> str:
        # Redacted, without what was injected, and in whole sentences.
        text = stored_text(summary[:_MAX_READ_CHARS], self.context.db.as_stored)
        return first_sentences(visible(text), _SUMMARY_CHARS)

    def _read(
        self,
        tx: ReadTx,
        session: SessionRef,
        filters: Filter,
        trigger: CheckpointTrigger,
        now: datetime,
    ) -> tuple[CheckpointedSession, NewCheckpoint, bool] | None:
        """Return a checkpoint of a session as it stands now, and whether a summary may be kept.

        None without prompts, and if the session is another agent's.
        """
        known = rows.session(tx, session.key)
        if known is None or not known.prompts or known.agent_id != session.agent_id:
            return None
        if _is_off(tx, session, now) or not self._captures(tx, session, filters.project):
            return None
        files = self._all_files(tx, session, filters)
        new = NewCheckpoint(
            trigger=trigger,
            prompts=known.prompts,
            lines=digest_lines(tx, session.key, filters, files, DIGEST_CHARS),
            snapshot=snapshot_of(tx, session.key, filters),
            at=iso(now),
        )
        started = parse_moment(known.started_at)
        return known, new, self._is_whole(tx, session, started, filters.project)

    def _captures(self, tx: ReadTx, session: SessionRef, project: str | None) -> bool:
        own = self.context.chosen(tx, project).capture
        by_default = self.context.settings().harness(HarnessSettings, session.harness).capture
        return by_default if own is None else own

    def _all_files(self, tx: ReadTx, session: SessionRef, filters: Filter) -> Sequence[str]:
        """Return the session's edited files, those of its last checkpoint first."""
        last = rows.of_session(tx, session.id, session.harness, filters.reader, 1)
        lines = (line for each in last for line in each.lines)
        return edited_files(lines, self.edited.get(session.key, {}))


def _is_off(tx: ReadTx, session: SessionRef, now: datetime) -> bool:
    """Whether nothing may be noted of a session now."""
    return pause_state(tx, now).paused or bypass_rows.running(tx, *session.key) is not None


def snapshot_of(tx: ReadTx, session: SessionKey, filters: Filter) -> StructuralSnapshot:
    """Return what of the graph a session is about: what it saved, and was told on its questions."""
    told = rows.told_in(tx, session, at_start=False)
    at_start = rows.told_in(tx, session, at_start=True)
    known = memories.by_ids(tx, {*told, *at_start}).values()
    constraints = constraints_among(tx, list(known))
    kept = (each.id for each in kept_memories(tx, session, filters))
    return rows.snapshot(tx, {*kept, *told}, len(constraints))


def _within(path: str, directory: str | None) -> str:
    """Return a file's path from the session's directory on, with slashes; empty if it isn't in it.

    Windows' paths are read on any system: the agent may run elsewhere.
    """
    if not path or not directory:
        return ""
    own = PurePosixPath(path.replace("\\", "/"))
    whole = PurePosixPath(directory.replace("\\", "/"))
    if own.is_absolute() or ":" in own.parts[0]:
        if not own.is_relative_to(whole):
            return ""
        own = own.relative_to(whole)
    name = own.as_posix()
    return name if _PATH.fullmatch(name) else ""
