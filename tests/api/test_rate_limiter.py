"""The sliding window: never more than allowed, never less than due, in bounded memory."""

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from intaglio.api.gate.rate_limiter import Allowed, LimitExceeded, RateLimit, RateLimiter

LIMITS = st.builds(RateLimit, st.integers(1, 5), st.integers(1_000, 60_000))
# Steps in whole milliseconds: what is told to wait is told in them.
STEPS = st.lists(st.tuples(st.integers(0, 20_000), st.sampled_from("ab")), max_size=60)


@dataclass
class Passing:
    """Time that passes when told, in milliseconds."""

    ms: int = 0

    def __call__(self) -> float:
        return self.ms / 1_000


@given(LIMITS, STEPS)
def test_no_window_holds_more_than_the_limit_and_none_is_refused_below_it(
    limit: RateLimit, steps: list[tuple[int, str]]
) -> None:
    time = Passing()
    limiter = RateLimiter(time)
    through: dict[str, list[int]] = {"a": [], "b": []}
    for step, key in steps:
        time.ms += step
        within = [at for at in through[key] if at > time.ms - limit.window_ms]
        match limiter.spend(key, limit):
            case Allowed():
                assert len(within) < limit.most
                through[key].append(time.ms)
            case LimitExceeded():
                assert len(within) == limit.most


@given(LIMITS, STEPS)
def test_a_caller_is_admitted_exactly_after_the_announced_wait(
    limit: RateLimit, steps: list[tuple[int, str]]
) -> None:
    time = Passing()
    limiter = RateLimiter(time)
    for step, key in steps:
        time.ms += step
        refused = limiter.spend(key, limit)
        if isinstance(refused, LimitExceeded):
            time.ms += refused.wait_ms - 1
            assert isinstance(limiter.spend(key, limit), LimitExceeded)
            time.ms += 1
            assert limiter.spend(key, limit) == Allowed()


def test_a_thousand_names_cost_no_more_memory_than_a_few() -> None:
    limiter = RateLimiter(Passing(), max_keys=10)
    for number in range(1_000):
        assert limiter.spend(f"made up {number}", RateLimit(1, 1_000)) == Allowed()
        assert len(limiter) <= 10


def test_a_busy_caller_is_not_evicted_by_new_names() -> None:
    limiter = RateLimiter(Passing(), max_keys=10)
    assert limiter.spend("busy", RateLimit(1, 1_000)) == Allowed()
    for number in range(100):
        limiter.spend(f"stranger {number}", RateLimit(1, 1_000))
        assert isinstance(limiter.spend("busy", RateLimit(1, 1_000)), LimitExceeded)


def test_a_lowered_limit_counts_earlier_requests() -> None:
    time = Passing()
    limiter = RateLimiter(time)
    for _ in range(5):
        assert limiter.spend("a", RateLimit(5, 1_000)) == Allowed()
        time.ms += 100
    refused = limiter.spend("a", RateLimit(2, 1_000))
    assert refused == LimitExceeded(800)
    time.ms += 800
    assert limiter.spend("a", RateLimit(2, 1_000)) == Allowed()
