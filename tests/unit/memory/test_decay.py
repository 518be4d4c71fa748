"""Importance fades with disuse, and nothing else changes it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.base.clock import iso
from intaglio.memory.decay import Aging
from intaglio.memory.values import Memory, Scope, Source

NOW = datetime(2026, 1, 31, 8, tzinfo=UTC)
MEMORY = Memory(
    seq=1,
    id="m",
    content="We use tabs.",
    type="rule",
    importance=0.8,
    confidence=1.0,
    pinned=False,
    tags=(),
    who="user",
    why=None,
    scope=Scope(),
    source=Source(),
    session_id=None,
    runtime_path=None,
    created_at=iso(NOW),
    updated_at=iso(NOW),
    updated_by="user",
    last_accessed=None,
    access_count=0,
    version=1,
    is_deleted=False,
    deleted_at=None,
    extraction_status="none",
    embedding_model=None,
    worded_at=iso(NOW),
)
shares = st.floats(0, 1)
rates = st.floats(0.5, 1)
days = st.floats(0, 5_000)


def idle(importance: float, idle_days: float, *, pinned: bool = False) -> Memory:
    since = iso(NOW - timedelta(days=idle_days))
    return replace(MEMORY, importance=importance, created_at=since, pinned=pinned)


def test_after_ten_idle_days_the_tenth_power_of_the_rate_is_left() -> None:
    assert Aging(0.95, NOW).effective_importance(idle(0.8, 10)) == pytest.approx(0.8 * 0.95**10)


def test_a_recall_restarts_the_decay() -> None:
    recalled = replace(idle(0.8, 100), last_accessed=iso(NOW - timedelta(days=1)))
    assert Aging(0.95, NOW).effective_importance(recalled) == pytest.approx(0.8 * 0.95)


def test_a_time_in_the_future_counts_as_now() -> None:
    assert Aging(0.95, NOW).effective_importance(idle(0.8, -40)) == 0.8


@given(shares, rates, days)
def test_decayed_importance_stays_between_zero_and_the_importance(
    importance: float, rate: float, idle_days: float
) -> None:
    assert 0 <= Aging(rate, NOW).effective_importance(idle(importance, idle_days)) <= importance


@given(shares, rates, days, days)
def test_longer_disuse_never_leaves_more(
    importance: float, rate: float, one: float, other: float
) -> None:
    aging, (short, long) = Aging(rate, NOW), sorted((one, other))
    assert aging.effective_importance(idle(importance, long)) <= aging.effective_importance(
        idle(importance, short)
    )


@given(shares, rates, st.integers(0, 200), st.integers(0, 200))
def test_days_of_disuse_add_up(importance: float, rate: float, first: int, then: int) -> None:
    aging = Aging(rate, NOW)
    step = aging.effective_importance(
        idle(aging.effective_importance(idle(importance, first)), then)
    )
    assert step == pytest.approx(
        aging.effective_importance(idle(importance, first + then)), abs=1e-9
    )


@given(shares, rates, days)
def test_a_pinned_memory_does_not_fade(importance: float, rate: float, idle_days: float) -> None:
    assert Aging(rate, NOW).effective_importance(idle(importance, idle_days, pinned=True)) == 1


@given(shares, days)
def test_at_a_rate_of_one_nothing_fades(importance: float, idle_days: float) -> None:
    assert Aging(1.0, NOW).effective_importance(idle(importance, idle_days)) == importance
