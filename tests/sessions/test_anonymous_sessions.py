"""Sessions that their harness does not name: each is taken for a new one, and they stay few."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from fakes.sessions import PROJECT, House, session
from intaglio.sessions.prompt import PromptInput
from intaglio.sessions.values import anonymous_session_id

NOW = datetime(2026, 1, 31, 8, tzinfo=UTC)
DECISION = "We decided to use Postgres for the billing ledger."
UNNAMED = session(anonymous_session_id("default", PROJECT, NOW), anonymous=True, transcript=None)


async def test_each_start_is_shown_the_memories(house: House) -> None:
    await house.remember(DECISION, type="decision")
    for _ in range(2):
        shown = await house.starts.show_contract(UNNAMED)
        await house.settle()
        assert DECISION in shown.text


async def test_each_prompt_is_shown_what_answers_it(house: House) -> None:
    await house.remember(DECISION, type="decision")
    for _ in range(2):
        prompt = PromptInput("Which database holds the billing ledger?")
        shown = await house.prompts.show_contract(UNNAMED, prompt)
        await house.settle()
        assert DECISION in shown.text


async def test_a_day_leaves_one_session_and_its_ledger(house: House) -> None:
    for _ in range(3):
        await house.starts.show_contract(UNNAMED)
        await house.settle()
    assert await house.rows("SELECT count(*) FROM sessions") == [(1,)]
    assert await house.rows("SELECT count(*) FROM injections") == [(3,)]


@given(st.text(max_size=4), st.text(max_size=4), st.text(max_size=4))
def test_an_agent_and_a_project_have_one_id_a_day(agent: str, project: str, other: str) -> None:
    one = anonymous_session_id(agent, project, NOW)
    assert one == anonymous_session_id(agent, project, NOW.replace(hour=23))
    assert one != anonymous_session_id(agent, project, NOW.replace(day=30))
    assert (one == anonymous_session_id(agent, other, NOW)) == (project == other)
