"""Chooses what a start tells of where a session stood: after a compaction, or after a crash."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias

from intaglio.base.clock import iso
from intaglio.base.settings.values import Settings
from intaglio.domain.told_lines import ToldKind
from intaglio.fence.outgoing import Fence
from intaglio.memory import rows as memories
from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.sessions.context import line_of, units
from intaglio.sessions.continuity import rows
from intaglio.sessions.continuity.digest import DIGEST_CHARS, digest_lines, edited_files
from intaglio.sessions.continuity.settings import ContinuitySettings
from intaglio.sessions.continuity.standing import lines_that_stand
from intaglio.sessions.continuity.values import DigestKind, DigestLine
from intaglio.sessions.past_sessions.quotation import quoted
from intaglio.sessions.values import (
    ContextCandidate,
    ContextEntry,
    SessionCandidate,
    SessionKey,
    SessionLine,
    SessionRef,
)
from intaglio.store.tx import ReadTx
from intaglio.transcripts import rows as transcripts
from intaglio.transcripts.values import TranscriptFilter

RecoveryCause: TypeAlias = Literal["compaction", "lost", "broken_off"]
"""The conversation was compacted, is gone although the session is resumed, or that of the
project's last session, which didn't end, is over."""

LOST: Final = "lost"
"""The source of a start that resumes a session whose conversation is gone."""

_HEADINGS: Final[Mapping[RecoveryCause, str]] = {
    "compaction": "## Where this session stood",
    "lost": "## Where this session stood",
    "broken_off": "## Where the last session stood",
}
_REASONS: Final[Mapping[RecoveryCause, str]] = {
    "compaction": "It is this session, before its conversation was compacted.",
    "lost": "It is this session, whose conversation is gone.",
    "broken_off": "It is the project's last session, which broke off.",
}
SAVED_THERE: Final = "saved in the session that is told of"
_KINDS: Final[Mapping[DigestKind, ToldKind]] = {
    "asked": "asked",
    "kept": "memory",
    "file": "edited",
    "open": "open",
    "agent": "closing",
}
_WITHIN: Final = timedelta(hours=4)
_NEAR: Final = 5
# One of these says where it stood; what was asked or saved alone is told by other means.
_TELLS: Final[Collection[DigestKind]] = ("open", "agent", "file")


@dataclass(frozen=True, slots=True)
class Recovered:
    """What a start may tell of a session.

    ``saved`` are the memories of its lines, by id, ``in_play`` the ids of the entities that it was
    about.
    """

    cause: RecoveryCause
    session: SessionCandidate
    lines: tuple[DigestLine, ...]
    saved: Mapping[str, Memory]
    in_play: tuple[str, ...]

    @property
    def heading(self) -> str:
        """The line above what is told."""
        return _HEADINGS[self.cause]


@dataclass(frozen=True, slots=True)
class RecoveryBlock:
    """What is told: sanitized lines below their heading; none if there is nothing.

    ``session`` has the lines as they are quoted, ``entries`` the memories among them.
    """

    lines: tuple[str, ...]
    session: SessionCandidate
    entries: tuple[ContextEntry, ...]


@dataclass(frozen=True, slots=True)
class Recoveries:
    """Finds where sessions stood.

    ``is_running`` says whether the harness's process of a session is known to run; ``edited`` are
    the files that sessions edited, until a checkpoint notes them.
    """

    settings: Callable[[], Settings]
    is_running: Callable[[str, str], bool]
    edited: Mapping[SessionKey, Mapping[str, None]]

    def find(
        self, tx: ReadTx, session: SessionRef, filters: Filter, source: str, now: datetime
    ) -> Recovered | None:
        """Return where a session stood that a start continues; ``source`` may be ``lost``.

        After a compaction and for a lost conversation that is the session itself, otherwise the
        project's last one, if it was active within four hours and hasn't ended.
        """
        settings = self.settings().of(ContinuitySettings)
        if not (settings.enabled and settings.recovery_chars) or session.anonymous:
            return None
        match source:
            case "compact":
                return self._recovered(tx, session.key, filters, "compaction")
            case "lost":  # `LOST`
                return self._recovered(tx, session.key, filters, "lost")
            case "startup" | "":
                last = self._broken_off(tx, session, filters, now)
                return self._recovered(tx, last, filters, "broken_off") if last else None
            case _:
                return None

    def _broken_off(
        self, tx: ReadTx, session: SessionRef, filters: Filter, now: datetime
    ) -> SessionKey | None:
        """Return the project's last session that isn't running, if it broke off and isn't told."""
        keys = (filters.project, *filters.project_aliases)
        since = iso(now - _WITHIN)
        for last in rows.latest_sessions(tx, keys, session.agent_id, since, _NEAR):
            if last.key == session.key or self.is_running(*last.key):
                continue
            is_over = last.ended_at is not None or rows.was_told(tx, last.key, last.last_seen_at)
            return None if is_over else last.key
        return None

    def _recovered(
        self, tx: ReadTx, session: SessionKey, filters: Filter, cause: RecoveryCause
    ) -> Recovered | None:
        known = rows.session(tx, session)
        if known is None or known.project not in {filters.project, *filters.project_aliases}:
            return None
        found = rows.of_session(tx, session[1], session[0], filters.reader, 1)
        last = found[0] if found else None
        written = last.lines if last else ()
        if last is None or last.at < known.last_seen_at:
            # It went on since, or broke off before its first checkpoint.
            files = edited_files(written, self.edited.get(session, {}))
            written = digest_lines(tx, session, filters, files, DIGEST_CHARS)
        lines = lines_that_stand(tx, session, written, filters)
        if not any(each.kind in _TELLS for each in lines):
            return None
        ids = [each.memory_id for each in lines if each.memory_id]
        vouched = replace(filters, vouched=True)
        saved = {each.id: each for each in memories.select(tx, vouched, ids, len(ids))}
        wanted = TranscriptFilter(
            reader=filters.reader, projects=(filters.project, *filters.project_aliases)
        )
        own = transcripts.of_session(tx, wanted, *session)
        candidate = SessionCandidate(
            transcript=own[-1] if own else 0,
            number=known.number,
            harness=session[0],
            session_id=session[1],
            title="",
            at=known.last_seen_at,
            score=0.0,
            floor=0.0,
            shown=True,
            reason=_REASONS[cause],
        )
        in_play = tuple(each.id for each in last.focal_entities) if last else ()
        return Recovered(cause, candidate, lines, saved, in_play)


def recovery_block(
    recovered: Recovered, told: Collection[str], chars: int, fence: Fence
) -> RecoveryBlock | None:
    """Return what is told within a number of characters: whole lines; None if nothing fits.

    Memories that are ``told`` anyway are left out.
    """
    left = chars - units(recovered.heading) - 1
    texts: list[str] = []
    quotes: list[SessionLine] = []
    entries: list[ContextEntry] = []
    for line, quote in _quotes(recovered, told):
        memory = recovered.saved.get(line.memory_id or "")
        if memory is not None:
            candidate = ContextCandidate(memory, SAVED_THERE)
            text = fence.sanitize(line_of(candidate, line.text))
            entry = ContextEntry(candidate, text, 0)
        else:
            text, entry = fence.sanitize(f"- {quoted(quote)}"), None
        if units(text) + 1 > left:
            continue
        left -= units(text) + 1
        texts.append(text)
        quotes.append(quote)
        entries += [entry] if entry else []
    if not texts:
        return None
    told_of = replace(recovered.session, lines=tuple(quotes))
    return RecoveryBlock((recovered.heading, *texts), told_of, tuple(entries))


def _quotes(
    recovered: Recovered, told: Collection[str]
) -> Sequence[tuple[DigestLine, SessionLine]]:
    """Return the lines with their quotations; files are one line."""
    files = [each for each in recovered.lines if each.kind == "file"]
    found: list[tuple[DigestLine, SessionLine]] = []
    for line in recovered.lines:
        if line.kind == "file":
            if line is files[0]:
                names = ", ".join(each.text for each in files)
                found.append((line, SessionLine(names, "edited")))
        elif line.memory_id is None or (
            line.memory_id in recovered.saved and line.memory_id not in told
        ):
            found.append((line, SessionLine(line.text, _KINDS[line.kind], line.memory_id)))
    return found
