"""A session that is switched off is told nothing, and nothing said meanwhile is ever captured."""

import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
import structlog

from fakes.sessions import HARNESS, House
from fakes.store import bench
from intaglio.base.clock import iso
from intaglio.base.errors import ForbiddenError
from intaglio.base.ids import uuid7_source
from intaglio.domain.bypass import BypassedBy
from intaglio.harness.asked_prompts import AskedPrompts
from intaglio.harness.connected_tools import ConnectedTools
from intaglio.harness.dispatch import Dispatch
from intaglio.harness.registry import harnesses
from intaglio.harness.transcript_files import TranscriptFiles
from intaglio.pauses import bypass_rows
from intaglio.pauses.bypasses import Bypasses
from intaglio.sessions.open_sessions import OpenSessions


@dataclass
class Scene:
    """A user with sessions of an agent."""

    folder: Path
    house: House
    said: int = 0

    @property
    def files(self) -> TranscriptFiles:
        return TranscriptFiles(harnesses(), lambda _: [self.folder / "projects"])

    @property
    def dispatch(self) -> Dispatch:
        house = self.house
        return Dispatch(
            harnesses=harnesses(),
            starts=house.starts,
            prompts=house.prompts,
            edits=house.edits,
            ends=house.ends,
            checkpoints=house.checkpoints,
            transcripts=self.files,
            open_sessions=OpenSessions(house.bench.db),
            tools=ConnectedTools(OpenSessions(house.bench.db), lambda _: False),
            spool=self.folder / "spool",
            log=structlog.get_logger(),
        )

    @property
    def bypasses(self) -> Bypasses:
        clock = self.house.bench.clock
        return Bypasses(self.house.bench.db, clock, uuid7_source(clock))

    async def switch(self, *, is_on: bool, session: str = "one", by: BypassedBy = "user") -> None:
        self.house.bench.clock.forward(minutes=1)
        await self.bypasses.switch([(HARNESS, session)], by, is_on=is_on)
        self.house.bench.clock.forward(minutes=1)

    def transcript(self, session: str) -> Path:
        file = self.folder / "projects" / "-p" / f"{session}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        return file

    def say(self, session: str = "one", *, copied_to: str = "") -> str:
        """Let the user decide something now; a continued session's transcript has copies."""
        self.said += 1
        name = chr(ord("a") + self.said)
        text = f"We decided to use lib{name} for the {name}parser."
        record = {
            "type": "user",
            "uuid": f"message-{self.said}",
            "sessionId": session,
            "cwd": "/p",
            "timestamp": iso(self.house.bench.clock()),
            "message": {"role": "user", "content": text},
        }
        for each in filter(None, (session, copied_to)):
            with self.transcript(each).open("a") as stream:
                stream.write(json.dumps(record) + "\n")
        return text

    async def hook(self, event: str, session: str = "one", **more: str) -> bytes:
        """Tell the daemon of an event."""
        body = {
            "hook_event_name": event,
            "session_id": session,
            "cwd": "/p",
            "transcript_path": str(self.transcript(session)),
            **more,
        }
        reply = await self.dispatch.answer(HARNESS, json.dumps(body).encode())
        await self.house.settle()
        return reply


@pytest.fixture
async def user(tmp_path: Path) -> AsyncGenerator[Scene]:
    async with bench(tmp_path) as opened:
        scene = Scene(tmp_path, House(opened))
        await scene.house.remember(
            "We keep all invoices in Postgres.", type="decision", project="/p"
        )
        await scene.hook("SessionStart", source="startup")
        yield scene


async def captured(user: Scene) -> list[str]:
    return [each for each in await user.house.contents() if "invoices" not in each]


async def test_it_is_told_nothing_while_it_is_off(user: Scene) -> None:
    prompt = "Where do we keep invoices, in Postgres?"
    await user.switch(is_on=True)
    replies = [
        await user.hook("SessionStart", source="compact"),
        await user.hook("UserPromptSubmit", prompt=prompt),
    ]
    assert not any(b"invoices in" in each for each in replies)
    assert b"invoices" in await user.hook("SessionStart", "two", source="startup")
    await user.switch(is_on=False)
    assert b"invoices in" in await user.hook("SessionStart", source="compact")


async def test_nothing_said_meanwhile_is_captured_then_or_later(user: Scene) -> None:
    before = user.say()
    await user.switch(is_on=True)
    user.say()
    await user.hook("Stop")
    assert await captured(user) == []
    await user.switch(is_on=False)
    after = user.say()
    await user.hook("Stop")
    assert sorted(await captured(user)) == sorted([before, after])


async def test_catching_up_leaves_it_alone(user: Scene) -> None:
    await user.hook("Stop")
    await user.switch(is_on=True)
    user.say()
    await user.dispatch.catch_up()
    assert await captured(user) == []
    await user.switch(is_on=False)
    await user.dispatch.catch_up()
    assert await captured(user) == []


async def test_a_session_that_continues_it_does_not_capture_what_was_said_there(
    user: Scene,
) -> None:
    await user.switch(is_on=True)
    user.say("one", copied_to="two")
    own = user.say("two")
    await user.hook("SessionStart", "two", source="resume")
    await user.hook("Stop", "two")
    assert await captured(user) == [own]


async def test_its_prompts_of_that_time_are_not_shown(user: Scene) -> None:
    before = user.say()
    await user.switch(is_on=True)
    user.say()
    house = user.house
    asked = AskedPrompts(user.files, house.bench.db, house.bench.clock)
    read = await asked.read(HARNESS, "one", str(user.transcript("one")))
    assert [each.text for each in read.prompts] == [before]


async def test_its_end_is_recorded(user: Scene) -> None:
    await user.switch(is_on=True)
    await user.hook("SessionEnd", reason="exit")
    ends = await user.house.rows("SELECT end_reason FROM sessions WHERE ended_at IS NOT NULL")
    assert ends == [("exit",)]


async def test_an_agent_ends_only_what_it_began(user: Scene) -> None:
    session = (HARNESS, "one")
    await user.switch(is_on=True, by="agent")
    await user.switch(is_on=False, by="agent")
    assert await user.house.bench.db.read(bypass_rows.all_running) == {}
    await user.switch(is_on=True, by="agent")
    await user.switch(is_on=True, by="user")
    with pytest.raises(ForbiddenError):
        await user.switch(is_on=False, by="agent")
    assert await user.house.bench.db.read(bypass_rows.all_running) == {session: "user"}
    await user.switch(is_on=True, by="agent")
    assert await user.house.bench.db.read(bypass_rows.all_running) == {session: "user"}


async def test_a_clock_set_back_meanwhile_does_not_uncover_what_was_said(user: Scene) -> None:
    await user.switch(is_on=True)
    user.say()
    user.house.bench.clock.forward(minutes=-120)
    user.say()
    await user.switch(is_on=False)
    await user.hook("Stop")
    assert await captured(user) == []


async def test_a_restored_backup_does_not_undo_it(user: Scene) -> None:
    await user.switch(is_on=True)
    known = await user.bypasses.every()
    await user.house.bench.db.write(lambda tx: tx.execute("DELETE FROM bypasses"))
    await user.bypasses.import_every(known)
    assert await user.bypasses.is_running(HARNESS, "one")
    assert known[0].span.contains(user.house.bench.clock() + timedelta(days=400))
