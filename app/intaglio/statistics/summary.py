"""Says what was learned in a sentence or two; pure."""

from collections.abc import Mapping
from typing import Final

from intaglio.base.text import count_of
from intaglio.domain.statistics_ranges import StatisticsRange
from intaglio.statistics.report import StatisticsReport

_SINCE: Final[Mapping[StatisticsRange, str]] = {
    "7": "In the last 7 days",
    "30": "In the last 30 days",
    "90": "In the last 90 days",
}


def summary(report: StatisticsReport, project: str | None = None) -> str:
    """Return a true sentence about a report; ``project`` is the name of its project, if it has one.

    It names no memory.
    """
    if report.is_empty:
        return f"Nothing to count yet{f' in {project}' if project else ''}."
    when = _SINCE.get(report.range) or f"Since {report.first.day} {report.first:%B %Y}"
    where = _where(report, project)
    learned = report.totals.get("learned", 0)
    told = report.totals.get("told", 0)
    lost = max(0, report.totals.get("forgotten", 0) - report.totals.get("restored", 0))
    if not learned:
        found = f"{when}, Intaglio learned nothing new{f' in {project}' if project else ''}"
        more = [f"it told agents what it knew {_times(told)}"] if told else []
        more += [f"you forgot {lost:,}"] if lost else []
        return f"{found}; {' and '.join(more)}." if more else f"{found}."
    used = report.totals.get("used_told", 0)
    them = "it" if learned == 1 else "them"
    was = "was" if used == 1 else "were"
    clauses = [f"{used:,} of them {was} told to agents" if learned > 1 else _single(used)]
    if not used:
        clauses = [f"no agent has been told {them} yet"]
    if lost:
        clauses.append(f"you forgot {lost:,}")
    what = count_of(learned, "memory", "memories")
    return f"{when}, Intaglio learned {what}{where}; {', and '.join(clauses)}."


def _single(used: int) -> str:
    return "it was told to agents" if used else ""


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _where(report: StatisticsReport, project: str | None) -> str:
    if project:
        return f" in {project}"
    projects = report.projects_learned
    if not projects:
        return ""
    return f" in {count_of(projects, 'project', 'projects')}"
