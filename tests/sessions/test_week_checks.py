"""Capture and context of the last seven days, as Health shows them: figures, and no alarm."""

from datetime import timedelta

from fakes.sessions import House, session
from intaglio.base.clock import iso
from intaglio.domain.health import Checked
from intaglio.sessions.health import week_checks


async def week(house: House, name: str) -> Checked:
    (check,) = [
        each for each in week_checks(house.bench.db, house.bench.clock) if each.name == name
    ]
    return await check.run()


def figures(checked: Checked) -> dict[str, object]:
    return {each.name: each.value for each in checked.figures}


async def statement(house: House, number: int, outcome: str, days_ago: int) -> None:
    at = iso(house.bench.clock() - timedelta(days=days_ago))
    await house.bench.db.write(
        lambda tx: tx.execute(
            "INSERT INTO statements(harness, session_id, message_id, start_char, end_char, "
            "recorded_at, agent_id, sentence, content, type, everywhere, confidence, outcome, "
            "state) VALUES ('claude-code', 's', ?, 0, 1, ?, 'default', 'x', 'x', 'fact', 0, 0.9, "
            "?, 'live')",
            (str(number), at, outcome),
        )
    )


async def test_a_fresh_store_shows_zeros_and_is_well(house: House) -> None:
    captured, told = await week(house, "capture_week"), await week(house, "context_week")
    assert (captured.issues, captured.penalty, told.issues, told.penalty) == ((), 0.0, (), 0.0)
    assert figures(captured) == {
        "kept": 0,
        "suggested": 0,
        "dropped": 0,
        "decided": 0,
        "precision": None,
    }
    assert figures(told)["toldAgainShare"] is None


async def test_statements_of_the_last_seven_days_are_counted(house: House) -> None:
    for number, (outcome, days_ago) in enumerate(
        [("kept", 0), ("kept", 6), ("kept", 8), ("suggested", 1)]
    ):
        await statement(house, number, outcome, days_ago)
    found = figures(await week(house, "capture_week"))
    assert (found["kept"], found["suggested"]) == (2, 1)


async def test_what_a_session_is_told_twice_is_a_share_of_what_was_told(house: House) -> None:
    await house.remember("We decided to use PostgreSQL.", type="decision")
    await house.start(session())
    await house.start(session(), "clear")
    await house.start(session("s2"))
    found = figures(await week(house, "context_week"))
    assert (found["toldLines"], found["toldAgainShare"]) == (3, 0.333)
    assert found["injections"] == 3
    tokens = found["toldTokens"]
    assert isinstance(tokens, int)
    assert tokens > 0
    house.bench.clock.forward(days=8)
    assert figures(await week(house, "context_week"))["toldLines"] == 0
