"""The sentence about what was learned."""

from datetime import date
from typing import cast

import pytest

from intaglio.domain.statistics_ranges import StatisticsRange
from intaglio.statistics.report import Figures, GroupFigures, StatisticsReport
from intaglio.statistics.summary import summary


def report(
    totals: dict[str, int], *projects: str, range_: StatisticsRange = "7"
) -> StatisticsReport:
    """Make a report of a store that isn't empty."""
    learned = cast("Figures", {"learned": 1})
    return StatisticsReport(
        range=range_,
        first=date(2026, 3, 1),
        last=date(2026, 3, 7),
        step="day",
        project=None,
        totals=cast("Figures", totals),
        points=(),
        projects=tuple(GroupFigures(key, learned, (), ()) for key in projects),
        types=(),
        origins=(),
        memories=1,
    )


@pytest.mark.parametrize(
    ("totals", "said"),
    [
        ({}, "In the last 7 days, Intaglio learned nothing new."),
        (
            {"told": 3, "forgotten": 2, "restored": 1},
            (
                "In the last 7 days, Intaglio learned nothing new; it told agents what it knew "
                "3 times and you forgot 1."
            ),
        ),
        (
            {"learned": 42, "used_told": 31, "forgotten": 3},
            (
                "In the last 7 days, Intaglio learned 42 memories in 2 projects; 31 of them were "
                "told to agents, and you forgot 3."
            ),
        ),
        (
            {"learned": 1, "used_told": 1},
            "In the last 7 days, Intaglio learned 1 memory in 2 projects; it was told to agents.",
        ),
        (
            {"learned": 2},
            (
                "In the last 7 days, Intaglio learned 2 memories in 2 projects; no agent has been "
                "told them yet."
            ),
        ),
    ],
)
def test_it_says_what_was_learned_told_and_forgotten(totals: dict[str, int], said: str) -> None:
    assert summary(report(totals, "/a", "/b", "")) == said


def test_all_days_begin_with_the_first() -> None:
    said = summary(report({"learned": 2}, "/a", range_="all"))
    assert said.startswith("Since 1 March 2026, Intaglio learned 2 memories in 1 project;")
