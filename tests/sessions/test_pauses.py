"""Pauses: when capture is paused, what it leaves unwritten, and which messages it takes away."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.sessions import House, said, session
from fakes.store import MovableClock, bench
from intaglio.base.clock import iso
from intaglio.base.errors import InvalidInputError
from intaglio.base.events import BusEvent, CaptureChanged, StateChanged
from intaglio.capture.transcripts import TranscriptMessage, TranscriptReading, TurnReport
from intaglio.pauses.service import Pauses
from intaglio.pauses.values import CAPTURING, Pause, outside_pauses
from intaglio.sessions.values import CaptureResult

DECISION = "We decided to use PostgreSQL for the billing service."
EIGHT = datetime(2026, 1, 31, 8, tzinfo=UTC)


def at(minutes: float) -> datetime:
    return EIGHT + timedelta(minutes=minutes)


def pause(start: float, until: float | None = None, ended: float | None = None) -> Pause:
    return Pause(
        id=str(start),
        started_at=at(start),
        until=None if until is None else at(until),
        ended_at=None if ended is None else at(ended),
        asked_by="test",
    )


def heard(house: House) -> list[BusEvent]:
    return [event for event in house.bench.events if not isinstance(event, StateChanged)]


async def test_capture_is_not_paused_by_default(house: House) -> None:
    assert await house.pauses.state() == CAPTURING


async def test_a_pause_ends_by_time_alone_and_without_a_write(house: House) -> None:
    standing = await house.pauses.pause(at(15), "me")
    assert (standing.paused, standing.since, standing.until) == (True, EIGHT, at(15))
    house.bench.clock.forward(minutes=14.999)
    assert (await house.pauses.state()).paused
    house.bench.clock.forward(minutes=0.001)
    assert await house.pauses.state() == CAPTURING
    assert await house.rows("SELECT started_at, until, ended_at, asked_by FROM pauses") == [
        (iso(EIGHT), iso(at(15)), None, "me")
    ]


async def test_a_pause_without_an_end_lasts_until_resumed(house: House) -> None:
    await house.pauses.pause(None, "me")
    house.bench.clock.forward(days=400)
    assert (await house.pauses.state()).paused
    assert await house.pauses.resume() == CAPTURING
    [row] = await house.pauses.latest(5)
    assert row.ended_at == house.bench.clock()


async def test_a_running_pause_gets_the_new_end(house: House) -> None:
    await house.pauses.pause(None, "me")
    house.bench.clock.forward(minutes=5)
    standing = await house.pauses.pause(at(10), "me")
    assert (standing.since, standing.until) == (EIGHT, at(10))
    assert len(await house.pauses.latest(5)) == 1


async def test_resuming_without_a_pause_changes_nothing(house: House) -> None:
    assert await house.pauses.resume() == CAPTURING
    assert heard(house) == []


@pytest.mark.parametrize("minutes", [0, -1])
async def test_an_end_that_is_over_is_refused(house: House, minutes: int) -> None:
    with pytest.raises(InvalidInputError):
        await house.pauses.pause(at(minutes), "me")


async def test_listeners_hear_of_a_pause_and_of_its_end(house: House) -> None:
    await house.pauses.pause(at(15), "me")
    await house.pauses.resume()
    assert heard(house) == [
        CaptureChanged(paused=True, until=iso(at(15))),
        CaptureChanged(paused=False, until=None),
    ]


async def test_a_pause_survives_the_process(tmp_path: Path) -> None:
    async with bench(tmp_path) as first:
        await House(first).pauses.pause(None, "me")
    async with bench(tmp_path) as second:
        assert (await House(second).pauses.state()).paused


class TestTheClockIsSetBack:
    async def test_the_pause_goes_on_until_its_time_has_passed(self, house: House) -> None:
        pauses = house.pauses
        await pauses.pause(at(15), "me")
        house.bench.clock.forward(minutes=5)
        await pauses.refresh()
        house.bench.clock.forward(minutes=-60)
        assert (await pauses.refresh()).until == at(-55) + timedelta(minutes=10)
        first, second = reversed(await pauses.latest(5))
        assert (second.started_at, second.end) == (EIGHT, at(5))
        assert first.contains(at(-56))
        house.bench.clock.forward(minutes=10)
        assert await pauses.refresh() == CAPTURING

    async def test_a_process_that_did_not_see_it_stays_on_the_safe_side(self, house: House) -> None:
        await house.pauses.pause(None, "me")
        house.bench.clock.forward(minutes=-60)
        await house.pauses.refresh()
        await house.pauses.resume()
        first, second = reversed(await house.pauses.latest(5))
        assert first.contains(at(-61))
        assert first.end == at(-60)
        assert second.contains(at(600))

    async def test_a_pause_that_was_seen_to_end_does_not_come_back(self, house: House) -> None:
        pauses = house.pauses
        await pauses.pause(at(15), "me")
        house.bench.clock.forward(minutes=20)
        await pauses.refresh()
        house.bench.clock.forward(minutes=-60)
        assert await pauses.refresh() == CAPTURING


@pytest.mark.parametrize(
    ("now", "midnight"),
    [
        ("2026-01-31T08:00", "2026-02-01T00:00+01:00"),
        ("2026-01-31T23:59", "2026-02-01T00:00+01:00"),
        ("2026-03-28T12:00", "2026-03-29T00:00+01:00"),
        ("2026-03-29T01:30", "2026-03-30T00:00+02:00"),
        ("2026-10-25T00:30", "2026-10-26T00:00+01:00"),
    ],
)
async def test_tomorrow_is_the_next_midnight_of_the_users_own_clock(
    house: House, now: str, midnight: str
) -> None:
    def local(moment: datetime) -> datetime:
        # A fixed offset, as the system gives it.
        there = moment.astimezone(ZoneInfo("Europe/Berlin"))
        return there.astimezone(timezone(there.utcoffset() or timedelta()))

    begin = datetime.fromisoformat(now).replace(tzinfo=ZoneInfo("Europe/Berlin")).astimezone(UTC)
    pauses = Pauses(house.bench.db, MovableClock(begin), lambda: "id", local)
    assert pauses.tomorrow() == datetime.fromisoformat(midnight)


class TestWhilePaused:
    async def test_a_start_shows_memories_and_writes_nothing(self, house: House) -> None:
        await house.remember(DECISION)
        await house.pauses.pause(None, "me")
        shown = await house.start(session())
        assert DECISION in shown.text
        assert shown.text.startswith('<intaglio-memory source="session-start" capture="paused">')
        assert await house.rows("SELECT id FROM sessions") == []
        assert await house.rows("SELECT seq FROM injections") == []

    async def test_a_prompt_is_answered_once_and_nothing_is_written(self, house: House) -> None:
        await house.remember(DECISION)
        await house.pauses.pause(None, "me")
        question = "Which database does the billing service use?"
        assert DECISION in (await house.prompt(session(), question)).text
        assert (await house.prompt(session(), question)).text == ""
        assert await house.rows("SELECT id FROM sessions") == []
        assert await house.rows("SELECT seq FROM injections") == []

    async def test_after_clearing_a_session_is_shown_it_again(self, house: House) -> None:
        await house.remember(DECISION)
        await house.pauses.pause(None, "me")
        await house.start(session())
        assert (await house.start(session(), "resume")).text == ""
        await house.start(session(), "clear")
        question = "Which database does the billing service use?"
        assert (await house.prompt(session(), question)).text == ""
        house.unwritten.drop(session().key)
        assert DECISION in (await house.prompt(session(), question)).text

    async def test_the_end_of_a_session_writes_nothing(self, house: House) -> None:
        await house.pauses.pause(None, "me")
        await house.ends.session_end(session(), "exit")
        assert await house.rows("SELECT id FROM sessions") == []

    async def test_a_memory_saved_by_hand_during_a_pause_is_kept(self, house: House) -> None:
        await house.pauses.pause(None, "me")
        await house.remember(DECISION)
        assert await house.contents() == [DECISION]


class TestAfterwards:
    async def test_messages_of_a_pause_are_skipped_for_ever(self, house: House) -> None:
        await house.pauses.pause(at(15), "me")
        house.bench.clock.forward(minutes=20)
        inside = TranscriptReading((replace(said(DECISION), time=at(3)),), "100")
        assert await house.ends.turn_end(session(), inside) == CaptureResult()
        assert await house.ends.position(session()) == "100"
        assert await house.ends.turn_end(session(), inside) == CaptureResult()

    @pytest.mark.parametrize(("minute", "saved"), [(-0.001, 1), (0, 0), (14.999, 0), (15, 1)])
    async def test_the_time_of_the_message_decides(
        self, house: House, minute: float, saved: int
    ) -> None:
        await house.pauses.pause(at(15), "me")
        house.bench.clock.forward(minutes=20)
        batch = TranscriptReading((replace(said(DECISION), time=at(minute)),), "100")
        assert (await house.ends.turn_end(session(), batch)).saved == saved

    @pytest.mark.parametrize("read_apart", [False, True])
    async def test_a_late_answer_to_a_message_of_a_pause_is_not_stored(
        self, house: House, *, read_apart: bool
    ) -> None:
        await house.pauses.pause(at(15), "me")
        house.bench.clock.forward(minutes=30)
        paused = replace(said(DECISION), time=at(14))
        answer = TranscriptMessage("answer", "assistant", f"Noted: {DECISION}", at(16))
        later = TranscriptMessage("later", "user", "Go on with the export.", at(17))
        reply = TranscriptMessage("reply", "assistant", "The export is done.", at(18))
        if read_apart:
            await house.ends.turn_end(session(), TranscriptReading((paused,), "1"))
            reading = TranscriptReading((answer, later, reply), "2", preceding=(paused,))
        else:
            reading = TranscriptReading((paused, answer, later, reply), "2")
        await house.ends.turn_end(session(), reading)
        stored = await house.rows("SELECT message_id FROM transcript_messages ORDER BY seq")
        assert stored == [("later",), ("reply",)]

    async def test_a_session_all_of_which_was_in_a_pause_leaves_no_trace(
        self, house: House
    ) -> None:
        await house.pauses.pause(at(15), "me")
        house.bench.clock.forward(minutes=20)
        batch = TranscriptReading((replace(said(DECISION), time=at(3)),), "100")
        await house.ends.turn_end(session(), batch, TurnReport(reported_at=at(4)))
        await house.ends.session_end(session(), "exit", reported_at=at(4))
        assert await house.rows("SELECT id FROM sessions") == []


class TestAMessageWithoutATime:
    def test_a_message_without_a_time_is_read_where_there_was_no_pause(self) -> None:
        assert outside_pauses([None, at(1), None], [], None, at(9)) == [True, True, True]

    def test_a_message_without_a_time_is_read_between_readable_neighbours(self) -> None:
        assert outside_pauses([at(1), None, at(2)], [pause(3, 4)], None, at(9)) == [
            True,
            True,
            True,
        ]

    def test_a_message_without_a_time_is_dropped_where_a_pause_lies_between(self) -> None:
        assert outside_pauses([at(1), None, at(5)], [pause(3, 4)], None, at(9)) == [
            True,
            False,
            True,
        ]

    def test_a_message_without_a_time_is_dropped_after_an_unknown_past(self) -> None:
        assert outside_pauses([None, at(5)], [pause(3, 4)], None, at(9)) == [False, True]
        assert outside_pauses([None, at(5)], [pause(3, 4)], at(4), at(9)) == [True, True]

    def test_a_last_message_without_a_time_is_dropped_after_a_pause(self) -> None:
        assert outside_pauses([at(1), None], [pause(3, 4)], None, at(9)) == [True, False]
        assert outside_pauses([at(1), None], [pause(3, 4)], None, at(2)) == [True, True]

    async def test_a_message_without_a_time_is_read_after_a_later_reading(
        self, house: House
    ) -> None:
        await house.pauses.pause(at(15), "me")
        house.bench.clock.forward(minutes=20)
        ends, untimed = house.ends, replace(said(DECISION), time=None)
        await ends.turn_end(
            session(), TranscriptReading((), "100"), TurnReport(read_at=house.bench.clock())
        )
        house.bench.clock.forward(minutes=5)
        since = await ends.read_at(session())
        assert since == at(19)
        assert (
            await ends.turn_end(
                session(), TranscriptReading((untimed,), "200"), TurnReport(since=since)
            )
        ).saved == 1


MOMENTS = st.integers(0, 40)
PAUSES = st.lists(
    st.tuples(MOMENTS, st.none() | MOMENTS, st.none() | MOMENTS).map(lambda given: pause(*given)),
    max_size=4,
)


@given(PAUSES, st.lists(st.none() | MOMENTS.map(at), max_size=6))
def test_no_message_of_a_pause_is_read(
    pauses: list[Pause], times: Sequence[datetime | None]
) -> None:
    free = outside_pauses(times, pauses, None, at(50))
    for time, ok in zip(times, free, strict=True):
        if time is not None:
            assert ok == (not any(pause.contains(time) for pause in pauses))


@given(PAUSES, st.lists(st.tuples(MOMENTS, st.booleans()), max_size=6))
def test_a_missing_time_never_admits_more_messages(
    pauses: list[Pause], messages: list[tuple[int, bool]]
) -> None:
    times = [at(minute) for minute, _ in sorted(messages)]
    some = [time if kept else None for time, (_, kept) in zip(times, messages, strict=True)]
    whole = outside_pauses(times, pauses, None, at(50))
    assert all(
        all_ok or not ok
        for ok, all_ok in zip(outside_pauses(some, pauses, None, at(50)), whole, strict=True)
    )
