"""Status in a real browser: what is told, what is done when the daemon is lost, and the report."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Error, Locator, Page, Route, expect

from browser.page import LOOKS, PAINTED, live, look_violations
from fakes.dashboard import Dashboard, OpenPage, Seen
from intaglio.api.status.issues import find_issues
from intaglio.domain.issues import Issue
from intaglio.lifecycle.clock_guard import ClockJump, clock_issue
from intaglio.wire.status import Status

pytestmark = pytest.mark.browser

Answer = dict[str, Any]


def panel(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def show_details(page: Page) -> None:
    """Unfold the figures."""
    page.locator("summary").filter(has_text="Details").click()


def line(page: Page, name: str, label: str) -> Locator:
    """Find the value of a line in a panel."""
    return (
        panel(page, name)
        .locator(".line")
        .filter(has=page.locator("dt", has_text=re.compile(f"^{label}$")))
        .locator(".value")
    )


def answer_with(page: Page, change: Callable[[Answer], None], also: Sequence[Issue] = ()) -> None:
    """Let the daemon's status say something else besides, and find the issues of that.

    ``also`` are those that packages find themselves.
    """

    def altered(route: Route) -> None:
        # A page that has gone on meanwhile takes no answer.
        with suppress(Error):
            reply = route.fetch()
            status: Answer = reply.json()
            change(status)
            found = find_issues(msgspec.convert(status, Status))
            status["issues"] = msgspec.to_builtins([*also, *found])
            route.fulfill(response=reply, json=status)

    page.route("**/api/status", altered)


def test_what_the_daemon_reports_is_shown_with_units_and_read_again(
    dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    dashboard.remember("The basalt is from the quarry in the north.")
    total = dashboard.http.get("/api/memories", params={"limit": 1}).json()["stats"]["total"]
    page = open_page(dashboard, "/status")
    show_details(page)
    expect(line(page, "Database", "Memories")).to_have_text(str(total))
    expect(line(page, "Process", "RAM")).to_have_text(re.compile(r"^\d+(\.\d+)? MB$"))
    expect(line(page, "Process", "Process")).to_have_text(f"PID {dashboard.daemon.process.pid}")
    expect(line(page, "Process", "Address")).to_have_text(dashboard.url.removeprefix("http://"))
    expect(line(page, "Settings", "agent.yaml")).to_have_text("Valid")
    # What would make it work is told, and nothing says that all is well.
    told = page.get_by_role("listitem").filter(has_text="No agent is connected.")
    expect(told.get_by_role("link", name="Connections")).to_be_visible()
    expect(page.get_by_text("Everything is working.", exact=True)).to_have_count(0)
    # A change is seen before the next reading is due.
    live(page)
    dashboard.remember("The gabbro is darker than the granite.")
    expect(line(page, "Database", "Memories")).to_have_text(str(total + 1))
    # Read again, it knows the processor's share.
    expect(line(page, "Process", "CPU")).to_have_text(re.compile(r"^\d+\.\d %$"))
    expect(page.get_by_role("img", name=re.compile("^CPU: .* now"))).to_be_visible()
    assert seen.problems == []
    # Samples outlive a change of view; no new reading comes.
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Help").click()
    expect(page.get_by_role("heading", level=1, name="Help")).to_be_visible()
    page.route("**/api/status", lambda route: None)  # noqa: ARG005 - its signature is asked
    page.go_back()
    expect(line(page, "Process", "CPU")).to_have_text(re.compile("%"))


@pytest.mark.slow
def test_given_up_jobs_lead_to_the_queue(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard, "/help")
    answer_with(page, lambda status: status["queue"].update(dead=2))
    page.goto(f"{dashboard.url}/status")
    told = page.get_by_role("listitem").filter(has_text="2 jobs failed.")
    expect(told.get_by_role("img", name="Warning:")).to_be_visible()
    show_details(page)
    expect(line(page, "Jobs", "Failed")).to_contain_text("2")
    told.get_by_role("link", name="Go to the queue").click()
    expect(page).to_have_url(f"{dashboard.url}/status#queue")
    expect(page.get_by_role("heading", name="Queue", exact=True)).to_be_focused()


@pytest.mark.slow
def test_every_problem_of_the_settings_is_shown(
    dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    settings = dashboard.home / "agents" / "agent.yaml"
    before = settings.read_text(encoding="utf-8") if settings.exists() else None
    roster = "agents:\n  roster:\n    - id: a\n    - id: a\n      read_policy: bogus\n"
    settings.write_text(f"search:\n  alpha: much\n{roster}", encoding="utf-8")
    try:
        page = open_page(dashboard, "/status")
        show_details(page)
        told = page.get_by_role("listitem").filter(has_text="Setting agents.roster[1]")
        expect(told).to_have_count(2)
        expect(line(page, "Settings", re.escape("agents.roster[1]"))).to_have_count(2)
        assert seen.problems == []
        told = page.get_by_role("listitem").filter(has_text="Setting search.alpha")
        expect(told).to_be_visible()
        expect(line(page, "Settings", re.escape("search.alpha"))).to_be_visible()
        told.get_by_role("link", name="Change in Settings").click()
        expect(page.get_by_role("heading", level=1, name="Settings")).to_be_visible()
    finally:
        if before is None:
            settings.unlink()
        else:
            settings.write_text(before, encoding="utf-8")


@pytest.mark.slow
def test_a_lost_daemon_leaves_the_last_values_and_says_so(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(empty_dashboard, "/status")
    show_details(page)
    expect(line(page, "Database", "State")).to_have_text("Ready")
    empty_dashboard.stop()
    expect(page.get_by_text(re.compile("^Last updated at "))).to_be_visible()
    expect(line(page, "Database", "State")).to_have_text("Ready")
    expect(page.get_by_text("Current status unknown.").last).to_be_visible()
    empty_dashboard.start_again()
    expect(page.get_by_text(re.compile("^Updated just now"))).to_be_visible()


def test_the_report_holds_no_content_and_no_home_folder(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    dashboard.remember("The chrysoprase belongs to nobody else.")
    page = open_page(dashboard, "/help")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    answer_with(page, lambda status: status.update(agentsDir="/home/kim/.agents"))
    page.goto(f"{dashboard.url}/status")
    expect(panel(page, "Queue")).to_be_visible()
    page.keyboard.press("c")
    expect(page.get_by_text("Copied. It contains no memory content")).to_be_visible()
    text = page.evaluate("navigator.clipboard.readText()")
    assert "Workspace: ~/.agents" in text
    assert "Memories: " in text
    assert "chrysoprase" not in text
    assert "kim" not in text


def worst(status: Answer) -> None:
    """Let everything be the matter that can be."""
    status.update(state="degraded", reason="A page of the file is torn.")
    status["queue"].update(dead=3)
    status["store"].update(spoolRejected=2)
    status["process"].update(diskFreeBytes=300_000_000)
    status["settingProblems"] = [{"key": "search.alpha", "message": "has to be a number"}]
    status["capture"] = {"paused": True}


def fits(page: Page) -> bool:
    """Tell whether nothing on it has to be scrolled sideways, in any size of the window."""
    scrolls = page.get_by_role("region", name="Daemon status")
    widths: list[bool] = []
    for _, (width, height) in LOOKS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(PAINTED)
        widths.append(bool(scrolls.evaluate("(one) => one.scrollWidth <= one.clientWidth")))
    return all(widths)


@pytest.mark.slow
def test_status_with_every_problem_fits_and_passes_axe(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    # When all is well, axe looks at it as at every view.
    page = open_page(dashboard, "/status")
    show_details(page)
    expect(panel(page, "Process")).to_be_visible()
    assert fits(page)
    answer_with(page, worst)
    page.reload()
    expect(page.get_by_role("listitem").filter(has_text="3 jobs failed.")).to_be_visible()
    assert fits(page)
    show_details(page)
    assert look_violations(page) == []
    assert fits(page)


@pytest.mark.slow
def test_a_jump_of_the_clock_is_confirmed_with_a_button(
    dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(dashboard, "/status")
    jumped = {"aheadS": 14 * 86_400, "resumesInS": 80_000}
    clock = ClockJump(timedelta(days=14), timedelta(seconds=80_000))
    answer_with(page, lambda status: status.update(clock=jumped), [clock_issue(clock)])
    issue = page.get_by_role("listitem").filter(has_text="The computer's clock jumped.")
    expect(issue).to_contain_text("It's 14 days ahead of the expected time.")
    with page.expect_request("**/api/clock/confirm") as asked:
        issue.get_by_role("button", name="The clock is right").click()
    answer = asked.value.response()
    assert answer is not None
    assert answer.status == 200
    page.unroute("**/api/status")
    expect(issue).to_have_count(0)
    assert seen.problems == []
