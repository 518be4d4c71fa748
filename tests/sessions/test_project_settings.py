"""What is set for a single project: whether it is captured, what it is told, who may read it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from fakes.sessions import PROJECT, House, of_harness, said, session
from intaglio.base.clock import iso
from intaglio.capture.settings import CaptureSettings
from intaglio.capture.transcripts import HarnessTitle, TranscriptReading, TurnReport
from intaglio.memory.values import Actor
from intaglio.pipeline.ingest import Remember, Saved
from intaglio.projects import settings_rows
from intaglio.projects.settings import CAPTURE, TOLD, VISIBILITY
from intaglio.sessions.prompt import PromptInput

SAID = "From now on, always run the linter before you commit."
ASKED = "Where does the lantern server listen, on which port?"


async def choose(house: House, key: str, value: bool | str, project: str = PROJECT) -> None:
    await house.bench.db.write(lambda tx: settings_rows.put(tx, project, key, value))


async def reasons(house: House) -> list[str]:
    found = await house.rows("SELECT DISTINCT reason FROM session_memories WHERE injected = 0")
    return [str(reason) for (reason,) in found]


async def fill(house: House) -> None:
    await house.remember("critical: Never deploy on Fridays.")
    await house.remember("The lantern server listens on port 8081.")


async def test_nothing_said_in_a_project_without_capture_is_kept(house: House) -> None:
    await choose(house, CAPTURE, value=False)
    result = await house.say(session(), SAID)
    assert (result.saved, result.suggested) == (0, 0)
    assert await house.contents() == []
    assert await house.rows("SELECT * FROM statements") == []
    assert await house.rows("SELECT * FROM transcript_messages") == []
    await house.say(session("s2", project="/work/other"), SAID)
    assert len(await house.contents()) == 1


async def test_what_was_said_before_capture_is_switched_on_stays_out(house: House) -> None:
    await choose(house, CAPTURE, value=False)
    await house.say(session(), SAID)
    await choose(house, CAPTURE, value=True)
    assert await house.ends.position(session()) == "100"


async def test_the_words_of_a_prompt_are_not_kept_where_nothing_is(house: House) -> None:
    await fill(house)
    await choose(house, CAPTURE, value=False)
    assert "8081" in (await house.prompt(session(), ASKED)).text
    await house.prompt(session("s2", project="/work/other"), ASKED)
    await house.settle()
    found = await house.rows("SELECT project, terms IS NULL FROM injections ORDER BY seq")
    assert found == [(PROJECT, 1), ("/work/other", 0)]


async def test_what_was_said_while_capture_was_off_stays_out_however_late_it_is_read(
    house: House,
) -> None:
    await house.start(session())
    await house.settle()
    at = datetime(2026, 1, 30, 9, 30, tzinfo=UTC)
    await house.bench.db.write(lambda tx: settings_rows.switch_on(tx, PROJECT, iso(at)))
    rules = ("Never use tabs in Go files.", SAID)
    messages = [replace(said(text, number), time=None) for number, text in enumerate(rules)]
    # Without a time, it may have been said at any time since the last reading.
    since = TurnReport(at - timedelta(minutes=1))
    await house.ends.turn_end(session(), TranscriptReading(tuple(messages), "10"), since)
    assert await house.contents() == []
    timed = [
        replace(each, message_id=f"timed-{number}", time=at + timedelta(minutes=number - 1))
        for number, each in enumerate(messages)
    ]
    await house.ends.turn_end(session(), TranscriptReading(tuple(timed), "20"), since)
    assert len(await house.contents()) == 1
    assert await house.rows("SELECT count(*) FROM transcript_messages") == [(1,)]


async def test_a_session_that_was_elsewhere_too_gets_no_title_of_what_was_said_there(
    house: House,
) -> None:
    titled = HarnessTitle("The layoffs of March", by_user=False, session="s1")
    await house.start(session())
    await house.settle()
    await house.say(session(), SAID)
    await choose(house, CAPTURE, value=False, project="/work/secret")
    elsewhere = session(project="/work/secret")
    reading = TranscriptReading((), "200", title=titled)
    await house.ends.turn_end(elsewhere, reading)
    assert await house.rows("SELECT title FROM transcripts") == [("",)]
    await house.ends.turn_end(session(), reading)
    assert await house.rows("SELECT title FROM transcripts") == [(titled.text,)]


async def test_a_projects_own_capture_holds_where_the_harness_has_none(house: House) -> None:
    house.settings = of_harness(capture=False)
    await choose(house, CAPTURE, value=True)
    await house.say(session(), SAID)
    await house.say(session("s2", project="/work/other"), SAID)
    assert len(await house.rows("SELECT * FROM statements")) == 1


async def test_no_reminder_is_sent_where_nothing_is_captured(house: House) -> None:
    prompt = PromptInput(SAID, has_tools=True)
    assert (await house.prompts.show(session(), prompt)).own_line
    await choose(house, CAPTURE, value=False)
    assert not (await house.prompts.show(session(), prompt)).own_line
    assert not (await house.starts.show(session(), "startup", has_tools=True)).own_line


async def test_a_project_that_is_told_nothing_gets_empty_replies(house: House) -> None:
    await fill(house)
    await choose(house, TOLD, "nothing")
    started = await house.starts.show(session(), "startup", has_tools=True)
    assert started.whole == ""
    asked = await house.prompts.show(session(), PromptInput(ASKED, has_tools=True))
    assert asked.whole == ""
    await house.settle()
    # The session is on record all the same.
    assert await house.rows("SELECT project, injected FROM injections") == [(PROJECT, 0)]
    contract = await house.starts.show_contract(session("s2"))
    assert "lantern" not in contract.text
    other = await house.start(session("s3", project="/work/other"))
    assert other.text == ""


async def test_a_project_can_be_told_only_what_is_always_told(house: House) -> None:
    await fill(house)
    await choose(house, TOLD, "constraints")
    started = await house.start(session())
    assert "Fridays" in started.text
    assert "8081" not in started.text
    asked = await house.prompt(session(), ASKED)
    assert asked.text == ""
    assert "this project is only told what is always told" in await reasons(house)
    await choose(house, TOLD, "everything")
    assert "8081" in (await house.prompt(session("s2"), ASKED)).text


async def visibilities(house: House) -> list[tuple[str, str]]:
    found = await house.rows("SELECT agent_id, visibility FROM memories ORDER BY seq")
    return [(str(agent), str(visibility)) for agent, visibility in found]


async def test_what_is_captured_or_saved_gets_the_projects_visibility(house: House) -> None:
    await choose(house, VISIBILITY, "private")
    await house.say(session(agent_id="ann"), SAID)
    await house.remember("The lantern server listens on port 8081.", agent_id="ann")
    await house.remember("The port is 8082 in tests.", agent_id="ann", visibility="global")
    await house.remember("Everybody uses tabs.", agent_id="ann", project=None)
    kept = ["private", "private", "global", "global"]
    assert await visibilities(house) == [("ann", each) for each in kept]


async def test_what_is_known_to_all_agents_is_not_stored_again_for_one(house: House) -> None:
    content = "The lantern server listens on port 8081."
    first = await house.remember(content)
    await choose(house, VISIBILITY, "private")
    again = await house.bench.ingest.remember(
        Remember(content=content, actor=Actor("test"), project=PROJECT)
    )
    assert not isinstance(again, Saved)
    assert [first] == [row[0] for row in await house.rows("SELECT id FROM memories")]


async def test_a_suggestion_is_as_visible_as_its_memory_would_be(house: House) -> None:
    await choose(house, VISIBILITY, "private")
    house.settings = house.settings.having(CaptureSettings(keep_at=1, suggest_at=0.2))
    await house.say(session(), SAID)
    assert await house.rows("SELECT visibility FROM inbox_items") == [("private",)]
