"""Active sessions: those that have not ended and were heard from lately."""

from dataclasses import replace
from datetime import timedelta
from typing import Final

from fakes.sessions import House, said, session
from intaglio.base.clock import iso
from intaglio.capture.transcripts import TranscriptReading, TurnReport
from intaglio.sessions import rows

LATELY: Final = timedelta(hours=4)


async def active(house: House) -> int:
    since = iso(house.bench.clock() - LATELY)
    return await house.bench.db.read(lambda tx: rows.count_active(tx, since))


async def end_turn(house: House, text: str, *, ago: timedelta, session_id: str = "s1") -> None:
    """End a turn whose only message was said some time ago."""
    message = replace(said(text), time=house.bench.clock() - ago)
    await house.ends.turn_end(session(session_id), TranscriptReading((message,), "10"))


async def test_a_session_is_active_from_its_start_to_its_end(house: House) -> None:
    await house.start(session("one"))
    await house.start(session("other"))
    assert await active(house) == 2
    await house.ends.session_end(session("one"), "exit")
    assert await active(house) == 1


async def test_a_session_that_was_silent_for_hours_is_not_active(house: House) -> None:
    await house.start(session())
    house.bench.clock.forward(hours=5)
    assert await active(house) == 0
    await house.prompt(session(), "Which database does billing use?")
    assert await active(house) == 1


async def test_a_turn_that_lasts_for_hours_keeps_its_session_active(house: House) -> None:
    await house.start(session())
    house.bench.clock.forward(hours=5)
    await end_turn(house, "hello", ago=timedelta(minutes=1))
    assert await active(house) == 1


async def test_an_old_transcript_that_is_read_late_is_no_active_session(house: House) -> None:
    await house.start(session())
    house.bench.clock.forward(days=2)
    await end_turn(house, "hello", ago=timedelta(days=1))
    assert await active(house) == 0


async def test_an_event_from_yesterday_makes_no_active_session(house: House) -> None:
    yesterday = house.bench.clock() - timedelta(days=1)
    await house.ends.turn_end(
        session(), TranscriptReading((), "10"), TurnReport(reported_at=yesterday)
    )
    assert await active(house) == 0


async def test_a_late_turn_does_not_reopen_a_session(house: House) -> None:
    await house.start(session())
    await house.ends.session_end(session(), "exit")
    await end_turn(house, "hello", ago=timedelta(minutes=1))
    assert await active(house) == 0
