"""The line that the person sees at a session's start."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest

from fakes.sessions import PROJECT, House, of_harness, session
from fakes.store import bench
from intaglio.base.installation import command
from intaglio.capture.transcripts import TranscriptMessage, TranscriptReading
from intaglio.domain.issues import Issue, IssueLevel
from intaglio.harness.start_notice import StartNotice, start_notice
from intaglio.projects.values import ProjectNotice

DECISION = "We decided to use Postgres for the billing ledger."


@pytest.fixture
async def house(tmp_path: Path) -> AsyncGenerator[House]:
    async with bench(tmp_path) as opened:
        yield House(opened)


async def notice(house: House, name: str = "s1", source: str = "startup", **given: object) -> str:
    ref = session(name, **given)
    shown = await house.start(ref, source)
    return await start_notice(house.context, ref, source, shown)


async def decide(house: House, name: str) -> None:
    """End a turn of a session in which the user has just decided something."""
    line = TranscriptMessage(f"message-{name}", "user", DECISION, house.bench.clock())
    await house.ends.turn_end(session(name), TranscriptReading((line,), "100"))


async def test_without_memories_there_is_no_start_notice(house: House) -> None:
    assert await notice(house) == ""


async def test_the_memories_of_a_session_are_counted_without_new_ones_in_the_first(
    house: House,
) -> None:
    await house.remember("Never push to main.")
    assert await notice(house) == "Intaglio: 1 memory for shop"


async def test_memories_since_the_previous_session_count_as_new(house: House) -> None:
    await house.remember("Never push to main.")
    await house.start(session("s1"))
    house.bench.clock.forward(minutes=1)
    await decide(house, "s1")
    house.bench.clock.forward(minutes=1)
    assert await notice(house, "s2") == "Intaglio: 2 memories for shop, 1 new"
    house.bench.clock.forward(minutes=1)
    assert await notice(house, "s3") == "Intaglio: 2 memories for shop"


async def test_a_resumed_session_counts_the_memories_it_has(house: House) -> None:
    await house.remember("Never push to main.")
    await house.start(session("s1"))
    house.bench.clock.forward(minutes=1)
    await decide(house, "s1")
    said = await notice(house, "s1", "resume")
    assert said == "Intaglio: 2 memories for shop, 1 new"


@pytest.mark.parametrize("source", ["clear", "compact", "fork", ""])
async def test_the_start_notice_appears_on_startup_and_resume_only(
    house: House, source: str
) -> None:
    await house.remember("Never push to main.")
    assert await notice(house, "s1", source) == ""


async def test_the_start_notice_can_be_switched_off(house: House) -> None:
    await house.remember("Never push to main.")
    house.settings = of_harness(start_message=False)
    assert await notice(house) == ""


async def test_the_start_notice_names_a_missing_project(house: House) -> None:
    await house.remember("Never push to main.", project=None)
    assert await notice(house, project=None) == "Intaglio: 1 memory for all projects"


async def test_a_pause_is_mentioned(house: House) -> None:
    await house.remember("Never push to main.")
    await house.pauses.pause(None, "test")
    assert await notice(house) == "Intaglio: 1 memory for shop; capture is paused"


def issue(level: IssueLevel, title: str) -> Issue:
    return Issue(title, level, title, "Do something.")


async def trouble(house: House, *issues: Issue, source: str = "startup") -> str:
    ref = session("s1")
    return await start_notice(house.context, ref, source, await house.start(ref, source), issues)


async def test_a_danger_is_named_with_the_command_that_says_what_to_do(house: House) -> None:
    what = f"What to do: {command('doctor')}"
    full = issue("danger", "The <b>disk</b> is full")
    assert await trouble(house, full) == f"Intaglio: The bdisk/b is full. {what}"
    await house.remember("Never push to main.")
    said = await trouble(house, full, issue("danger", "Nothing can be saved"))
    assert said == f"Intaglio: 1 memory for shop. The bdisk/b is full (and 1 more). {what}"


async def test_what_is_no_danger_is_not_in_the_start_notice(house: House) -> None:
    assert await trouble(house, issue("warn", "Backup is overdue")) == ""
    assert await trouble(house, issue("danger", "Disk full"), source="compact") == ""


async def test_a_subagent_shows_nothing(house: House) -> None:
    await house.remember("Never push to main.")
    assert await notice(house, subagent=True) == ""


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("\x1b[31mred\nsecond\u202e", "red second"),
        ("<system-reminder>`x`", "system-reminderx"),
        ("<>", "all projects"),
        ("n" * 300, "n" * 59 + "…"),
    ],
)
def test_a_projects_name_is_cleaned_and_shortened(name: str, shown: str) -> None:
    said = StartNotice(memories=1_200, new=3, project=f"{PROJECT}/{name}")
    assert said.line == f"Intaglio: 1,200 memories for {shown}, 3 new"
    assert replace(said, memories=0).line == ""


async def test_a_path_in_the_line_cannot_look_like_markup_or_another_command(house: House) -> None:
    hostile = "/work/<b>x</b>`; rm -rf ~"
    ref = session("s1")
    arrival = ProjectNotice(outcome="offered", key="/work/new", former=hostile, memories=2)
    shown = replace(await house.start(ref, "startup"), arrival=arrival)
    moved = command("projects move '/work/bx/b; rm -rf ~' /work/new")
    assert (await start_notice(house.context, ref, "startup", shown)).endswith(
        "This project may have moved from /work/bx/b; rm -rf ~, which has 2 memories. "
        f"To take them along: {moved}"
    )


@pytest.mark.parametrize(("count", "what"), [(0, "settings"), (1, "1 memory"), (2, "2 memories")])
async def test_a_move_is_told_with_a_short_command_that_undoes_it(
    house: House, count: int, what: str
) -> None:
    ref = session("s1")
    arrival = ProjectNotice(
        outcome="moved", key="/new", former="/old", memories=count,
        change_id="01a22176-8f78-73b4-9c11-5d0c3e7fa210",
    )  # fmt: skip
    shown = replace(await house.start(ref, "startup"), arrival=arrival)
    assert await start_notice(house.context, ref, "startup", shown) == (
        f"Intaglio: This project has moved from /old: its {what} came along. "
        f"Undo: {command('projects undo 3e7fa210')}"
    )
