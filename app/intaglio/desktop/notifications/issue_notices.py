"""When the user is notified of an issue: once while it stays, a kind once an hour; pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from intaglio.domain.issues import Issue

_EVERY_S: Final = 3_600.0


@dataclass(frozen=True, slots=True)
class IssueNotices:
    """The issues there were, those that the user was notified of, and each kind's latest notice.

    Issues and kinds are ids; times are monotonic seconds.
    """

    present: frozenset[str] = frozenset()
    notified: frozenset[str] = frozenset()
    latest: Mapping[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True, slots=True)
class IssueChange:
    """What follows from the issues there are now: new notices, and ids of issues that are gone."""

    notices: IssueNotices
    new: tuple[Issue, ...] = ()
    gone: tuple[str, ...] = ()


def kind_of_issue(issue: str) -> str:
    """Return the kind of an issue: what precedes a hyphen in its id."""
    return issue.partition("-")[0]


def follow_issues(before: IssueNotices, issues: Sequence[Issue], now_s: float) -> IssueChange:
    """Return whom to notify of; ``issues`` are those that need a person, worst first.

    One that waits because its kind was notified less than an hour ago follows, if it's still there.
    """
    present = frozenset(issue.id for issue in issues)
    notified, latest = before.notified & present, dict(before.latest)
    new: list[Issue] = []
    for issue in issues:
        kind = kind_of_issue(issue.id)
        is_early = kind in latest and now_s - latest[kind] < _EVERY_S
        if issue.id not in notified and not is_early:
            new.append(issue)
            notified |= {issue.id}
            latest[kind] = now_s
    gone = tuple(sorted(before.present - present))
    return IssueChange(IssueNotices(present, notified, latest), tuple(new), gone)


def is_about_database(issue: Issue) -> bool:
    """Return whether an issue is what the daemon's health says of a read-only database too."""
    return kind_of_issue(issue.id) == "database"
