"""Which backups a rotation keeps."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.base.clock import iso
from intaglio.store.backup_retention import good_backups, select_kept
from intaglio.store.values import Backup

MONDAY = datetime(2026, 1, 5, 8, tzinfo=UTC)


def backup(day: float, memories: int | None, *, in_future: bool = False) -> Backup:
    made = MONDAY + timedelta(days=day)
    return Backup(Path(f"{day}"), 1, iso(made), memories, in_future=in_future)


def newest_first(*memories: int | None) -> list[Backup]:
    """One backup a day from Monday on, with these numbers of memories."""
    return [backup(day, count) for day, count in enumerate(memories)][::-1]


def days(kept: set[Backup]) -> set[int]:
    return {int(each.file.name) for each in kept}


@pytest.mark.parametrize(
    ("memories", "keep", "kept"),
    [
        # A plain week of a store that doesn't change: the newest, yesterday's, and Monday's.
        ((10, 10, 10, 10, 10), 1, {0, 3, 4}),
        # The store was lost on the third day: what was good stays, however many follow.
        ((10, 10, 0, 0, 0, 0), 1, {0, 1, 5}),
        ((10, 10, 4, 4, 4, 4), 1, {0, 1, 5}),
        # Half of them is a clean-up.
        ((10, 10, 5, 5, 5, 5), 1, {0, 1, 4, 5}),
        # Lost little by little: the fullest stays.
        ((10, 99, 60, 40, 30, 20, 15), 1, {0, 1, 5, 6}),
        # Nothing to protect.
        ((0, 0, 0), 1, {2}),
        # One whose memories can't be counted has the places of the newest only.
        ((10, None, None), 1, {0, 2}),
    ],
)
def test_backup_rotation_keeps_the_expected_copies(
    memories: tuple[int, ...], keep: int, kept: set[int]
) -> None:
    assert days(select_kept(newest_first(*memories), keep)) == kept


def test_the_first_backup_of_each_of_two_weeks_is_kept() -> None:
    backups: list[Backup] = []
    for day in range(30):
        backups.insert(0, backup(day, 10 + day))
        backups = [each for each in backups if each in select_kept(backups, 1)]
    # Day 29 is a Tuesday: Mondays are the days 21 and 28.
    assert [int(each.file.name) for each in backups] == [29, 28, 21]


def test_a_backup_from_the_future_does_not_count_for_a_week() -> None:
    ahead = backup(300, 10, in_future=True)
    backups = [backup(1, 10), backup(0, 10), ahead]
    assert ahead not in select_kept(backups, 1)


@given(
    st.lists(st.one_of(st.none(), st.integers(0, 100)), max_size=40),
    st.integers(1, 9),
)
def test_the_last_good_backup_always_stays(memories: list[int | None], keep: int) -> None:
    backups = newest_first(*memories)
    kept = select_kept(backups, keep)
    assert set(backups[:keep]) | set(good_backups(backups)[:1]) <= kept
    assert len(kept) <= keep + 6
