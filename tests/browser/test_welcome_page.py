"""The Welcome page: four steps, each skipped or done, up to the first memory that is told."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.page import live, look_violations
from fakes.dashboard import Dashboard, OpenPage, Seen

pytestmark = pytest.mark.browser

HARNESS = "claude-code"
RULE = "From now on, run the linter before each commit."
DECISION = "We decided to keep all invoices in Postgres."


@pytest.fixture
def agent(empty_dashboard: Dashboard) -> Path:
    """The settings of an agent that isn't connected, and has a session from before."""
    folder = empty_dashboard.home / ".claude"
    said = folder / "projects" / "-work-lantern"
    said.mkdir(parents=True)
    line = {
        "type": "user",
        "uuid": "u1",
        "sessionId": "s1",
        "cwd": "/work/lantern",
        "timestamp": "2026-01-02T10:00:00Z",
        "message": {"role": "user", "content": DECISION},
    }
    (said / "s1.jsonl").write_text(json.dumps(line) + "\n")
    settings = folder / "settings.json"
    settings.write_text("{}\n")
    return settings


def start_session(dashboard: Dashboard, session: str) -> None:
    cwd = str(dashboard.home)
    body = {"hook_event_name": "SessionStart", "session_id": session, "cwd": cwd}
    dashboard.http.post(f"/api/hooks/native/{HARNESS}", json=body).raise_for_status()


def step(page: Page, name: str) -> None:
    """Wait until a step is shown."""
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()


@pytest.mark.slow
def test_a_newcomer_is_led_from_nothing_to_the_first_memory_that_a_session_is_told(
    empty_dashboard: Dashboard, agent: Path, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(empty_dashboard, "/")
    step(page, "Connect your agents")
    live(page)
    main = page.locator("main")
    assert look_violations(page) == []
    main.get_by_role("button", name="Connect Claude Code").click()
    page.get_by_role("dialog").get_by_role("button", name="Apply").click()
    expect(main.get_by_role("img", name="Done")).to_have_count(1)
    assert "claude-code.py" in agent.read_text()
    main.get_by_role("button", name="Continue").click()
    step(page, "Import past sessions")
    main.get_by_role("button", name="Preview").click()
    expect(main.get_by_text("1 memory would be kept")).to_be_visible()
    assert look_violations(page) == []
    main.get_by_role("button", name="Skip this step").click()
    step(page, "What is kept and told")
    expect(
        main.get_by_text("Would be kept as a rule for the project of the session.")
    ).to_be_visible()
    expect(main.locator("pre")).to_contain_text(f"- {RULE}")
    assert look_violations(page) == []
    assert empty_dashboard.http.get("/api/memories").json()["memories"] == []
    main.get_by_role("button", name=f"Save for all projects: {RULE}").click()
    expect(page.get_by_text("Saved for all projects.")).to_be_visible()
    page.reload()
    step(page, "What is kept and told")
    expect(main.get_by_role("img", name="Skipped")).to_have_count(1)
    main.get_by_role("button", name="Continue").click()
    step(page, "Notifications and start")
    login = main.get_by_role("switch", name="Start at login")
    expect(login).to_be_enabled()
    expect(login).not_to_be_checked()
    main.get_by_text("Problems only").click()
    expect(main.get_by_role("radio", name="Problems only")).to_be_checked()
    assert look_violations(page) == []
    main.get_by_role("button", name="Continue").click()
    step(page, "What happens next")
    way = main.get_by_role("list", name="The way to the first memory")
    expect(way.get_by_role("img", name="Done")).to_have_count(2)
    start_session(empty_dashboard, "one")
    expect(way.get_by_role("img", name="Done")).to_have_count(4)
    expect(way.get_by_text(RULE)).to_be_visible()
    expect(way.get_by_text("Told to Claude Code")).to_be_visible()
    assert look_violations(page) == []
    main.get_by_role("button", name="Go to Home").click()
    expect(page.get_by_role("heading", name="Home", exact=True)).to_be_visible()
    assert seen.problems == []


@pytest.mark.slow
def test_start_at_login_is_switched_on_by_a_click_and_found_again_in_settings(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    entry = empty_dashboard.home / ".config" / "autostart" / "intaglio.desktop"
    page = open_page(empty_dashboard, "/welcome?step=desktop")
    page.get_by_role("switch", name="Start at login").click()
    expect(page.get_by_role("switch", name="Start at login")).to_be_checked()
    assert entry.exists()
    page.goto(f"{empty_dashboard.url}/settings?q=start+at+login")
    login = page.get_by_role("switch", name="Start at login")
    expect(login).to_be_checked()
    login.click()
    expect(login).not_to_be_checked()
    assert not entry.exists()


@pytest.mark.slow
def test_skipped_setup_does_not_come_back_by_itself(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(empty_dashboard, "/")
    step(page, "Connect your agents")
    page.get_by_role("button", name="Skip setup").click()
    expect(page.get_by_role("region", name="Get started")).to_be_visible()
    page.goto(empty_dashboard.url)
    expect(page.get_by_role("region", name="Get started")).to_be_visible()
    live(page)
    page.keyboard.press("g")
    page.keyboard.press("w")
    step(page, "Connect your agents")
    page.keyboard.press("]")
    step(page, "Import past sessions")
    page.keyboard.press("[")
    step(page, "Connect your agents")
