"""What the soak calls flat, and what a leak: over made-up samples of known growth."""

import math
import random
from collections.abc import Callable

import pytest

from bench.flatness import WARM_S, Sample, faults, growth, warm

EVERY_S = 10
MINUTES = 40


def samples(
    grown_mb: Callable[[float], float] = lambda _: 0.0,
    *,
    rows_an_hour: float = 0,
    handles: Callable[[float], float] = lambda _: 33,
    log_mb: float = 4,
    seed: int = 1,
) -> list[Sample]:
    """Make the samples of a run, noise and peaks included, that grows by minutes as is told."""
    chance = random.Random(seed)  # noqa: S311 - noise, no secret
    made: list[Sample] = []
    for number in range(1, MINUTES * 60 // EVERY_S + 1):
        minute = number * EVERY_S / 60
        # Freed memory comes and goes; what is held at least does not.
        noise = chance.choice((0, 0, 0, 0, 3)) + chance.random() * 0.6
        held = 160 + 8 * (1 - math.exp(-minute / 3)) + noise + grown_mb(minute)
        made.append(
            Sample(
                second=number * EVERY_S,
                rss_mb=held,
                pss_mb=held - 40,
                own_mb=held - 45,
                threads=11,
                handles=handles(minute),
                log_mb=log_mb,
                rows=13_000 + rows_an_hour * minute / 60,
                cpu_share=20,
                calls_s=12,
            )
        )
    return made


@pytest.mark.parametrize("seed", range(20))
def test_noise_peaks_and_a_warm_up_are_flat(seed: int) -> None:
    assert faults(samples(seed=seed)) == []


@pytest.mark.parametrize("seed", range(20))
def test_a_leak_of_two_hundred_bytes_a_call_is_found(seed: int) -> None:
    an_hour = 200 * 12 * 3600 / 1e6
    assert faults(samples(lambda minute: an_hour * minute / 60, seed=seed)) == ["RSS"]


@pytest.mark.parametrize("when", [12, 20, 25, 30, 38])
def test_one_step_is_no_leak_whenever_it_comes(when: float) -> None:
    assert faults(samples(lambda minute: 2.0 * (minute > when))) == []


def test_a_step_every_few_minutes_is_a_leak() -> None:
    assert faults(samples(lambda minute: 1.2 * (minute // 6))) == ["RSS"]


def test_memory_that_rows_need_is_no_leak() -> None:
    each_hour = 20_000
    needed = 0.0003 * each_hour
    assert faults(samples(lambda m: needed * m / 60, rows_an_hour=each_hour)) == []
    assert faults(samples(lambda m: 4 * needed * m / 60, rows_an_hour=each_hour)) == ["RSS"]


def test_growth_is_reported_per_new_row() -> None:
    grew = growth(warm(samples(lambda minute: 0.2 * minute, rows_an_hour=6_000)), "rss_mb")
    assert grew.a_row_kb == pytest.approx(2.0, rel=0.1)
    assert grew.whole == pytest.approx(12, rel=0.1)


def test_a_short_run_warms_up_for_a_third_of_it() -> None:
    short = [one for one in samples() if one.second <= 600]
    assert warm(short)[0].second == pytest.approx(200, abs=EVERY_S)
    assert warm(samples())[0].second == pytest.approx(WARM_S, abs=EVERY_S)


def test_open_handles_and_a_growing_log_are_reported() -> None:
    assert faults(samples(handles=lambda minute: 33 + minute / 2)) == ["handles"]
    assert faults(samples(log_mb=100)) == ["log"]
