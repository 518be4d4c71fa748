"""Sessions that were talked in, stored by the real recorder."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from fakes.store import Bench
from intaglio.base.settings.values import Settings
from intaglio.domain.reader import USER
from intaglio.transcripts import past_sessions
from intaglio.transcripts.past_sessions import PastSessions, SessionQuestion
from intaglio.transcripts.recorder import TranscriptRecorder
from intaglio.transcripts.values import (
    PastSession,
    SaidMessage,
    SessionOwner,
    TranscriptFilter,
)

HARNESS = "claude-code"
SHOP = "/work/shop"
OWNER = SessionOwner(HARNESS, "s1", "default")
ALL = TranscriptFilter(reader=USER)


def spoken(
    message_id: str, text: str, said_at: datetime | None = None, **given: str | None
) -> SaidMessage:
    """Return a message of the user, unless told otherwise."""
    message = SaidMessage(
        message_id=message_id, role="user", text=text, said_at=said_at, project=SHOP
    )
    return replace(message, **given)  # type: ignore[arg-type]  # the fields come from tests


@dataclass
class Talks:
    """Stores sessions and searches them."""

    bench: Bench
    settings: Settings = field(default_factory=Settings)
    past: PastSessions = field(default_factory=PastSessions)
    _numbers: int = 0

    @property
    def recorder(self) -> TranscriptRecorder:
        return TranscriptRecorder(
            db=self.bench.db,
            clock=self.bench.clock,
            settings=lambda: self.settings,
            in_thread=asyncio.to_thread,
        )

    async def record(self, *messages: SaidMessage, owner: SessionOwner = OWNER) -> int:
        return await self.recorder.record(owner, messages)

    async def talk(
        self, session: str, *texts: str, project: str | None = SHOP, agent_id: str = "default"
    ) -> int:
        """Store a session in which user and agent take turns."""
        messages = list[SaidMessage]()
        for number, text in enumerate(texts):
            self._numbers += 1
            said_at = self.bench.clock() - timedelta(hours=1) + timedelta(minutes=number)
            messages.append(
                SaidMessage(
                    message_id=f"talk{self._numbers}",
                    role="agent" if number % 2 else "user",
                    text=text,
                    said_at=said_at,
                    project=project,
                )
            )
        return await self.recorder.record(SessionOwner(HARNESS, session, agent_id), messages)

    async def search(
        self, text: str, wanted: TranscriptFilter = ALL, limit: int = 10, more: str = ""
    ) -> tuple[PastSession, ...]:
        question = SessionQuestion(text, more)
        found = await self.bench.db.read(lambda tx: self.past.search(tx, question, wanted, limit))
        return found.sessions

    async def found(self, text: str, wanted: TranscriptFilter = ALL) -> list[str]:
        """Return the ids of the sessions that match, best first."""
        return [each.session_id for each in await self.search(text, wanted)]

    async def texts(self, session: str = "s1", wanted: TranscriptFilter = ALL) -> list[str]:
        """Return what was said in a session, as it is stored."""
        found = await self.bench.db.read(
            lambda tx: past_sessions.session_messages(tx, wanted, HARNESS, session)
        )
        return [each.text for each in found]

    async def index_is_sound(self) -> bool:
        """Have FTS5 compare the index with the messages."""
        check = "INSERT INTO transcripts_fts(transcripts_fts, rank) VALUES ('integrity-check', 1)"
        await self.bench.db.write(lambda tx: tx.execute(check))
        return True

    async def totals(self) -> Sequence[int]:
        """Return how many sessions, messages and characters are stored."""
        counted = (
            "SELECT count(*), ifnull(sum(messages), 0), ifnull(sum(characters), 0) FROM transcripts"
        )
        return await self.bench.db.read(lambda tx: tx.row(tuple[int, int, int], counted)) or ()
