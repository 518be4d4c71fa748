"""What a first prompt is told of later sessions on the subject of the one that it is about."""

import pytest

from fakes.sessions import House, session, talk
from intaglio.store.tx import WriteTx

RULE = "We decided that the heat meters are installed at night, between nine and four."
CHANGED = "We agreed with the landlords that somebody stands beside it, on weekdays from nine."
QUESTION = "When do the fitters install the heat meters of the second house, and who plans it?"


async def relate(
    house: House, later: str, earlier: str, likeness: float, contradiction: float | None = None
) -> None:
    """State how much two sessions are about the same subject, and what reading them found."""

    def work(tx: WriteTx) -> None:
        tx.execute(
            "INSERT INTO related_sessions(later, earlier, likeness, contradiction) "
            "SELECT l.seq, e.seq, ?, ? "
            "FROM transcripts l, transcripts e WHERE l.session_id = ? AND e.session_id = ?",
            (likeness, contradiction, later, earlier),
        )

    await house.bench.db.write(work)


@pytest.fixture
async def metered(house: House) -> House:
    """Return a house in which a session settled when meters are installed."""
    for number in range(4):
        ref = session(f"x{number}")
        await talk(house, ref, f"Rename variable {number} in the parser, please.", day=2)
    await talk(house, session("old"), RULE, "Done: a window in the planner.", day=5)
    return house


async def test_a_later_session_that_settled_something_else_is_told_first(metered: House) -> None:
    await talk(metered, session("new"), CHANGED, "Changed.", day=20)
    await relate(metered, "new", "old", 6.0)
    shown = (await metered.prompt(session("asks"), QUESTION)).text
    assert 0 < shown.find(CHANGED) < shown.find(RULE)
    assert "(2026-01-05, replaced on 2026-01-20 where they differ)" in shown


@pytest.mark.parametrize("said", ["When are the meters installed?", "Rename the helper, please."])
async def test_a_later_session_that_settled_nothing_changes_nothing(
    metered: House, said: str
) -> None:
    await talk(metered, session("new"), said, "At night.", "Ok, thanks.", day=20)
    await relate(metered, "new", "old", 6.0)
    shown = (await metered.prompt(session("asks"), QUESTION)).text
    assert RULE in shown
    assert "replaced" not in shown


async def test_a_session_that_is_less_alike_is_only_named(metered: House) -> None:
    await talk(metered, session("new"), CHANGED, "Changed.", day=20)
    await relate(metered, "new", "old", 4.1)
    shown = (await metered.prompt(session("asks"), QUESTION)).text
    assert CHANGED not in shown
    assert "(2026-01-05, may be replaced on 2026-01-20)" in shown


async def test_a_less_alike_session_that_contradicts_nothing_is_not_named(metered: House) -> None:
    await talk(metered, session("new"), CHANGED, "Changed.", day=20)
    await relate(metered, "new", "old", 4.1, 0.0)
    shown = (await metered.prompt(session("asks"), QUESTION)).text
    assert RULE in shown
    assert "may be replaced" not in shown


async def test_a_later_session_that_only_chose_an_option_is_told_first(metered: House) -> None:
    options = (
        "1. meters by day, with the caretaker\n2. meters at weekends\nWhich one do you prefer?"
    )
    await talk(metered, session("new"), "Tenants complain.", options, "the first", "Ok.", day=20)
    await relate(metered, "new", "old", 6.0)
    shown = (await metered.prompt(session("asks"), QUESTION)).text
    assert 0 < shown.find("meters by day, with the caretaker") < shown.find(RULE)


async def test_a_session_is_not_told_what_it_said_itself(metered: House) -> None:
    await talk(metered, session("own"), CHANGED, "Changed.", day=20)
    await relate(metered, "own", "old", 6.0)
    shown = (await metered.prompt(session("own"), QUESTION)).text
    assert CHANGED not in shown
    assert "2026-01-20" not in shown
