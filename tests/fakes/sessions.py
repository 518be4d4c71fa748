"""Session services over a real database, with memories put in by the real ingest."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, cast

from fakes.store import Bench
from intaglio.agents.policy import readable
from intaglio.base.agent_yaml.roster import Roster
from intaglio.base.agents.reader import Reader
from intaglio.base.settings.values import (
    HarnessSettings,
    Settings,
    SettingsByHarness,
    key_of_harness,
)
from intaglio.memory.values import Actor, Source
from intaglio.pipeline.ingest import Kept, Remember
from intaglio.sessions.end import Ends
from intaglio.sessions.pauses.pause import Pauses
from intaglio.sessions.pauses.unwritten import Unwritten
from intaglio.sessions.prompt import Prompted, Prompts
from intaglio.sessions.start import Starts
from intaglio.sessions.values import Batch, Captured, Needs, Said, SessionRef, Shown
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
    writes: list[Awaitable[None]] = field(default_factory=list[Awaitable[None]])
    unwritten: Unwritten = field(default_factory=Unwritten)

    @property
    def needs(self) -> Needs:
        return Needs(
            db=self.bench.db,
            clock=self.bench.clock,
            settings=lambda: self.settings,
            remember=self.bench.ingest.remember,
            recall=self.bench.recall.recall,
            project_key=_same,
            readable=self.readable,
            later=self.writes.append,
            settled=self.settle,
            local=lambda moment: moment.astimezone(UTC),
            seconds=lambda: 0.0,
            unwritten=self.unwritten,
        )

    @property
    def pauses(self) -> Pauses:
        stamp = self.bench.stamp
        return Pauses(self.bench.db, self.bench.clock, stamp.new_id, self.needs.local)

    @property
    def ends(self) -> Ends:
        return Ends(self.needs)

    async def readable(self, agent_id: str) -> Reader:
        """Return what an agent reads."""
        return await self.bench.db.read(lambda tx: readable(tx, self.roster, agent_id))

    async def settle(self) -> None:
        """Wait for what was written unawaited."""
        waiting, self.writes[:] = list(self.writes), []
        await asyncio.gather(*waiting)

    async def remember(self, content: str, **given: object) -> str:
        """Put a memory in; it is of the test's project unless told otherwise."""
        command = Remember(content=content, actor=Actor("test"), project=PROJECT)
        kept = await self.bench.ingest.remember(replace(command, **cast("dict[str, Any]", given)))
        assert isinstance(kept, Kept)
        return kept.id

    async def start(self, session: SessionRef, source: str = "startup") -> Shown:
        shown = await Starts(self.needs).show(session, source)
        await self.settle()
        return shown

    async def prompt(self, session: SessionRef, text: str, *, by_user: bool = True) -> Shown:
        shown = await Prompts(self.needs).show(session, Prompted(text, by_user=by_user))
        await self.settle()
        return shown

    async def say(self, session: SessionRef, *texts: str, offset: int = 100) -> Captured:
        """End a turn in which the user said these messages."""
        messages = tuple(said(text, number) for number, text in enumerate(texts))
        return await self.ends.turn_end(session, Batch(messages, offset))

    async def rows(self, sql: str) -> list[Row]:
        return await self.bench.db.read(lambda tx: tx.all(sql))

    async def contents(self) -> list[str]:
        found = await self.rows("SELECT content FROM memories WHERE is_deleted = 0 ORDER BY seq")
        return [str(row[0]) for row in found]


def said(text: str, number: int = 0) -> Said:
    return Said(f"message-{number}", "user", text, datetime(2026, 1, 30, 9, number, tzinfo=UTC))


def session(name: str = "s1", **given: object) -> SessionRef:
    ref = SessionRef(harness=HARNESS, id=name, project=PROJECT, transcript=f"/t/{name}.jsonl")
    return replace(ref, **cast("dict[str, Any]", given))


def source(identity: str) -> Source:
    return Source("manual", identity)


def of_harness(**given: int | bool) -> Settings:
    """Return settings that say this of the tests' own harness."""
    own = HarnessSettings(**cast("dict[str, Any]", given))
    return Settings(harness=SettingsByHarness(((key_of_harness(HARNESS), own),)))
