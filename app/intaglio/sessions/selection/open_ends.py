"""What the project's last session left open, by the agent's closing words."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from intaglio.base.clock import iso
from intaglio.base.text import storage_form
from intaglio.domain.reader import GLOBAL, may_read
from intaglio.fence.characters import visible
from intaglio.memory.filters import Filter
from intaglio.sessions.past_sessions.rows import page_number
from intaglio.sessions.past_sessions.speakers import may_be_told
from intaglio.sessions.selection import recent_work_rows as rows
from intaglio.sessions.values import SessionCandidate, SessionLine, SessionRef
from intaglio.store.tx import ReadTx
from intaglio.transcripts import rows as transcripts
from intaglio.transcripts.values import TranscriptFilter

REASON: Final = "It is the project's last session, and its agent said that this is open."
_WITHIN: Final = timedelta(days=14)
_SESSIONS: Final = 3
_MOST: Final = 3
_SHORTEST: Final = 8
_LONGEST: Final = 240
_MAX_LINES: Final = 400
_HEADING: Final = re.compile(
    r"\W{0,8}(?:next steps?|still (?:open|missing|to do)|"
    r"open (?:points|questions|items|ends|issues)|remaining(?: work| items)?|not (?:yet )?done|"
    r"left to do|to-?dos?|what's left|noch offen|offene punkte|nächste schritte)\b[^\n]{0,30}",
    re.IGNORECASE,
)
_BULLET: Final = re.compile(r"\s{0,8}(?:[-*\u2022]|\d{1,2}[.)])\s{1,4}(?:\[ \]\s)?(?P<text>\S.*)")


def open_ends(closing: str) -> list[str]:
    """Return what a message lists as open, at most three points; each as it is written.

    What tells agents what to do beyond a piece of work isn't told: the agent may have read it.
    """
    found: list[str] = []
    below = False
    for line in closing.splitlines()[-_MAX_LINES:]:
        bullet = _BULLET.fullmatch(line)
        if bullet is None:
            below = bool(_HEADING.fullmatch(line)) if line.strip() else below
        elif below:
            text = storage_form(visible(bullet["text"]).replace("**", ""))
            if _SHORTEST <= len(text) <= _LONGEST and may_be_told(text):
                found.append(text)
    return found[-_MOST:]


def left_open(
    tx: ReadTx, session: SessionRef, filters: Filter, now: datetime
) -> SessionCandidate | None:
    """Return the project's last session if its agent's last message lists what is open.

    Of the agent's own sessions, or those of agents whose memories it may read.
    """
    keys: Sequence[str | None] = (filters.project, *filters.project_aliases)
    last = _latest(tx, session, filters, keys)
    if last is None or last.last_seen_at < iso(now - _WITHIN):
        return None
    wanted = TranscriptFilter(reader=filters.reader, projects=tuple(keys))
    for transcript in transcripts.of_session(tx, wanted, last.harness, last.id):
        said = transcripts.last_of_agent(tx, transcript)
        points = open_ends(said.text) if said is not None else []
        if points and said is not None:
            return SessionCandidate(
                transcript=transcript,
                number=page_number(tx, last.harness, last.id),
                harness=last.harness,
                session_id=last.id,
                title="",
                at=said.said_at,
                score=0.0,
                floor=0.0,
                shown=True,
                reason=REASON,
                lines=tuple(SessionLine(point, "recap") for point in points),
            )
    return None


def _latest(
    tx: ReadTx, session: SessionRef, filters: Filter, keys: Sequence[str | None]
) -> rows.RecentSession | None:
    found = [
        each
        for key in keys
        for each in rows.sessions(tx, key, _SESSIONS)
        if (each.harness, each.id) != session.key
        and may_read(filters.reader, each.agent_id, GLOBAL)
    ]
    return max(found, key=lambda each: each.last_seen_at, default=None)
