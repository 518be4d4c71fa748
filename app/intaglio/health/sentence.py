"""How the installation is, in one sentence."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from intaglio.base.clock import parse_moment
from intaglio.domain.health import HealthDomain
from intaglio.domain.issues import Issue
from intaglio.health.values import DomainHealth

_NUMBERS: Final = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
_MINUTE_S: Final = 60
_HOUR_S: Final = 3_600
_DAY_S: Final = 86_400


def write_sentence(
    issues: Sequence[Issue],
    domains: Mapping[HealthDomain, DomainHealth],
    now: datetime,
    *,
    is_complete: bool,
) -> str:
    """Return the sentence; ``issues`` come worst first, ``is_complete`` if every check is known."""
    wrong = [issue for issue in issues if issue.level != "info"]
    if len(wrong) == 1:
        return f"One thing needs attention: {wrong[0].title}."
    if wrong:
        return f"{_number(len(wrong))} things need attention, first: {wrong[0].title}."
    if not is_complete:
        first = next(iter(issues), None)
        return f"{first.title}." if first else "Not everything could be checked yet."
    meanwhile = f" Meanwhile: {issues[0].title}." if issues else ""
    return f"{_agents(domains, now)}{meanwhile}"


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"


def _agents(domains: Mapping[HealthDomain, DomainHealth], now: datetime) -> str:
    agents = domains.get("agents")
    connected = agents and agents.figure("connectedAgents")
    last = agents and agents.figure("lastEventAt")
    if not connected or not isinstance(connected.value, int | float) or not connected.value:
        return "Nothing needs attention."
    count = int(connected.value)
    verb, they = ("agent is", "it") if count == 1 else ("agents are", "the last one")
    spoke = parse_moment(last.value) if last and isinstance(last.value, str) else None
    if spoke is None:
        none = "it hasn't spoken" if count == 1 else "none has spoken"
        return f"All is well: {_number(count).lower()} {verb} connected; {none} yet."
    spoken = _spoke(spoke, now, count)
    return f"All is well: {_number(count).lower()} {verb} connected; {they} {spoken}."


def _spoke(spoke: datetime, now: datetime, count: int) -> str:
    passed = (now - spoke).total_seconds()
    last = "last spoke" if count == 1 else "spoke"
    if passed < _MINUTE_S:
        return f"{last} just now"
    for size, word in ((_DAY_S, "day"), (_HOUR_S, "hour"), (_MINUTE_S, "minute")):
        if passed >= size:
            number = int(passed // size)
            return f"{last} {number} {word}{'' if number == 1 else 's'} ago"
    return last
