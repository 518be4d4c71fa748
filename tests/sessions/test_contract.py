"""The shapes that clients of the contract receive."""

from fakes.sessions import House, session
from intaglio.base.settings.values import Settings
from intaglio.memory.values import AGENT_SOURCE
from intaglio.sessions.context import UNSETTLED, units
from intaglio.sessions.prompt import PromptInput
from intaglio.sessions.settings import HookSettings
from intaglio.sessions.values import InjectedContext, SessionRef

DATE = "# Current Date & Time\nSaturday, January 31, 2026 at 8:00 AM (UTC)"


async def _start(house: House, ref: SessionRef) -> InjectedContext:
    shown = await house.starts.show_contract(ref)
    await house.settle()
    return shown


async def _prompt(house: House, ref: SessionRef, text: str) -> InjectedContext:
    shown = await house.prompts.show_contract(ref, PromptInput(text))
    await house.settle()
    return shown


async def test_the_start_begins_with_the_status_line_and_the_date(house: House) -> None:
    text = (await _start(house, session())).text
    assert text == f"[memory active | /remember | /recall]\n\n{DATE}"


async def test_a_second_start_tells_nothing_again_however_soon_it_comes(house: House) -> None:
    await house.remember("Never push to main.", type="rule")
    await house.starts.show_contract(session())
    assert (await house.starts.show_contract(session())).memories == ()


async def test_memories_follow_and_constraints_come_last(house: House) -> None:
    await house.remember("[db,billing]: We decided to use PostgreSQL.", type="decision")
    await house.remember("Never push to main.", type="rule")
    shown = await _start(house, session())
    lines = shown.text.splitlines()
    assert "- We decided to use PostgreSQL. [db, billing] (Jan 31, 2026)" in lines
    assert lines.index("## Relevant Memories") < lines.index("## Active Constraints")
    assert "- Never push to main. (Jan 31, 2026)" in lines
    assert len(shown.memories) == 2


async def test_lines_have_the_order_and_the_marks_of_our_own_start(house: House) -> None:
    for text, kind, pinned in (
        ("I prefer small pull requests.", "preference", False),
        ("We decided to use PostgreSQL.", "decision", False),
        ("Never push to main.", "rule", False),
        ("Sign every commit.", "rule", True),
    ):
        await house.remember(text, type=kind, pinned=pinned)
    noted = await house.remember("The build takes nine minutes.", type="fact", pinned=True)
    await house.bench.db.write(
        lambda tx: tx.execute(
            "UPDATE memories SET source_type = ?, dispute = 2 WHERE id = ?", (AGENT_SOURCE, noted)
        )
    )
    ours = (await house.start(session("s1"))).text.splitlines()
    theirs = (await _start(house, session("s2"))).text.splitlines()
    marks = f"noted by an agent, {UNSETTLED}"
    assert f"- The build takes nine minutes. (Jan 31, 2026, {marks})" in theirs

    def order(lines: list[str]) -> list[str]:
        return [line.partition(".")[0] for line in lines if line.startswith("- ")]

    heading = theirs.index("## Active Constraints")
    assert order(theirs[heading:]) + order(theirs[:heading]) == order(ours)


async def test_a_second_start_of_the_same_session_is_the_heading_alone(house: House) -> None:
    await house.remember("Never push to main.", type="rule")
    assert (await _start(house, session())).memories
    again = await _start(house, session())
    assert again.memories == ()
    assert again.text == f"[memory active | /remember | /recall]\n\n{DATE}"


async def test_the_next_session_learns_what_is_new(house: House) -> None:
    await _start(house, session("s1"))
    house.bench.clock.forward(days=2)
    await house.remember("Never push to main.", type="rule")
    text = (await _start(house, session("s2"))).text
    assert "[since last session: 1 new memories, 1 sessions captured, last active 2d ago]" in text


async def test_the_longest_text_is_kept(house: House) -> None:
    for number in range(80):
        await house.remember(f"Rule {number}: " + "word " * 70, type="rule")
        await house.remember(f"Decision {number}: " + "word " * 70, type="decision")
    for limit in (500, 2_000, 24_000):
        house.settings = Settings().having(HookSettings(start_max_chars=limit))
        shown = await _start(house, session(f"s{limit}"))
        assert units(shown.text) <= limit


async def test_a_prompt_without_an_answer_gets_the_date_alone(house: House) -> None:
    shown = await _prompt(house, session(), "Which database does the billing service use?")
    assert shown.text == DATE
    assert shown.memories == ()


async def test_a_prompt_with_an_answer_gets_it_below_the_date(house: House) -> None:
    await house.remember("The billing service uses PostgreSQL.")
    shown = await _prompt(house, session(), "Which database does the billing service use?")
    lines = shown.text.splitlines()
    assert shown.text.startswith(f"{DATE}\n\n<intaglio-memory")
    assert lines[4].startswith("[signet:recall | query=")
    assert "| results=1 | engine=hybrid]" in lines[4]
    assert lines[5] == "- The billing service uses PostgreSQL. (Jan 31, 2026)"


async def test_memories_shown_at_a_prompt_are_not_repeated_at_the_next(house: House) -> None:
    await house.remember("The billing service uses PostgreSQL.")
    question = "Which database does the billing service use?"
    assert (await _prompt(house, session(), question)).memories
    assert (await _prompt(house, session(), question)).text == DATE
