"""Health in a real browser: what needs attention, what is done about it, and the report."""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any, cast

import pytest
from playwright.sync_api import Error, Locator, Page, Route, expect

from browser.page import LOOKS, PAINTED, intercept, live, look_violations
from fakes.dashboard import Dashboard, OpenPage, Seen

pytestmark = pytest.mark.browser

Answer = dict[str, Any]

HARNESS = "claude-code"
FTS = {
    "id": "fts",
    "level": "danger",
    "title": "The keyword index is out of step",
    "text": "Search by words misses memories.",
    "command": "",
    "page": "",
    "action": "repair",
    "repair": "check-fts",
}


def issue(**changes: str) -> Answer:
    return {**FTS, "action": "", "repair": "", "level": "warn", **changes}


def panel(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def show_details(page: Page) -> None:
    """Unfold the figures."""
    page.locator("summary").filter(has_text="Details").click()


def line(page: Page, name: str, label: str) -> Locator:
    """Find the value of a line in a panel of the figures."""
    return (
        page.get_by_role("group", name=name, exact=True)
        .locator(".line")
        .filter(has=page.locator("dt", has_text=re.compile(f"^{label}$")))
        .locator(".value")
    )


def told(page: Page, text: str) -> Locator:
    """Find an issue."""
    return page.get_by_role("list", name="Issues").get_by_role("listitem").filter(has_text=text)


def answer_with(page: Page, change: Callable[[Answer], None], asked: str = "health") -> None:
    """Let the daemon's answer say something else besides."""

    def altered(route: Route) -> None:
        # A page that has gone on meanwhile takes no answer.
        with suppress(Error):
            reply = route.fetch()
            answer: Answer = reply.json()
            change(answer)
            route.fulfill(response=reply, json=answer)

    page.route(f"**/api/{asked}", altered)


def test_what_the_daemon_reports_is_shown_and_read_again(
    dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    dashboard.remember("The basalt is from the quarry in the north.")
    page = open_page(dashboard, "/status")
    # What would make it work is told, and nothing says that all is well.
    sentence = page.get_by_role("heading", level=2).first
    expect(sentence).to_contain_text("No agent is connected")
    expect(told(page, "No agent is connected.").get_by_role("link")).to_be_visible()
    expect(page.get_by_text("Spoke last No agent yet")).to_be_attached()
    expect(panel(page, "Backups")).to_contain_text("Restore test")
    # A domain opens its checks.
    page.locator("main button[aria-expanded=false]").first.click()
    checks = page.get_by_role("list", name=re.compile("^Checks of "))
    expect(checks.get_by_role("listitem")).not_to_have_count(0)
    show_details(page)
    expect(line(page, "Installation", "Process")).to_have_text(
        f"PID {dashboard.daemon.process.pid}"
    )
    expect(line(page, "Installation", "Address")).to_have_text(
        dashboard.url.removeprefix("http://")
    )
    # A change is seen before the next reading is due, and the processor's share at the second.
    live(page)
    total = dashboard.http.get("/api/memories", params={"limit": 1}).json()["stats"]["total"]
    dashboard.remember("The gabbro is darker than the granite.")
    expect(panel(page, "Storage")).to_contain_text(f"Memories {total + 1}")
    expect(page.get_by_role("img", name=re.compile(r"^CPU: \d+\.\d % now"))).to_be_visible()
    assert seen.problems == []


@pytest.mark.slow
def test_an_agent_that_spoke_is_named_first_and_its_hook_can_be_tested(
    empty_dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    (empty_dashboard.home / ".claude").mkdir()
    http, owner = empty_dashboard.http, empty_dashboard.daemon.owner
    path = f"/api/harnesses/{HARNESS}/connect"
    preview = http.post(path, json={"mode": "preview"}, headers=owner).raise_for_status().json()
    change = {"mode": "apply", "token": preview["token"]}
    http.post(path, json=change, headers=owner).raise_for_status()
    body = {"hook_event_name": "SessionStart", "session_id": "s", "cwd": str(empty_dashboard.home)}
    http.post(f"/api/hooks/native/{HARNESS}", json=body).raise_for_status()
    page = open_page(empty_dashboard, "/status")
    expect(page.get_by_role("heading", level=2).first).to_have_text(
        re.compile("All is well: one agent is connected; it last spoke")
    )
    row = page.get_by_role("table", name="Agents").get_by_role("row").filter(has_text="Claude Code")
    expect(row).to_contain_text("just now")
    row.get_by_role("button", name="Test the hook of Claude Code").click()
    expect(row).to_contain_text("The hook works: answered in ")
    assert look_violations(page, within="main") == []
    assert seen.problems == []


@pytest.mark.slow
def test_given_up_jobs_lead_to_the_queue(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard, "/help")
    dead = issue(id="failed_jobs", title="2 jobs failed", page="/status#queue")
    answer_with(page, lambda report: report["issues"].append(dead))
    page.goto(f"{dashboard.url}/status")
    expect(told(page, "2 jobs failed.").get_by_role("img", name="Warning:")).to_be_visible()
    told(page, "2 jobs failed.").get_by_role("link", name="Go to the queue").click()
    expect(page).to_have_url(f"{dashboard.url}/status#queue")
    expect(page.get_by_role("heading", name="Queue", exact=True)).to_be_focused()
    page.goto(f"{dashboard.url}/status#backups")
    expect(page.get_by_role("heading", name="Backups", exact=True)).to_be_focused()


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
        expect(told(page, "Setting agents.roster[1]")).to_have_count(2)
        told(page, "Setting search.alpha").get_by_role("link", name="Change in Settings").click()
        expect(page.get_by_role("heading", level=1, name="Settings")).to_be_visible()
        assert seen.problems == []
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
    expect(panel(page, "Storage")).to_contain_text("Ready")
    empty_dashboard.stop()
    expect(page.get_by_text(re.compile("^Last updated at "))).to_be_visible()
    expect(panel(page, "Storage")).to_contain_text("Ready")
    expect(page.get_by_role("heading", name="Current status unknown.")).to_be_visible()
    expect(page.get_by_role("button", name="Restore…").last).to_be_disabled()
    empty_dashboard.start_again()
    expect(page.get_by_text(re.compile("^Updated just now"))).to_be_visible()


def test_the_report_holds_no_content_and_no_home_folder(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    dashboard.remember("The chrysoprase belongs to nobody else.")
    page = open_page(dashboard, "/help")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    answer_with(page, lambda status: status.update(agentsDir="/home/kim/.agents"), "status")
    page.goto(f"{dashboard.url}/status")
    expect(panel(page, "Storage")).to_be_visible()
    page.keyboard.press("c")
    expect(page.get_by_text("Copied. It contains no memory content")).to_be_visible()
    text = page.evaluate("navigator.clipboard.readText()")
    assert "Workspace: ~/.agents" in text
    assert "Domains (composite " in text
    assert "chrysoprase" not in text
    assert "kim" not in text


@pytest.mark.slow
def test_a_repair_is_counted_then_run_and_can_be_undone(
    dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    sent: list[Answer] = []
    page = open_page(dashboard, "/status")
    answer_with(page, lambda report: report.update(issues=[FTS], isWell=False))
    reply = {"action": "check-fts", "success": True, "affected": 12, "clusters": 0}

    def repair(route: Route) -> None:
        sent.append(cast("Answer", route.request.post_data_json))
        if sent[-1]["dryRun"]:
            more = {"message": "12 rows would be added.", "runId": None, "canUndo": False}
        else:
            more = {"message": "12 rows added.", "runId": "r1", "canUndo": True}
        route.fulfill(json=reply | more)

    intercept(page, "**/api/repair/check-fts", repair)
    undone = {**reply, "message": "12 rows removed.", "runId": None, "canUndo": False}
    page.route("**/api/repair/runs/r1/undo", lambda route: route.fulfill(json=undone))
    page.keyboard.press("r")
    told(page, FTS["title"]).get_by_role("button", name="Repair…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("12 rows would be added.")
    assert sent == [{"dryRun": True, "limit": 100_000}]
    assert look_violations(page, within="dialog") == []
    dialog.get_by_role("button", name="Repair", exact=False).last.click()
    expect(page.get_by_text("12 rows added.")).to_be_visible()
    assert sent[1:] == [{"dryRun": False, "limit": 100_000}]
    page.keyboard.press("u")
    expect(page.get_by_text("12 rows removed.")).to_be_visible()
    assert seen.problems == []


def worst(report: Answer) -> None:
    """Let everything be the matter that can be."""
    long = "A page of the file is torn, which nobody expected to happen on a disk like this. " * 3
    report.update(
        isWell=False,
        sentence="Five things need attention, first: The database is read-only.",
        issues=[
            issue(id="a", level="danger", title="The database is read-only", text=long)
            | {"action": "restore"},
            FTS,
            issue(id="b", title="3 jobs failed", page="/status#queue"),
            issue(id="c", title="Hook events were rejected", command="intaglio daemon logs " * 4),
            issue(id="d", level="info", title="Capture is paused", page="/help/pause"),
        ],
    )
    for domain, result in zip(report["domains"], ("danger", "warn", "unknown"), strict=False):
        domain["score"] = 0.1
        domain["checks"][0]["result"] = result
        domain["line"] = long


def fits(page: Page) -> bool:
    """Tell whether nothing on it has to be scrolled sideways, in any size of the window."""
    scrolls = page.get_by_role("region", name="Health report")
    widths: list[bool] = []
    for _, (width, height) in LOOKS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(PAINTED)
        widths.append(bool(scrolls.evaluate("(one) => one.scrollWidth <= one.clientWidth")))
    return all(widths)


@pytest.mark.slow
def test_health_with_every_problem_fits_and_passes_axe(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    # When all is well, axe looks at it as at every view.
    page = open_page(dashboard, "/status")
    show_details(page)
    expect(line(page, "Installation", "Version")).to_be_visible()
    assert fits(page)
    answer_with(page, worst)
    page.reload()
    expect(told(page, "3 jobs failed.")).to_be_visible()
    assert fits(page)
    show_details(page)
    page.locator("summary").filter(has_text="All repairs").click()
    page.locator("main button[aria-expanded=false]").first.click()
    assert look_violations(page) == []
    assert fits(page)


@pytest.mark.slow
def test_everything_is_printed_in_full(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard, "/status")
    expect(panel(page, "Backups")).to_be_visible()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    expect(line(page, "Installation", "Version")).to_be_visible()
    expect(page.get_by_role("button", name="Test a restore")).to_be_hidden()
    scrolls = page.get_by_role("region", name="Health report")
    assert scrolls.evaluate("(one) => one.scrollHeight <= one.clientHeight + 1")


@pytest.mark.slow
def test_a_jump_of_the_clock_is_confirmed_with_a_button(
    dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(dashboard, "/help")
    jump = issue(id="clock", title="The computer's clock jumped") | {"action": "confirm-clock"}
    answer_with(page, lambda report: report["issues"].append(jump))
    page.goto(f"{dashboard.url}/status")
    with page.expect_request("**/api/clock/confirm") as asked:
        told(page, jump["title"]).get_by_role("button", name="The clock is right").click()
    answer = asked.value.response()
    assert answer is not None
    assert answer.status == 200
    page.unroute("**/api/health")
    page.keyboard.press("r")
    expect(told(page, jump["title"])).to_have_count(0)
    assert seen.problems == []
