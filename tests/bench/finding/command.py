"""``python3 app bench finding``: twenty questions over two months of work, before and after.

Two projects are played through a real daemon among the conversations of other authors. Each
question is asked of what there was before (the search of memories, the list of projects in the
palette, and the search of the right page), and of ``GET /api/find``. An item is found if it is one
of the first three of its group, and its group one of the first three. ``--browser`` types them into
the dashboard and counts keystrokes, ``--large`` measures a large store, ``--real DIR`` asks notes
of real sessions of everything that was said in them.
"""

import argparse
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from bench.figures import cpu_ms, percentile
from bench.finding.data import FindingQuestion, Scenario, read_scenario
from bench.finding.large import measure_large
from bench.finding.played import Played, play
from bench.finding.real import measure_real
from bench.finding.surfaces import measure_surfaces
from bench.home import temporary_home
from fakes.daemon import running_daemon

_FIRST: Final = 3
_REPEATS: Final = 3


def main(arguments: list[str]) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python3 app bench finding", description=__doc__)
    parser.add_argument("--real", type=Path, metavar="DIR", help="labelled real sessions")
    parser.add_argument("--browser", action="store_true", help="ask them in the dashboard, too")
    parser.add_argument("--verbose", action="store_true", help="print what each question found")
    parser.add_argument("--large", action="store_true", help="what searches cost in a large store")
    parser.add_argument("--runs", type=int, default=15, help="of each kind of query, with --large")
    parser.add_argument("--against", type=Path, help="another checkout, with --large")
    parser.add_argument("--cache", type=Path, help="where the large store is kept")
    options = parser.parse_args(arguments)
    if options.large:
        with temporary_home() as home:
            measure_large(home, options.cache or home / "kept", options.runs, options.against)
        return
    with temporary_home() as home, running_daemon(home, fresh=True) as daemon:
        if options.real:
            measure_real(daemon, home, options.real)
            return
        scenario = read_scenario()
        played = play(daemon, home, scenario)
        _report(scenario, played, verbose=options.verbose)
        if options.browser:
            measure_surfaces(daemon, home, scenario, played)


@dataclass(slots=True)
class _Result:
    """Where the first wanted item of a question was: (group, place), from 1; None for nowhere."""

    question: FindingQuestion
    after: tuple[int, int] | None = None
    palette: bool = False
    page: bool = False
    found: list[str] = field(default_factory=list[str])

    @property
    def is_found(self) -> bool:
        """Whether it takes at most three keystrokes beyond the words."""
        return self.after is not None and max(self.after) <= _FIRST


def _report(scenario: Scenario, played: Played, *, verbose: bool) -> None:
    results = [_asked(each, scenario, played) for each in scenario.questions]
    print(f"\n{'question':34} {'palette':>8} {'page':>6} {'find':>6}   group, place")
    for each in results:
        place = f"{each.after[0]}, {each.after[1]}" if each.after else "-"
        marks = [_mark(value) for value in (each.palette, each.page, each.is_found)]
        print(f"{each.question.ask:34} {marks[0]:>8} {marks[1]:>6} {marks[2]:>6}   {place}")
        for line in each.found if verbose else ():
            print(f"      {line}")
    for label, own in (
        ("all", results),
        ("sharing a word", [each for each in results if each.question.shares]),
        ("not sharing one", [each for each in results if not each.question.shares]),
    ):
        palette, page = sum(each.palette for each in own), sum(each.page for each in own)
        after = sum(each.is_found for each in own)
        print(f"{label:34} {palette:>5}/{len(own)} {page:>3}/{len(own)} {after:>3}/{len(own)}")
    _print_cost(scenario, played)


def _mark(value: bool) -> str:
    return "yes" if value else "no"


def _asked(question: FindingQuestion, scenario: Scenario, played: Played) -> _Result:
    result = _Result(question)
    groups = played.get("/api/find", q=question.ask)["groups"]
    for number, group in enumerate(groups, 1):
        for place, item in enumerate(group["items"], 1):
            result.found.append(f"{group['kind']:8} {item['score']:.2f} {item['title'][:80]}")
            if result.after is None and any(
                played.is_wanted(each, scenario, group["kind"], item) for each in question.wanted
            ):
                result.after = number, place
    result.palette = _in_palette(question, scenario, played)
    result.page = result.palette or _on_page(question, scenario, played)
    return result


def _in_palette(question: FindingQuestion, scenario: Scenario, played: Played) -> bool:
    """Whether the palette found it before: memories by recall, projects by their names."""
    recalled = played.get("/api/memory/search", q=question.ask, limit=_FIRST)["results"]
    memories = [{"title": each["content"]} for each in recalled]
    projects = [
        {"title": each["name"]}
        for each in played.get("/api/projects")["projects"]
        if question.ask.lower() in each["name"].lower()
    ]
    listed = {"memory": memories, "project": projects[:_FIRST]}
    return _is_listed(question, scenario, played, listed)


def _on_page(question: FindingQuestion, scenario: Scenario, played: Played) -> bool:
    """Whether the search of the page of its kind found it, for whoever knows which that is."""
    ask = question.ask
    entities = played.get("/api/knowledge/entities", q=ask, limit=_FIRST)["items"]
    commits = played.get("/api/commits", q=ask, limit=_FIRST)["commits"]
    listed = {
        "entity": [{"title": each["entity"]["name"]} for each in entities],
        "commit": [{"title": each["subject"]} for each in commits],
        "inbox": [],
        "session": [],
    }
    return _is_listed(question, scenario, played, listed)


def _is_listed(
    question: FindingQuestion,
    scenario: Scenario,
    played: Played,
    listed: Mapping[str, Sequence[Any]],
) -> bool:
    return any(
        played.is_wanted(wanted, scenario, kind, each)
        for wanted in question.wanted
        for kind, items in listed.items()
        for each in items
    )


def _print_cost(scenario: Scenario, played: Played) -> None:
    asked = [each.ask for each in scenario.questions]
    spent: list[float] = []
    for _ in range(_REPEATS):
        for each in asked:
            before = cpu_ms(played.pid)
            played.get("/api/find", q=each)
            spent.append(cpu_ms(played.pid) - before)
    print(
        f"\nCPU of a search: p50 {statistics.median(spent):.0f} ms, "
        f"p95 {percentile(spent, 0.95):.0f} ms"
    )
