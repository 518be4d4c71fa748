"""Session services over a real database, with memories put in by the real ingest."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, cast

from fakes.store import Bench
from intaglio.agents.policy import reader_for
from intaglio.base.agent_yaml.roster import Roster
from intaglio.base.settings.schema import (
    HarnessSettings,
    Settings,
    SettingsByHarness,
    harness_key,
)
from intaglio.capture.transcripts import TranscriptMessage, TranscriptReading
from intaglio.domain.reader import Reader
from intaglio.fence.outgoing import Fence
from intaglio.memory.values import Actor, Source
from intaglio.pauses.service import Pauses
from intaglio.pipeline.ingest import Remember, Saved
from intaglio.sessions.paused_injections import PausedInjections
from intaglio.sessions.prompt import PromptContexts, PromptInput
from intaglio.sessions.session_end import SessionEnds
from intaglio.sessions.session_start import SessionStarts
from intaglio.sessions.values import CaptureResult, InjectedContext, SessionRef, SessionServices
from intaglio.store.tx import Row

PROJECT = "/work/shop"
HARNESS = "claude-code"


async def _same(project: str | None) -> str | None:
    return project


@dataclass
class House:
    """All session services, and shortcuts for what tests say."""

    bench: Bench
    settings: Settings = field(default_factory=Settings)
    roster: Roster = ()
    fence: Fence = field(default_factory=Fence)
    writes: list[Awaitable[None]] = field(default_factory=list[Awaitable[None]])
    unwritten: PausedInjections = field(default_factory=PausedInjections)

    @property
    def needs(self) -> SessionServices:
        return SessionServices(
            db=self.bench.db,
            clock=self.bench.clock,
            settings=lambda: self.settings,
            context=self.bench.context,
            frozen=lambda: self.bench.frozen,
            in_thread=asyncio.to_thread,
            recall=self.bench.recall.recall,
            recall_words=self.bench.recall.recall,
            project_key=_same,
            readable=self.readable,
            reader=self.readable,
            in_background=self.writes.append,
            settled=self.settle,
            local=lambda moment: moment.astimezone(UTC),
            fence=self.fence,
            seconds=lambda: 0.0,
            paused_injections=self.unwritten,
        )

    @property
    def pauses(self) -> Pauses:
        stamp = self.bench.context
        return Pauses(self.bench.db, self.bench.clock, stamp.new_id, self.needs.local)

    @property
    def ends(self) -> SessionEnds:
        return SessionEnds(self.needs)

    async def readable(self, agent_id: str) -> Reader:
        """Return what an agent reads."""
        return await self.bench.db.read(lambda tx: reader_for(tx, self.roster, agent_id))

    async def settle(self) -> None:
        """Wait for what was written unawaited."""
        waiting, self.writes[:] = list(self.writes), []
        await asyncio.gather(*waiting)

    async def remember(self, content: str, **given: object) -> str:
        """Put a memory in; it is of the test's project unless told otherwise."""
        command = Remember(content=content, actor=Actor("test"), project=PROJECT)
        kept = await self.bench.ingest.remember(replace(command, **cast("dict[str, Any]", given)))
        assert isinstance(kept, Saved)
        return kept.id

    async def start(self, session: SessionRef, source: str = "startup") -> InjectedContext:
        shown = await SessionStarts(self.needs).show(session, source)
        await self.settle()
        return shown

    async def prompt(
        self, session: SessionRef, text: str, *, by_user: bool = True
    ) -> InjectedContext:
        shown = await PromptContexts(self.needs).show(session, PromptInput(text, by_user=by_user))
        await self.settle()
        return shown

    async def say(self, session: SessionRef, *texts: str, position: str = "100") -> CaptureResult:
        """End a turn in which the user said these messages."""
        messages = tuple(said(text, number) for number, text in enumerate(texts))
        return await self.ends.turn_end(session, TranscriptReading(messages, position))

    async def rows(self, sql: str) -> list[Row]:
        return await self.bench.db.read(lambda tx: tx.all(sql))

    async def contents(self) -> list[str]:
        found = await self.rows("SELECT content FROM memories WHERE is_deleted = 0 ORDER BY seq")
        return [str(row[0]) for row in found]


def said(text: str, number: int = 0) -> TranscriptMessage:
    return TranscriptMessage(
        f"message-{number}", "user", text, datetime(2026, 1, 30, 9, number, tzinfo=UTC)
    )


def session(name: str = "s1", **given: object) -> SessionRef:
    ref = SessionRef(harness=HARNESS, id=name, project=PROJECT, transcript=f"/t/{name}.jsonl")
    return replace(ref, **cast("dict[str, Any]", given))


def source(identity: str) -> Source:
    return Source("manual", identity)


def of_harness(**given: int | bool) -> Settings:
    """Return settings that say this of the tests' own harness."""
    own = HarnessSettings(**cast("dict[str, Any]", given))
    return Settings(harness=SettingsByHarness(((harness_key(HARNESS), own),)))
