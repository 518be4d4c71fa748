"""When a failed job is tried again, and whose turn it is."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.base.clock import iso
from intaglio.jobs import scheduling
from intaglio.jobs.values import Exhausted, Retry

NOW = datetime(2026, 1, 31, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("failures", "seconds"), [(0, 1), (1, 2), (2, 4), (4, 16), (5, 30), (6, 30), (10_000, 30)]
)
def test_the_delay_doubles_up_to_half_a_minute(failures: int, seconds: float) -> None:
    assert scheduling.delay_s(failures, 0) == seconds


@given(st.integers(0, 1000), st.floats(0, 1))
def test_jitter_adds_half_a_second_at_most(failures: int, jitter: float) -> None:
    assert 0 <= scheduling.delay_s(failures, jitter) - scheduling.delay_s(failures, 0) <= 0.5


@given(st.integers(1, 10), st.integers(1, 10))
def test_a_job_dies_exactly_when_its_attempts_are_used_up(attempts: int, most: int) -> None:
    outcome = scheduling.after_failure(attempts, most, NOW, 0)
    assert isinstance(outcome, Exhausted) == (attempts >= most)


def test_a_failed_job_waits_for_its_delay() -> None:
    assert scheduling.after_failure(1, 3, NOW, 0) == Retry(iso(NOW + timedelta(seconds=2)))


def test_the_job_type_that_was_just_served_comes_last() -> None:
    assert scheduling.service_order(("a", "b", "c"), "a") == ("b", "c", "a")
    assert scheduling.service_order(("b", "c", "a"), "c") == ("b", "a", "c")
