"""Compactions, edits and ends of a harness's sessions become checkpoints."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from fakes.sessions import HARNESS, House
from fakes.store import bench
from harness.test_dispatch import Desk
from intaglio.domain.reader import USER
from intaglio.projects import settings_rows
from intaglio.projects.settings import CAPTURE
from intaglio.sessions.continuity.values import Checkpoint
from intaglio.sessions.continuity.wording import GUIDELINES

ASKED = "Please move the invoice cache from Redis to SQLite."


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncGenerator[Desk]:
    async with bench(tmp_path) as opened:
        yield Desk(House(opened), tmp_path)


async def work(desk: Desk) -> None:
    await report(desk, "SessionStart", source="startup")
    await report(desk, "UserPromptSubmit", prompt=ASKED)
    desk.say("s", ASKED)
    await report(desk, "Stop")
    edited = {"file_path": "/p/app/cache.py"}
    await report(desk, "PostToolUse", tool_name="Edit", tool_input=edited)


async def report(desk: Desk, event: str, **more: object) -> bytes:
    reply = await desk.dispatch.answer(HARNESS, desk.payload(event, "s", **more))
    await desk.house.settle()
    return reply


async def checkpoints(desk: Desk) -> list[Checkpoint]:
    return await desk.house.checkpoints.list_for_session("s", USER)


async def test_before_a_compaction_one_is_written_and_the_summary_is_asked_to_keep_rules(
    desk: Desk,
) -> None:
    await work(desk)
    assert (await report(desk, "PreCompact", trigger="auto")).decode() == GUIDELINES
    (found,) = await checkpoints(desk)
    assert (found.trigger, found.prompts) == ("pre_compaction", 1)
    assert found.digest == f"The user asked: {ASKED}\nEdited: app/cache.py"


async def test_after_a_compaction_the_clients_summary_is_kept_and_the_start_says_where_it_stood(
    desk: Desk,
) -> None:
    await work(desk)
    await report(desk, "PreCompact")
    told = (await report(desk, "SessionStart", source="compact")).decode()
    await report(desk, "PostCompact", compact_summary="The cache is in SQLite now.")
    assert "Where this session stood" in told
    found = (await checkpoints(desk))[0]
    assert (found.trigger, found.summary) == ("compaction", "The cache is in SQLite now.")
    assert await desk.house.contents() == []


@pytest.mark.parametrize(("reason", "written"), [("other", 1), ("clear", 0)])
async def test_the_end_is_noted_unless_the_user_clears(
    desk: Desk, reason: str, written: int
) -> None:
    await work(desk)
    await report(desk, "SessionEnd", reason=reason)
    assert [each.trigger for each in await checkpoints(desk)] == ["session_end"] * written


async def test_a_subagents_compaction_is_none(desk: Desk) -> None:
    await work(desk)
    assert await report(desk, "PreCompact", agent_id="a-1") == b""
    assert await checkpoints(desk) == []


async def test_a_resumed_session_is_told_where_it_stood_only_if_its_transcript_is_gone(
    desk: Desk,
) -> None:
    await work(desk)
    await report(desk, "PreCompact")
    elsewhere = str(desk.folder / "projects" / "-q" / "s.jsonl")
    told = await report(desk, "SessionStart", source="resume", transcript_path=elsewhere)
    assert b"Where this session stood" not in told
    desk.transcript("s").unlink()
    told = await report(desk, "SessionStart", source="resume", transcript_path=elsewhere)
    assert b"Where this session stood" in told


async def test_a_project_without_capture_has_none(desk: Desk) -> None:
    await desk.house.bench.db.write(lambda tx: settings_rows.put(tx, "/p", CAPTURE, value=False))
    await work(desk)
    await report(desk, "PreCompact")
    assert await checkpoints(desk) == []
