"""Sessions in a real browser: what an agent was told and what became of it, and forgetting it."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.page import detail, live, look_violations, row
from fakes.agent_sessions import DECISION, RULE, AgentSession, move_back, talk
from fakes.daemon import NO_MODEL, write_settings
from fakes.dashboard import Dashboard, OpenPage, running_dashboard
from fakes.inbox_store import add_considered

pytestmark = pytest.mark.browser


def timeline(page: Page) -> Locator:
    """Find the events of the open session."""
    return page.get_by_role("group", name="Timeline")


def contents(dashboard: Dashboard) -> list[str]:
    listed = dashboard.http.get("/api/memories").json()["memories"]
    return sorted(str(one["content"]) for one in listed)


def test_what_the_agent_was_told_yesterday_is_found_by_keyboard_alone(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    dashboard = empty_dashboard
    dashboard.remember("The fixtures are never edited by hand.", project="/work/lantern")
    yesterday = talk(dashboard, "yesterday", DECISION)
    move_back(dashboard, [yesterday], timedelta(days=1))
    talk(dashboard, "today", RULE)
    page = open_page(dashboard, "/memories")
    live(page)
    page.keyboard.press("g")
    page.keyboard.press("e")
    expect(page.get_by_role("option")).to_have_count(2)
    assert look_violations(page) == []
    page.keyboard.press("f")
    page.keyboard.press("Enter")
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    expect(page.get_by_role("option")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"\?when=yesterday$"))
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Use Luxon", exact=False, level=1)).to_be_focused()
    told = timeline(page).get_by_role("list", name="Told memories")
    expect(told.get_by_role("listitem")).to_have_count(1)
    expect(told).to_contain_text("The fixtures are never edited by hand.")
    expect(told).to_contain_text("you saved or confirmed it")
    assert look_violations(page) == []
    for _ in range(4):
        page.keyboard.press("j")
    page.keyboard.press("Enter")
    text = page.get_by_role("group", name="Code")
    expect(text).to_contain_text("<intaglio-memory")
    page.keyboard.press("Escape")
    expect(row(page, "lantern")).to_be_focused()
    expect(page).to_have_url(re.compile(r"\?when=yesterday$"))


def test_what_was_only_considered_is_unfolded_and_kept_by_keyboard(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    dashboard = empty_dashboard
    session = talk(dashboard, "s1", DECISION)
    sentences = ("The importer runs at night.", "Staging has two nodes.")
    add_considered(dashboard, session.key, sentences)
    page = open_page(dashboard, f"/sessions/{session.number}")
    live(page)
    also = page.get_by_role("list", name="Also said")
    expect(page.get_by_text("Also said 2")).to_be_visible()
    expect(also).to_be_hidden()
    page.keyboard.press("a")
    expect(also.get_by_role("listitem")).to_have_count(2)
    expect(also.get_by_text("The importer runs at night.")).to_be_focused()
    assert look_violations(page) == []
    page.keyboard.press("j")
    page.keyboard.press("y")
    expect(page.get_by_role("group", name="Notification").last).to_contain_text("Kept as a memory.")
    expect(also.get_by_role("listitem")).to_have_count(1)
    assert "Staging has two nodes." in contents(dashboard)


def test_a_session_is_switched_off_by_keyboard_and_says_what_it_was_about(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    dashboard = empty_dashboard
    dashboard.remember("PostgreSQL must never be exposed.", project="/work/lantern", type="rule")
    session = AgentSession(dashboard)
    session.start()
    dashboard.remember("PostgreSQL 16 keeps the invoices.", project="/work/lantern", type="fact")
    session.ask("Does PostgreSQL keep the invoices?")
    session.stop()
    session.end()
    page = open_page(dashboard, f"/sessions/{session.number}")
    live(page)
    part = page.get_by_role("region", name="Overview")
    expect(part.get_by_role("link", name="PostgreSQL", exact=True)).to_be_visible()
    expect(part).to_contain_text("must never be exposed")
    noted = part.get_by_role("list", name="Checkpoints").get_by_role("group").first
    expect(noted).to_be_visible()
    noted.locator("summary").press("Enter")
    expect(noted).to_contain_text("The user asked:")
    off = page.get_by_role("checkbox", name="Switch this session off")
    expect(off).not_to_be_checked()
    page.keyboard.press("b")
    expect(off).to_be_checked()
    expect(page.get_by_text("Switched off", exact=True)).to_be_visible()
    assert look_violations(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("option")).to_contain_text("Off")
    assert look_violations(page) == []


@pytest.mark.slow
def test_a_memory_leads_to_its_sentence_and_the_sentence_to_what_became_of_it(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    session = talk(empty_dashboard, "s1", f"Hello. {DECISION}", "and now something else")
    page = open_page(empty_dashboard, f"/sessions/{session.number}")
    expect(timeline(page)).to_contain_text("Hello. We decided")
    page.get_by_role("button", name="Captured 1").click()
    expect(timeline(page)).not_to_contain_text("something else")
    said = timeline(page).get_by_role("list", name="What was captured")
    expect(said).to_contain_text("Captured")
    said.get_by_role("link").click()
    expect(detail(page)).to_contain_text(DECISION)
    memory_id = page.url.rpartition("/")[2]
    page = open_page(empty_dashboard, f"/sessions/{session.number}?memory={memory_id}")
    link = page.get_by_role("list", name="What was captured").get_by_role("link")
    expect(link).to_be_focused()
    empty_dashboard.forget(memory_id)
    expect(timeline(page)).to_contain_text("Captured, forgotten since")


@pytest.mark.slow
def test_a_suggestion_leads_to_its_item_in_the_inbox(tmp_path: Path, open_page: OpenPage) -> None:
    write_settings(tmp_path, "capture: {keepAt: 1, suggestAt: 0.05}\n" + NO_MODEL)
    with running_dashboard(tmp_path) as dashboard:
        session = talk(dashboard, "s1", DECISION)
        talk(dashboard, "s2", RULE)
        page = open_page(dashboard, f"/sessions/{session.number}?show=captured")
        page.get_by_role("link", name="Open in the inbox").click()
        expect(page.get_by_role("region", name="Inbox item")).to_contain_text(DECISION)
        expect(row(page, DECISION)).to_have_attribute("aria-current", "true")


@pytest.mark.slow
def test_a_session_is_forgotten_and_all_of_it_is_back_with_one_undo(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    dashboard = empty_dashboard
    session = talk(dashboard, "s1", DECISION, RULE)
    talk(dashboard, "s2", RULE)
    before = contents(dashboard)
    page = open_page(dashboard, f"/sessions/{session.number}")
    expect(timeline(page)).to_be_visible()
    page.keyboard.press("#")
    dialog = page.get_by_role("dialog", name="Forget everything from this session?")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    expect(dialog).to_contain_text("Stays")
    assert look_violations(page) == []
    dialog.get_by_role("checkbox").check()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("group", name="Notification")).to_contain_text("Forgot 2 memories.")
    expect(timeline(page)).to_contain_text("Captured, forgotten since")
    assert contents(dashboard) == []
    session.stop()
    assert contents(dashboard) == []
    page.keyboard.press("u")
    expect(page.get_by_role("group", name="Notification").last).to_contain_text("Undone.")
    assert contents(dashboard) == before


@pytest.mark.slow
def test_a_line_that_was_told_is_forgotten_and_edited_from_there(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    dashboard = empty_dashboard
    dashboard.remember("The fixtures are never edited by hand.", project="/work/lantern")
    dashboard.remember("Prefer small commits.", type="preference")
    session = talk(dashboard, "s1", "hello")
    page = open_page(dashboard, f"/sessions/{session.number}")
    line = timeline(page).get_by_role("listitem").filter(has_text="fixtures").last
    line.get_by_role("link", name="The fixtures").focus()
    page.keyboard.press("#")
    expect(line).to_contain_text("Forgotten")
    page.keyboard.press("#")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert contents(dashboard) == ["Prefer small commits."]
    page.keyboard.press("u")
    expect(line).not_to_contain_text("Forgotten")
    line.get_by_role("link", name="Edit", exact=True).click()
    expect(detail(page).get_by_role("textbox", name="Content")).to_be_focused()


@pytest.mark.slow
def test_a_session_without_its_transcript_says_why(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    session = talk(empty_dashboard, "s1", DECISION)
    session.transcript.unlink()
    page = open_page(empty_dashboard, f"/sessions/{session.number}")
    expect(page.get_by_text("The transcript of this session is gone")).to_be_visible()
    expect(timeline(page)).to_contain_text(DECISION)
    page = open_page(empty_dashboard, "/sessions/999")
    expect(page.get_by_role("alert")).to_contain_text("Session not found")
    page.get_by_role("link", name="Back to sessions").click()
    expect(page).to_have_url(re.compile(r"/sessions$"))


@pytest.mark.slow
def test_an_open_session_grows_while_it_is_shown(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    session = AgentSession(empty_dashboard)
    session.start()
    page = open_page(empty_dashboard, "/sessions")
    live(page)
    expect(page.get_by_role("option")).to_contain_text("0 captured")
    session.ask(DECISION)
    session.stop()
    expect(page.get_by_role("option")).to_contain_text("1 captured")
    page.get_by_role("option").click()
    expect(page.get_by_text("Still open")).to_be_visible()
    session.ask("What else?")
    expect(timeline(page)).to_contain_text("What else?")
