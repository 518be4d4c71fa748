"""The table of results: the same text for the same results, and where it stands in the docs."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from bench.attack.probe import Broke, Held, Outcome, Skipped
from bench.attack.runner import Result

PAGE: Final = Path(__file__).resolve().parents[3] / "assets" / "docs" / "security.md"
BEGIN: Final = "<!-- Written by `python3 app bench attack --write`. -->"
TITLES: Final = MappingProxyType(
    {
        "file": "The database file",
        "index": "The full-text index",
        "upkeep": "Backups, special files, the clock, limits",
        "server": "Other users and many connections",
        "client": "A stranger on the port, and a daemon that hangs",
        "access": "Browsers, and agents that ask for others",
        "secrets": "Secrets",
        "fence": "Memories that speak as someone else",
        "capture": "Rules that somebody else plants",
        "projects": "Folders that pass for another project",
        "tools": "An agent that misuses its tools",
        "text": "Texts against each regular expression",
        "fuzz": "Random texts for ten minutes",
    }
)
"""The heading of each group."""
END: Final = "<!-- End of what is written. -->"


def verdict(outcome: Outcome) -> str:
    """Name an outcome in one word."""
    match outcome:
        case Held():
            return "held"
        case Broke():
            return "**broke**"
        case Skipped():
            return "skipped"


def _detail(outcome: Outcome) -> str:
    return outcome.reason if isinstance(outcome, Skipped) else outcome.detail


def _cell(text: str) -> str:
    """Make a cell of any text: printable ASCII stays, and nothing ends the cell or the line."""
    plain = "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)
    return plain.replace("|", "\\|").replace("<", "&lt;").strip()


def _row(result: Result) -> str:
    outcome = result.outcome
    tried = f"{outcome.held} of {outcome.tried}" if outcome.tried else ""
    cells = (result.probe.name, verdict(outcome), tried, _detail(outcome))
    return f"| {' | '.join(_cell(cell) for cell in cells)} |"


def summary(results: Sequence[Result]) -> str:
    """Return the totals in one sentence."""
    words = [verdict(result.outcome).strip("*") for result in results]
    return (
        f"{len(results)} probes: {words.count('held')} held, {words.count('broke')} broke, "
        f"{words.count('skipped')} skipped. {_total(results)}"
    )


def _total(results: Sequence[Result]) -> str:
    tried = sum(result.outcome.tried for result in results)
    return f"{tried} attempts: {sum(result.outcome.held for result in results)} held."


def render(results: Sequence[Result]) -> str:
    """Return the results as Markdown, grouped, in their order."""
    blocks = [summary(results)]
    for group, members in itertools.groupby(results, lambda result: result.probe.group):
        each = tuple(members)
        rows = "\n".join(_row(result) for result in each)
        head = "| Tried | Result | Held | Seen |\n|---|---|---|---|"
        blocks.append(f"### {TITLES.get(group, group)}\n\n{_total(each)}\n\n{head}\n{rows}")
    return "\n\n".join(blocks)


def replaced(page: str, text: str) -> str:
    """Return the page with this text between its marks; raises ValueError without them."""
    before, begin, rest = page.partition(BEGIN)
    _, close, after = rest.partition(END)
    if not begin or not close:
        raise ValueError(f"the page lacks its marks: {BEGIN} … {END}")
    return f"{before}{BEGIN}\n\n{text}\n\n{END}{after}"
