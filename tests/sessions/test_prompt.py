"""What a prompt is shown besides, when nothing is shown, and what the ledger says about it."""

from dataclasses import replace

from fakes.sessions import House, of_harness, session
from intaglio.base.settings.values import Settings
from intaglio.base.text import estimate_tokens
from intaglio.recall.values import Answer, Question
from intaglio.sessions.prompt import PromptInput
from intaglio.sessions.settings import HookSettings
from intaglio.sessions.values import InjectedContext

DATABASE = "We decided to use PostgreSQL 16 for the billing service."


async def test_a_prompt_is_shown_the_memory_that_answers_it(house: House) -> None:
    await house.remember(DATABASE, type="decision")
    shown = await house.prompt(session(), "Which database does the billing service use?")
    assert shown.text.splitlines()[2:-1] == [f"- {DATABASE} (2026-01-31)"]


async def test_a_prompt_about_something_else_is_shown_nothing(house: House) -> None:
    await house.remember(DATABASE, type="decision")
    shown = await house.prompt(session(), "Rename the CSS classes of the login dialog, please.")
    assert shown.text == ""


async def test_one_common_word_of_a_long_prompt_is_not_enough(house: House) -> None:
    await house.remember(DATABASE, type="decision")
    text = "Please refactor the notification service so that retries use exponential backoff"
    shown = await house.prompt(session(), text)
    assert shown.text == ""
    [row] = await house.rows("SELECT injected, reason FROM session_memories")
    assert row[0] == 0
    assert str(row[1]).startswith("matches too few of the prompt's rare words")


async def test_a_prompt_of_one_word_is_shown_nothing(house: House) -> None:
    await house.remember("We continue with billing on Monday.")
    shown = await house.prompt(session(), "continue")
    assert shown.text == ""
    assert [entry.reason for entry in shown.entries] == ["the prompt has only one searchable word"]


async def test_memories_shown_at_the_start_are_not_repeated(house: House) -> None:
    await house.remember(DATABASE, type="decision")
    await house.start(session())
    shown = await house.prompt(session(), "Which database does the billing service use?")
    assert shown.text == ""
    assert [entry.left_out for entry in shown.entries] == ["already shown in this session"]


async def test_a_prompt_right_after_the_start_repeats_nothing(house: House) -> None:
    await house.remember(DATABASE, type="decision")
    await house.starts.show(session(), "startup")
    shown = await house.prompt(session(), "Which database does the billing service use?")
    assert shown.text == ""


async def test_memories_of_the_last_five_prompts_are_not_repeated(
    house: House,
) -> None:
    await house.remember(DATABASE, type="decision")
    question = "Which database does the billing service use?"
    assert (await house.prompt(session(), question)).text
    for number in range(4):
        await house.prompt(session(), f"something else entirely {number}")
    assert (await house.prompt(session(), question)).text == ""
    assert (await house.prompt(session("s2"), question)).text


async def test_a_memory_is_repeated_after_five_other_prompts(house: House) -> None:
    await house.remember(DATABASE, type="decision")
    question = "Which database does the billing service use?"
    await house.prompt(session(), question)
    for number in range(5):
        await house.prompt(session(), f"something else entirely {number}")
    assert (await house.prompt(session(), question)).text


async def test_a_memory_is_repeated_after_a_compaction(house: House) -> None:
    question = "Which database does the billing service use?"
    await house.start(session())
    await house.remember(DATABASE, type="fact", created_at="2025-01-01")
    assert (await house.prompt(session(), question)).text
    assert (await house.prompt(session(), question)).text == ""
    assert DATABASE in (await house.start(session(), "compact")).text


async def test_a_changed_memory_is_shown_again(house: House) -> None:
    memory = await house.remember(DATABASE, type="decision")
    question = "Which database does the billing service use?"
    await house.prompt(session(), question)
    house.bench.clock.forward(minutes=1)
    await house.bench.db.write(
        lambda tx: tx.execute(
            "UPDATE memories SET updated_at = '2026-02-01T00:00:00.000Z' WHERE id = ?", (memory,)
        )
    )
    assert (await house.prompt(session(), question)).text


async def test_nothing_of_another_project_is_shown(house: House) -> None:
    await house.remember(DATABASE, type="decision", project="/work/other")
    question = "Which database does the billing service use?"
    assert (await house.prompt(session(), question)).text == ""
    assert (await house.prompt(session("s2", project=None), question)).text == ""


async def test_generated_prompts_and_subagents_receive_nothing(house: House) -> None:
    await house.remember(DATABASE, type="decision")
    question = "Which database does the billing service use?"
    assert (await house.prompt(session(), question, by_user=False)).text == ""
    assert (await house.prompt(session(subagent=True), question)).text == ""
    assert await house.rows("SELECT * FROM injections") == []


async def test_injected_text_in_a_prompt_is_not_searched_for(house: House) -> None:
    await house.remember(DATABASE, type="decision")
    text = f"<intaglio-memory>\n{DATABASE}\n</intaglio-memory>\n"
    assert (await house.prompt(session(), text)).text == ""


async def test_a_prompt_receives_a_limited_number_of_memories(house: House) -> None:
    for number in range(9):
        await house.remember(f"The billing service has database number {number}.")
    house.settings = Settings().having(HookSettings(prompt_limit=3))
    shown = await house.prompt(session(), "billing service database")
    assert len(shown.memories) == 3


async def test_the_budget_of_tokens_is_kept(house: House) -> None:
    for number in range(9):
        await house.remember(f"The billing database {number} " + "is very large " * 30)
    house.settings = of_harness(prompt_max_tokens=200)
    shown = await house.prompt(session(), "billing database")
    assert shown.text
    assert estimate_tokens(shown.text) <= 200


async def test_a_secret_in_a_prompt_stays_out_of_the_ledger(house: House) -> None:
    await house.remember(DATABASE, type="decision")
    await house.prompt(session(), "billing service password=hunter2Xq77 fails")
    [row] = await house.rows("SELECT terms FROM injections")
    assert "hunter2xq77" not in str(row[0])


async def test_prompts_are_counted(house: House) -> None:
    await house.prompt(session(), "first question here")
    await house.prompt(session(), "second question here")
    assert await house.rows("SELECT prompts FROM sessions") == [(2,)]


async def prompt_with_token_states(
    house: House, text: str, *, meaning: float, answers: bool = True
) -> InjectedContext:
    """Show a prompt's context as if each hit had this meaning."""

    async def recall(question: Question) -> Answer:
        found = await house.bench.recall.recall(question)
        hits = tuple(
            replace(hit, answers=answers, signals=replace(hit.signals, meaning=meaning))
            for hit in found.hits
        )
        if answers:
            return replace(found, hits=hits)
        return replace(found, hits=(), near_misses=hits)

    shown = await house.prompts_by(recall).show(session(), PromptInput(text))
    await house.settle()
    return shown


QUESTION = "Which database does the billing service use?"


async def test_a_match_by_token_states_is_shown(house: House) -> None:
    await house.remember(DATABASE)
    shown = await prompt_with_token_states(house, QUESTION, meaning=0.5)
    assert DATABASE in shown.text


async def test_a_match_below_the_floor_is_recorded_as_too_weak(house: House) -> None:
    await house.remember(DATABASE)
    house.settings = Settings().having(HookSettings(prompt_min_match=0.9))
    shown = await prompt_with_token_states(house, QUESTION, meaning=0.5)
    assert shown.text == ""
    [row] = await house.rows("SELECT injected, reason FROM session_memories")
    assert row[0] == 0
    assert str(row[1]).startswith("matches the prompt too weakly (0.")


async def test_a_near_miss_is_recorded_as_no_answer(house: House) -> None:
    await house.remember(DATABASE)
    shown = await prompt_with_token_states(house, QUESTION, meaning=0.5, answers=False)
    assert shown.text == ""
    rows = await house.rows("SELECT injected, reason FROM session_memories")
    assert [tuple(row) for row in rows] == [(0, "doesn't answer the prompt")]


async def test_a_prompt_without_spaces_between_words_is_more_than_one_word(house: House) -> None:
    text = "人工复核是每周几"
    await house.remember(text)
    assert text in (await prompt_with_token_states(house, text, meaning=0.5)).text
