"""Home in a real browser: the next session's exact lines, corrected by keyboard alone."""

import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.page import live, look_violations
from fakes.dashboard import Dashboard, OpenPage, running_dashboard

pytestmark = pytest.mark.browser

LANTERN = "/work/lantern"
BAKERY = "/work/bakery"
RULES = ("Always use pnpm here.", "Never push to main.", "Freeze the clock in tests.")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Generator[Dashboard]:
    """A daemon with two projects and no vectors: no test here needs them."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "agents").mkdir()
    (folder / "agents" / "agent.yaml").write_text("embedding:\n  provider: none\n")
    with running_dashboard(folder) as running:
        running.remember("Bake at 220 degrees.", project=BAKERY, type="rule")
        yield running


@pytest.fixture
def lantern(home: Dashboard) -> Dashboard:
    """The project used last has three rules, and all projects none, whatever a test did before."""
    rows = home.http.get("/api/memories").json()["memories"]
    for row in [row for row in rows if row["project"] != BAKERY]:
        if row["pinned"]:
            home.modify(row["id"], pinned=False)
        home.forget(row["id"])
    for rule in RULES:
        home.remember(rule, project=LANTERN, type="rule")
    start_session(home, LANTERN)
    return home


def start_session(dashboard: Dashboard, project: str) -> None:
    body = {"harness": "claude-code", "project": project, "sessionKey": f"in {project}"}
    dashboard.http.post("/api/hooks/session-start", json=body).raise_for_status()


def previewed(dashboard: Dashboard, project: str | None = LANTERN) -> dict[str, Any]:
    reply = dashboard.http.post("/api/sessions/preview", json={"project": project})
    reply.raise_for_status()
    start: dict[str, Any] = reply.json()["start"]
    return start


def block(page: Page) -> Locator:
    return page.get_by_role("group", name="What your next session will be told")


def line(page: Page, words: str) -> Locator:
    return block(page).get_by_role("listitem").filter(has_text=words)


def exact_text(page: Page) -> str:
    """Return the exact text, which a key shows in place of the lines and hides again."""
    page.keyboard.press("t")
    text = page.locator("section.next pre").inner_text()
    page.keyboard.press("t")
    return text.strip()


def opened(dashboard: Dashboard, open_page: OpenPage, path: str = "/home") -> Page:
    page = open_page(dashboard, path)
    live(page)
    expect(block(page)).to_be_visible()
    return page


def test_the_lines_are_exactly_what_the_next_session_is_told(
    lantern: Dashboard, open_page: OpenPage
) -> None:
    page = opened(lantern, open_page)
    start = previewed(lantern)
    assert exact_text(page) == start["text"].strip()
    expect(block(page).locator("[data-line]")).to_have_count(len(start["lines"]))
    expect(page.get_by_text(f"{start['tokens']} of 600 tokens")).to_be_visible()
    assert look_violations(page) == []
    # What changes elsewhere is shown at once.
    lantern.remember("Sign every commit.", project=LANTERN, type="rule")
    expect(line(page, "Sign every commit.")).to_be_visible()
    assert exact_text(page) == previewed(lantern)["text"].strip()


@pytest.mark.slow
def test_choosing_another_project_asks_before_an_edit_is_discarded(
    lantern: Dashboard, open_page: OpenPage
) -> None:
    page = opened(lantern, open_page, f"/home?project={BAKERY}")
    page.keyboard.press("j")
    page.keyboard.press("e")
    field = page.get_by_role("textbox", name="Memory")
    expect(field).to_be_focused()
    page.keyboard.type(" And turn it once.")
    page.get_by_role("navigation").get_by_role("link", name="Home").click()
    dialog = page.get_by_role("dialog", name="Discard unsaved changes?")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(field).to_have_value("Bake at 220 degrees. And turn it once.")
    expect(page).to_have_url(re.compile("project="))


@pytest.mark.slow
def test_a_line_that_moves_keeps_the_focus(lantern: Dashboard, open_page: OpenPage) -> None:
    # The constraints of a project stay before all others, pinned or not.
    for liked in ("I like short names.", "I like wide screens.", "I like green tests."):
        lantern.remember(liked, project=LANTERN, type="preference")
    page = opened(lantern, open_page)
    told = block(page).locator("[data-line]")
    expect(told).to_have_count(6)
    # The browser moves either the pinned line or those before it.
    for _ in range(2):
        last = told.last.locator(".words").inner_text()
        told.last.focus()
        page.keyboard.press("p")
        expect(told.filter(has_text=last).get_by_role("img", name="Pinned")).to_be_visible()
        expect(told.last).not_to_contain_text(last)
        expect(told.filter(has_text=last)).to_be_focused()


@pytest.mark.slow
def test_a_line_is_pinned_and_opened(lantern: Dashboard, open_page: OpenPage) -> None:
    page = opened(lantern, open_page)
    target = line(page, RULES[0])
    target.focus()
    page.keyboard.press("p")
    expect(line(page, RULES[0]).get_by_role("img", name="Pinned")).to_be_visible()
    expect(line(page, RULES[0])).to_be_focused()
    expect(page.get_by_text("Pinned.")).to_be_visible()
    page.keyboard.press("u")
    expect(line(page, RULES[0]).get_by_role("img", name="Pinned")).to_have_count(0)
    line(page, RULES[0]).focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/memories/"))


@pytest.mark.slow
def test_a_prompt_shows_what_it_would_add(lantern: Dashboard, open_page: OpenPage) -> None:
    page = opened(lantern, open_page)
    page.get_by_role("textbox", name="Try a prompt").fill("Good morning")
    expect(page.get_by_text("This prompt would be told nothing.")).to_be_visible()


@pytest.mark.slow
def test_an_old_line_is_taken_out_and_back(lantern: Dashboard, open_page: OpenPage) -> None:
    page = opened(lantern, open_page)
    line(page, RULES[0]).focus()
    page.keyboard.press("+")
    expect(page.get_by_text("Marked as useful.")).to_be_visible()
    page.keyboard.press("o")
    expect(line(page, RULES[0])).to_have_count(0)
    assert RULES[0] not in previewed(lantern)["text"]
    expect(block(page).locator("[data-line]:focus")).to_have_count(1)
    page.keyboard.press("u")
    expect(line(page, RULES[0])).to_be_visible()


@pytest.mark.slow
def test_a_project_page_shows_what_it_is_and_has(lantern: Dashboard, open_page: OpenPage) -> None:
    page = open_page(lantern, f"/projects/detail?project={LANTERN}")
    main = page.locator("main")
    expect(main.get_by_role("heading", level=1)).to_have_text("lantern")
    expect(main.get_by_text("not found on this computer")).to_be_visible()
    expect(main.get_by_role("list", name="Recent sessions")).to_contain_text("told")
    expect(page).to_have_title(re.compile("^lantern · "))
    assert look_violations(page) == []
    main.get_by_role("list", name="Memories by type").get_by_role("link", name="Rule").click()
    expect(page).to_have_url(re.compile(r"/memories\?project=.*type=rule"))


@pytest.mark.slow
def test_an_empty_project_says_how_to_fill_it(lantern: Dashboard, open_page: OpenPage) -> None:
    lantern.remember("Answer briefly.", type="rule")
    page = open_page(lantern, "/home?project=/work/nothing")
    expect(line(page, "Answer briefly.")).to_be_visible()
    page.locator("main").get_by_role("button", name="Remember something").click()
    page.keyboard.type("Lay the first stone.")
    page.keyboard.press("Control+Enter")
    expect(line(page, "Lay the first stone.")).to_be_visible()


@pytest.mark.slow
def test_before_the_first_session_home_says_how_to_start(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(empty_dashboard, "/home?global=1")
    steps = page.get_by_role("region", name="Get started")
    expect(steps.get_by_role("listitem")).to_have_count(4)
    assert look_violations(page) == []
    steps.get_by_role("link", name="Set it up step by step").click()
    expect(page.get_by_role("heading", name="Connect your agents")).to_be_visible()


@pytest.mark.slow
def test_fifty_projects_are_listed_and_found(tmp_path: Path, open_page: OpenPage) -> None:
    with running_dashboard(tmp_path / "fifty") as dashboard:
        for number in range(50):
            dashboard.remember(f"Stone {number} is laid.", project=f"/work/stone-{number:02}")
        page = open_page(dashboard, "/projects")
        live(page)
        rows = page.locator("main tr[data-row]")
        expect(rows).to_have_count(50)
        assert look_violations(page) == []
        page.keyboard.press("/")
        page.keyboard.type("stone-07")
        expect(rows).to_have_count(1)
        page.keyboard.press("Enter")
        expect(rows.get_by_role("link", name="stone-07")).to_be_focused()
        page.keyboard.press("Enter")
        page.get_by_role("link", name="what its next session will be told").click()
        expect(line(page, "Stone 7 is laid.")).to_be_visible()


@pytest.mark.slow
def test_an_edit_outlives_its_line_and_the_keys_work_afterwards(
    lantern: Dashboard, open_page: OpenPage
) -> None:
    page = opened(lantern, open_page)
    line(page, RULES[0]).focus()
    page.keyboard.press("e")
    field = page.get_by_role("textbox", name="Memory")
    expect(field).to_be_focused()
    page.keyboard.type(" Always.")
    rows = lantern.http.get("/api/memories", params={"project": LANTERN}).json()["memories"]
    lantern.forget(next(row["id"] for row in rows if row["content"] == RULES[0]))
    lantern.remember("Sign every commit.", project=LANTERN, type="rule")
    # The sidebar's count is read again after the same changes.
    expect(page.get_by_role("region", name="New")).to_contain_text("Sign every commit.")
    expect(field).to_have_value(f"{RULES[0]} Always.")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(line(page, "Sign every commit.")).to_be_visible()
    expect(line(page, RULES[0])).to_have_count(0)
    page.keyboard.press("j")
    expect(block(page).locator("[data-line]:focus")).to_have_count(1)
