"""The frame of the attacks: each probe gets its verdict, and the table is the same every time."""

import time
from contextlib import suppress
from pathlib import Path

import pytest

from bench.attack.arena import Arena, SharedDaemon
from bench.attack.command import PROBES
from bench.attack.probe import Broke, Held, Outcome, Probe, Skipped, judge
from bench.attack.runner import Result, attempt, run_all
from bench.attack.table import BEGIN, END, PAGE, TITLES, render, replaced, summary

OUTCOMES: tuple[Outcome, ...] = (
    Held("nothing lost", 40),
    Broke("a | b\n<i>", 10, 7),
    Skipped("needs root"),
)


def arena_in(folder: Path) -> Arena:
    return Arena(folder, SharedDaemon(folder / "shared"))


def results() -> list[Result]:
    def run(_arena: Arena) -> Outcome:
        raise AssertionError

    names = ("one", "two", "three")
    return [
        Result(Probe("file" if name != "three" else "server", name, run), outcome)
        for name, outcome in zip(names, OUTCOMES, strict=True)
    ]


def test_a_failing_probe_counts_as_broken_and_the_next_one_runs(tmp_path: Path) -> None:
    ended: list[str] = []

    def fail(arena: Arena) -> Outcome:
        arena.at_end(lambda: ended.append("first"))
        raise OSError(f"no such file: {arena.home}/x")

    probes = [Probe("file", "fails", fail), Probe("file", "holds", lambda _: Held())]
    told: list[Result] = []
    found = [result.outcome for result in run_all(probes, tmp_path, told.append)]
    assert found == [Broke("OSError: no such file: ~/x"), Held()]
    assert [result.outcome for result in told] == found
    assert ended == ["first"]


def test_a_hanging_probe_counts_as_broken(tmp_path: Path) -> None:
    def hang(_arena: Arena) -> Outcome:
        while True:
            # What a probe does that waits for a daemon.
            with suppress(Exception):
                time.sleep(60)

    assert attempt(Probe("file", "hangs", hang, 0.05), arena_in(tmp_path)) == Broke(
        "not over after 0 s"
    )


@pytest.mark.parametrize(
    ("broken", "tried", "outcome"),
    [
        ([], 3, Held("fine", 3)),
        (["a", "b"], 3, Broke("a; b", 3, 1)),
        ([], 0, Broke("nothing was tried", 0)),
    ],
)
def test_attempts_of_a_kind_are_combined(broken: list[str], tried: int, outcome: Outcome) -> None:
    assert judge(broken, tried, "fine") == outcome


def test_the_table_names_each_attempt_and_the_totals() -> None:
    text = render(results())
    assert summary(results()) in text
    assert summary(results()).endswith("50 attempts: 47 held.")
    assert "| one | held | 40 of 40 | nothing lost |" in text
    assert r"| two | **broke** | 7 of 10 | a \| b\u000a&lt;i> |" in text
    assert "### Other users and many connections\n\n0 attempts: 0 held." in text
    assert {probe.group for probe in PROBES} == set(TITLES)


def test_the_page_has_a_place_for_the_table() -> None:
    page = PAGE.read_text(encoding="utf-8")
    written = replaced(page, "new")
    assert written.count("new\n\n" + END) == 1
    assert written.partition(BEGIN)[0] == page.partition(BEGIN)[0]
    with pytest.raises(ValueError, match="lacks its marks"):
        replaced("# A page", "new")


def test_no_two_probes_share_a_name_and_groups_stand_together() -> None:
    names = [(probe.group, probe.name) for probe in PROBES]
    assert len(set(names)) == len(names)
    groups = [group for group, _ in names]
    assert groups == sorted(groups, key=groups.index)
