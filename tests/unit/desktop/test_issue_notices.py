"""Of an issue the user is notified once while it stays, of a kind at most once an hour."""

from dataclasses import dataclass, field

import pytest

from intaglio.desktop.notifications.issue_notices import IssueNotices, follow_issues
from intaglio.desktop.notifications.messages import issue_notification
from intaglio.desktop.values import OpenAddress, OpenPage
from intaglio.domain.issues import Issue

DISK = Issue("disk", "danger", "Disk almost full", "Free up space.", page="/status#disk")
CODEX = Issue("hooks-codex", "warn", "Codex is connected in part", "To renew them, run", "intaglio")
ORPHANS = Issue(
    "orphans", "warn", "Rows are left over", "42 rows belong to nothing. Run", "intaglio"
)
CLAUDE = Issue("hooks-claude-code", "warn", "Claude Code is connected in part", "Renew them.")
HOUR_S = 3_600.0


@dataclass
class Followed:
    """The notices so far, and the ids of issues that are gone."""

    notices: IssueNotices = field(default_factory=IssueNotices)
    gone: tuple[str, ...] = ()

    def at(self, now_s: float, *issues: Issue) -> list[str]:
        change = follow_issues(self.notices, issues, now_s)
        self.notices, self.gone = change.notices, change.gone
        return [issue.id for issue in change.new]


def test_an_issue_is_notified_once_while_it_stays() -> None:
    seen = Followed()
    assert seen.at(0, DISK) == ["disk"]
    assert seen.at(15, DISK) == []
    assert seen.at(10 * HOUR_S, DISK) == []


def test_another_issue_of_the_kind_follows_after_an_hour_if_it_is_still_there() -> None:
    seen = Followed()
    assert seen.at(0, DISK, CODEX, CLAUDE) == ["disk", "hooks-codex"]
    assert seen.at(HOUR_S - 1, DISK, CODEX, CLAUDE) == []
    assert seen.at(HOUR_S, DISK, CODEX, CLAUDE) == ["hooks-claude-code"]


def test_an_issue_that_comes_and_goes_is_notified_at_most_once_an_hour() -> None:
    seen = Followed()
    assert seen.at(0, DISK) == ["disk"]
    assert (seen.at(60), seen.gone) == ([], ("disk",))
    assert seen.at(120, DISK) == []
    assert seen.at(HOUR_S, DISK) == ["disk"]


def test_a_notification_about_an_issue_leads_to_its_page_or_to_health() -> None:
    disk = issue_notification(DISK)
    assert (disk.kind, disk.issues, disk.click) == ("danger", ("disk",), OpenAddress(DISK.page))
    codex = issue_notification(CODEX)
    assert (codex.kind, codex.click) == ("issue", OpenPage("status"))
    elsewhere = Issue("x", "warn", "X", "", page="//example.org")
    assert issue_notification(elsewhere).click == OpenPage("status")


@pytest.mark.parametrize(
    ("issue", "text"),
    [(DISK, "Free up space."), (CODEX, ""), (ORPHANS, "42 rows belong to nothing.")],
)
def test_a_notification_says_what_happened_without_the_command(issue: Issue, text: str) -> None:
    assert issue_notification(issue).text == text
