"""Stores what was said in a session, in short transactions; what is stored already is left out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Final

from intaglio.base.clock import Clock, iso
from intaglio.base.errors import writes_frozen
from intaglio.base.process.threads import RunInThread
from intaglio.base.settings.values import Settings
from intaglio.base.text import clip, storage_form
from intaglio.fence.characters import visible
from intaglio.memory.settings import MemorySettings
from intaglio.store.batches import in_batches
from intaglio.store.database import Database
from intaglio.store.settings import RetentionSettings
from intaglio.store.tx import WriteTx
from intaglio.transcripts import rows, title_rows
from intaglio.transcripts.preparation import prepare, stored_text
from intaglio.transcripts.settings import TranscriptSettings
from intaglio.transcripts.values import NewMessage, SaidMessage, SessionOwner, TranscriptSize
from intaglio.transcripts.vectors.job_types import queue_transcript

MAX_SESSION_CHARS: Final = 400_000
MAX_SESSION_MESSAGES: Final = 2_000
"""Of a session, so much is stored; then its oldest messages give way, the agent's first."""
MAX_TITLE_CHARS: Final = 120
_TITLE_READ: Final = 1_000
# A known text is bound without looking for secrets once more; the database knows that many.
_AT_ONCE: Final = 40
_DROPPED_AT_ONCE: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptRecorder:
    """Stores the messages of sessions, unless the settings say otherwise."""

    db: Database
    clock: Clock
    settings: Callable[[], Settings]
    in_thread: RunInThread

    async def record(self, owner: SessionOwner, messages: Sequence[SaidMessage]) -> int:
        """Store messages of both sides, in order; return how many were new.

        Those that are older than what is kept aren't stored. Raises UnavailableError if nothing
        can be stored now.
        """
        settings, now, added = self.settings(), self.clock(), 0
        if not settings.of(TranscriptSettings).enabled or not messages:
            return 0
        if settings.of(MemorySettings).frozen:
            raise writes_frozen()
        days = settings.of(RetentionSettings).transcript_days
        oldest = iso(now - timedelta(days=days)) if days else ""
        for start in range(0, len(messages), _AT_ONCE):
            some = messages[start : start + _AT_ONCE]
            ready = await self.in_thread(partial(prepare, some, now, self.db.as_stored))
            recent = [each for each in ready if each.said_at >= oldest]
            added += sum(await in_batches(self.db, recent, partial(_add, owner=owner)))
        if added:
            await self._make_room(owner)
            await self.db.write(lambda tx: _queue_vectors(tx, owner, iso(now)))
        return added

    async def record_title(self, owner: SessionOwner, title: str, *, by_user: bool) -> None:
        """Store the title that a harness gave a session, unless the settings say otherwise."""
        settings = self.settings()
        if not settings.of(TranscriptSettings).enabled or settings.of(MemorySettings).frozen:
            return
        stored = stored_text(title[:_TITLE_READ], self.db.as_stored)
        shown = clip(storage_form(visible(stored)), MAX_TITLE_CHARS)
        if shown:
            await self.db.write(lambda tx: title_rows.set_title(tx, owner, shown, by_user=by_user))

    async def _make_room(self, owner: SessionOwner) -> None:
        """Remove a session's oldest messages beyond what is stored of one."""
        while True:
            drop = await self.db.read(
                lambda tx: [
                    number
                    for transcript, size in rows.sizes_of_session(tx, owner).items()
                    if not _fits(size)
                    for number in _surplus(rows.oldest(tx, transcript, _DROPPED_AT_ONCE), size)
                ]
            )
            if not drop:
                return
            await in_batches(self.db, drop, rows.remove_text)


def _queue_vectors(tx: WriteTx, owner: SessionOwner, at: str) -> None:
    for transcript in rows.sizes_of_session(tx, owner):
        queue_transcript(tx, transcript, at)


def _add(tx: WriteTx, message: NewMessage, owner: SessionOwner) -> int:
    return rows.add(tx, owner, [message])


def _fits(size: TranscriptSize) -> bool:
    return size.characters <= MAX_SESSION_CHARS and size.messages <= MAX_SESSION_MESSAGES


def _surplus(oldest: Sequence[tuple[int, int]], size: TranscriptSize) -> list[int]:
    """Return as many of the oldest messages (row and length) as have to go."""
    drop, left = list[int](), size
    for number, characters in oldest:
        if _fits(left):
            break
        drop.append(number)
        left = TranscriptSize(left.messages - 1, left.characters - characters)
    return drop
