"""Identifiers and moments."""

import uuid
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.base.clock import iso, parse_moment
from intaglio.base.ids import uuid7_source

START = datetime(2026, 1, 31, 8, tzinfo=UTC)


@given(st.binary(min_size=10, max_size=10))
def test_an_id_is_a_uuid_of_version_7(random: bytes) -> None:
    made = uuid.UUID(uuid7_source(lambda: START, lambda _: random)())
    assert (made.version, made.variant) == (7, uuid.RFC_4122)


@given(st.binary(min_size=10, max_size=10), st.binary(min_size=10, max_size=10))
def test_a_later_id_sorts_after_an_earlier_one(one: bytes, other: bytes) -> None:
    early = uuid7_source(lambda: START, lambda _: one)()
    late = uuid7_source(lambda: START + timedelta(milliseconds=1), lambda _: other)()
    assert early < late


@given(st.datetimes(datetime(1000, 1, 1), datetime(9998, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001 - hypothesis wants naive bounds
def test_a_formatted_time_is_parsed_back_to_the_millisecond(moment: datetime) -> None:
    read = parse_moment(iso(moment))
    assert read is not None
    assert abs(read - moment) < timedelta(milliseconds=1)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2026-01-31 08:00:00", "2026-01-31T08:00:00.000Z"),
        ("2026-01-31T09:00:00+01:00", "2026-01-31T08:00:00.000Z"),
        ("2026-01-31", "2026-01-31T00:00:00.000Z"),
    ],
)
def test_common_time_formats_are_parsed(text: str, written: str) -> None:
    moment = parse_moment(text)
    assert moment is not None
    assert iso(moment) == written


@pytest.mark.parametrize("text", ["", "soon", "2026-13-01", "9999-12-31T23:59:59-23:59", "0"])
def test_an_invalid_time_is_none(text: str) -> None:
    assert parse_moment(text) is None
