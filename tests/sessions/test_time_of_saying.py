"""What was said keeps its place in time: however late it is read, kept or corrected."""

import time
from collections.abc import Generator
from datetime import UTC, datetime

import pytest

from fakes.sessions import House, session
from intaglio.capture.transcripts import TranscriptMessage, TranscriptReading
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor, Change

TYPESENSE = "We decided to use Typesense for the catalogue."
ZORBA = "We decided to sort the catalogue with Zorba."
KORBA = "We decided to sort the catalogue with Korba."


async def _hear(house: House, name: str, day: datetime, text: str) -> None:
    line = TranscriptMessage(f"{name}-1", "user", text, day)
    await house.ends.turn_end(session(name), TranscriptReading((line,), "100"))


async def _both(house: House) -> None:
    """Read what was said on 25 January, and then what was said on the 5th."""
    await _hear(house, "new", datetime(2026, 1, 25, tzinfo=UTC), TYPESENSE)
    await _hear(house, "old", datetime(2026, 1, 5, tzinfo=UTC), ZORBA)
    assert await house.contents() == [TYPESENSE, ZORBA]


async def _lines(house: House) -> list[str]:
    text = (await house.start(session("now"))).text
    return [line for line in text.splitlines() if "catalogue" in line]


@pytest.fixture
def far_east(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """A machine in Kiritimati, fourteen hours ahead of UTC."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Pacific/Kiritimati")
        time.tzset()
        yield
    time.tzset()


async def test_statements_of_an_old_transcript_are_dated_by_their_time(house: House) -> None:
    await _both(house)
    assert await _lines(house) == [
        f"- {TYPESENSE} (2026-01-25)",
        f"- {ZORBA} (2026-01-05)",
    ]


async def test_of_two_rules_the_one_said_later_comes_first(house: House) -> None:
    rule = "From now on always sort {} in the catalogue."
    await _hear(house, "new", datetime(2026, 1, 25, tzinfo=UTC), rule.format("prices descending"))
    await _hear(house, "old", datetime(2026, 1, 5, tzinfo=UTC), rule.format("names by length"))
    first, second = await _lines(house)
    assert "descending" in first
    assert "by length" in second


async def test_a_later_statement_takes_precedence(house: House) -> None:
    tabs, spaces = (
        "From now on code must always be indented with tabs.",
        "From now on code must always be indented with spaces.",
    )
    await _hear(house, "new", datetime(2026, 1, 25, tzinfo=UTC), tabs)
    await _hear(house, "old", datetime(2026, 1, 5, tzinfo=UTC), spaces)
    items = await house.rows(
        "SELECT n.content, o.content FROM inbox_items i JOIN memories n ON n.id = i.memory_id "
        "JOIN memories o ON o.id = i.older_id"
    )
    assert items == [(tabs, spaces)]


async def test_a_corrected_line_bears_the_date_of_the_correction(house: House) -> None:
    await _both(house)
    old = await house.rows("SELECT id FROM memories WHERE content LIKE '%Zorba%'")
    why = Audit(Actor("me"))
    memory_id = str(old[0][0])
    await house.bench.revise.modify(memory_id, Change(importance=0.8), why)
    assert f"- {ZORBA} (2026-01-05)" in await _lines(house)
    await house.bench.revise.modify(memory_id, Change(content=KORBA), why)
    assert f"- {KORBA} (2026-01-31)" in await _lines(house)


async def test_of_constraints_the_one_said_or_corrected_later_comes_first(linked: House) -> None:
    at = ("2026-01-25T08:00:00Z", "2026-01-05T08:00:00Z", "2026-01-15T08:00:00Z")
    rules = [f"Never touch the {name} catalogue." for name in ("blue", "red", "green")]
    given = [
        await linked.remember(text, type="rule", created_at=moment)
        for text, moment in zip(rules, at, strict=True)
    ]
    assert [line.split("touch ")[1] for line in await _lines(linked)] == [
        "the blue catalogue.",
        "the green catalogue.",
        "the red catalogue.",
    ]
    change = Change(content="Never ever touch the red catalogue.")
    await linked.bench.revise.modify(given[1], change, Audit(Actor("me")))
    assert "Never ever" in (await _lines(linked))[0]


@pytest.mark.usefixtures("far_east")
async def test_dates_are_shown_in_the_local_time_zone(house: House) -> None:
    await _hear(house, "s", datetime(2026, 1, 25, 18, 16, tzinfo=UTC), TYPESENSE)
    assert await _lines(house) == [f"- {TYPESENSE} (2026-01-26)"]
