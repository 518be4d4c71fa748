"""What the log says of the batches of a sweep."""

import pytest

from intaglio.lifecycle.sweep import BatchTimes


def test_batch_durations_are_summed_in_milliseconds() -> None:
    times = BatchTimes()
    for number in range(1, 101):
        times.worked(number / 10_000)
        times.held(number / 1_000)
    assert times.longest_ms == 100
    assert times.summary() == pytest.approx(
        {
            "batches": 100,
            "held_p50_ms": 51,
            "held_p99_ms": 100,
            "held_over_50_ms": 50,
            "worked_p50_ms": 5.1,
            "worked_longest_ms": 10,
        }
    )


def test_a_sweep_without_batches_has_no_duration() -> None:
    times = BatchTimes()
    assert times.longest_ms == 0
    assert set(times.summary().values()) == {0}
