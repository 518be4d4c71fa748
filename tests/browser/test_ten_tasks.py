"""Ten tasks by keyboard alone, each from Home: only keys are pressed, and few of them."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.page import a_day_that_lasts, detail, live, row
from fakes.agent_sessions import DECISION, RULE, move_back, talk
from fakes.dashboard import Dashboard, OpenPage, running_dashboard

pytestmark = pytest.mark.browser

MOST_KEYS = 12
FIXTURES = "The fixtures are never edited by hand."
CLOCK = "The tests freeze the clock."
TABS = "I'd rather use tabs than spaces."
PORT = "The staging database uses port 5433."
YESTERDAY = "/work/yesterday"


@dataclass(slots=True)
class Keyboard:
    """What one person presses on a page; a text that is typed counts as one key."""

    page: Page
    pressed: int = 0

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            self.page.keyboard.press(key)
        self.pressed += len(keys)

    def type(self, text: str) -> None:
        """Type a text into what has the focus."""
        self.page.keyboard.type(text)
        self.pressed += 1

    def replace(self, field: Locator, text: str) -> None:
        """Replace what a field that has the focus holds, and save it."""
        expect(field).to_be_focused()
        self.press("ControlOrMeta+a")
        self.type(text)
        self.press("ControlOrMeta+Enter")

    def command(self, words: str, chosen: str) -> None:
        """Run what the command palette offers for some words."""
        self.press("ControlOrMeta+k")
        expect(self.page.get_by_role("combobox")).to_be_focused()
        self.type(words)
        expect(self.page.get_by_role("option", selected=True)).to_contain_text(chosen)
        self.press("Enter")

    def step_to(self, target: Locator) -> None:
        """Press `j` until something has the focus."""
        expect(target).to_be_visible()
        while not target.evaluate("(node) => node === document.activeElement"):
            assert self.pressed < MOST_KEYS
            self.press("j")


AtHome = Callable[[], Keyboard]


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Generator[Dashboard]:
    """A daemon whose agent had a session yesterday; each test works in a project of its own."""
    a_day_that_lasts()
    with running_dashboard(tmp_path_factory.mktemp("tasks")) as dashboard:
        for text in (FIXTURES, CLOCK):
            dashboard.remember(text, project=YESTERDAY, type="rule")
        session = talk(dashboard, "yesterday", "Run the tests please.", project=YESTERDAY)
        move_back(dashboard, [session], timedelta(days=1))
        yield dashboard


@pytest.fixture
def at_home(tools: Dashboard, open_page: OpenPage) -> Generator[AtHome]:
    """Open the page that the dashboard opens with; a task from there takes few keys."""
    keyboards: list[Keyboard] = []

    def open_home() -> Keyboard:
        page = open_page(tools, "/")
        expect(page.get_by_role("heading", level=1)).to_have_text("Home")
        live(page)
        keyboards.append(Keyboard(page))
        return keyboards[-1]

    yield open_home
    assert [each.pressed for each in keyboards if each.pressed > MOST_KEYS] == []


def told(page: Page) -> Locator:
    """Find what Home shows of the next session."""
    return page.get_by_role("group", name="What your next session will be told")


def line(page: Page, words: str) -> Locator:
    return told(page).get_by_role("listitem").filter(has_text=words)


def notified(page: Page, words: str) -> None:
    expect(page.get_by_role("group", name="Notification").last).to_contain_text(words)


def previewed(dashboard: Dashboard, project: str) -> list[str]:
    """Return the memories that the next session of a project would be told."""
    reply = dashboard.http.post("/api/sessions/preview", json={"project": project})
    lines: list[dict[str, Any]] = reply.raise_for_status().json()["start"]["lines"]
    return sorted(each["content"] for each in lines)


def used_last(dashboard: Dashboard, project: str, *rules: str) -> list[str]:
    """Let a project be the one used last, which Home shows; return its memories' ids."""
    ids = [dashboard.remember(each, project=project, type="rule") for each in rules]
    talk(dashboard, f"in {project}", "Run the tests please.", project=project)
    return ids


def show_yesterday(keys: Keyboard) -> Locator:
    """Open yesterday's session and find what the agent was told."""
    keys.press("g", "y")
    expect(row(keys.page, "yesterday")).to_be_visible()
    expect(keys.page.get_by_role("option")).to_have_count(1)
    keys.press("j", "Enter")
    expect(keys.page.get_by_role("heading", name="Run the tests please.")).to_be_focused()
    return keys.page.get_by_role("list", name="Told memories")


def test_1_what_the_agent_was_told_yesterday_is_found(tools: Dashboard, at_home: AtHome) -> None:
    keys = at_home()
    expect(show_yesterday(keys)).to_contain_text(CLOCK)
    (session,) = tools.http.get("/api/sessions", params={"project": YESTERDAY}).json()["sessions"]
    assert keys.page.url.partition("?")[0].endswith(f"/sessions/{session['id']}")
    assert session["told"] == 2


def test_2_what_it_was_told_is_corrected(tools: Dashboard, at_home: AtHome) -> None:
    keys = at_home()
    memories = show_yesterday(keys)
    keys.step_to(memories.get_by_role("link", name=FIXTURES))
    keys.press("e")
    keys.replace(keys.page.get_by_label("Content"), "Fixtures are generated.")
    notified(keys.page, "Saved.")
    expect(detail(keys.page)).to_contain_text("Fixtures are generated.")
    assert "Fixtures are generated." in previewed(tools, YESTERDAY)


def test_3_why_a_line_is_told_is_seen_and_the_line_taken_out(
    tools: Dashboard, at_home: AtHome
) -> None:
    used_last(tools, "/work/why", "Never push to main.", "Always use pnpm here.")
    keys = at_home()
    expect(line(keys.page, "pnpm")).to_be_visible()
    keys.press("j", "w")
    first = told(keys.page).locator("[data-line]").first
    expect(first.get_by_role("region", name="Why")).to_contain_text("Open the memory")
    out = first.locator(".words").inner_text()
    keys.press("#")
    expect(told(keys.page).locator("[data-line]")).to_have_count(1)
    notified(keys.page, "Forgot")
    (left,) = previewed(tools, "/work/why")
    assert left not in out
    expect(line(keys.page, left)).to_be_focused()


def test_4_one_suggestion_is_kept_and_another_dropped(tools: Dashboard, at_home: AtHome) -> None:
    talk(tools, "inbox", TABS, PORT, project="/work/ports")
    keys = at_home()
    inbox = keys.page.get_by_role("navigation", name="Main").get_by_role("link", name="Inbox")
    expect(inbox).to_have_accessible_name("Inbox 2 open")
    keys.press("g", "i")
    expect(keys.page.get_by_role("region", name="Inbox item")).to_contain_text(PORT)
    keys.press("y")
    notified(keys.page, f"Kept “{PORT}”")
    expect(row(keys.page, TABS)).to_be_focused()
    keys.press("d")
    notified(keys.page, f"Dropped “{TABS}”")
    expect(keys.page.get_by_role("heading", name="Inbox is empty")).to_be_visible()
    done = tools.http.get("/api/inbox", params={"status": "done"}).json()["items"]
    assert {each["content"]: each["action"] for each in done} == {PORT: "keep", TABS: "drop"}
    assert previewed(tools, "/work/ports") == [PORT]


def test_5_claude_code_is_connected(tools: Dashboard, at_home: AtHome) -> None:
    settings = tools.home / ".claude" / "settings.json"
    keys = at_home()
    keys.command("connect claude", "Connect Claude Code")
    dialog = keys.page.get_by_role("dialog", name="Connect Claude Code")
    expect(dialog.get_by_role("button", name="Apply")).to_be_focused()
    expect(dialog.get_by_role("group", name="Changes to").first).to_contain_text("claude-code.py")
    keys.press("Enter")
    notified(keys.page, "Connected.")
    assert "claude-code.py" in settings.read_text()
    harnesses = tools.http.get("/api/harnesses").json()["harnesses"]
    assert [each["id"] for each in harnesses if each["connection"] == "connected"] == [
        "claude-code"
    ]


def test_6_capture_is_paused_and_resumed(tools: Dashboard, at_home: AtHome) -> None:
    keys = at_home()
    banner = keys.page.get_by_text("Capture is paused")
    keys.command("pause 15", "Pause capture for 15 minutes")
    expect(banner.first).to_be_visible()
    assert tools.http.get("/api/capture").json()["paused"]
    keys.command("resume", "Resume capture")
    expect(banner).to_have_count(0)
    assert not tools.http.get("/api/capture").json()["paused"]


def test_7_an_edit_is_undone(tools: Dashboard, at_home: AtHome) -> None:
    used_last(tools, "/work/undo", "Sign every commit.")
    keys = at_home()
    expect(line(keys.page, "Sign every commit.")).to_be_visible()
    keys.press("j", "e")
    keys.replace(keys.page.get_by_role("textbox", name="Memory"), "Sign every tag.")
    expect(line(keys.page, "Sign every tag.")).to_be_focused()
    assert previewed(tools, "/work/undo") == ["Sign every tag."]
    keys.press("u")
    notified(keys.page, "Undone.")
    expect(line(keys.page, "Sign every commit.")).to_be_visible()
    assert previewed(tools, "/work/undo") == ["Sign every commit."]


@pytest.mark.slow
def test_8_an_earlier_version_is_restored(tools: Dashboard, at_home: AtHome) -> None:
    (memory_id,) = used_last(tools, "/work/versions", "Deploy on Mondays.")
    tools.modify(memory_id, content="Deploy on Tuesdays.")
    keys = at_home()
    expect(line(keys.page, "Deploy on Tuesdays.")).to_be_visible()
    keys.press("j", "Enter")
    restore = detail(keys.page).get_by_role("button", name="Restore this version")
    expect(restore).to_be_visible()
    keys.press("h")
    expect(restore).to_be_focused()
    keys.press("Enter")
    notified(keys.page, "Earlier version restored.")
    expect(row(keys.page, "Deploy on Mondays.")).to_be_visible()
    assert previewed(tools, "/work/versions") == ["Deploy on Mondays."]


@pytest.mark.slow
def test_9_all_of_a_session_is_forgotten_and_brought_back(
    tools: Dashboard, at_home: AtHome
) -> None:
    project = "/work/forget"
    talk(tools, "forget", DECISION, RULE, project=project)
    assert previewed(tools, project) == sorted((DECISION, RULE))
    keys = at_home()
    expect(line(keys.page, DECISION)).to_be_visible()
    keys.press("g", "e")
    expect(row(keys.page, "forget")).to_be_visible()
    keys.press("j", "Enter")
    expect(keys.page.get_by_role("heading", level=1)).to_be_focused()
    keys.press("#")
    dialog = keys.page.get_by_role("dialog", name="Forget everything from this session?")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    keys.press("Tab")
    expect(dialog.get_by_role("button", name="Forget 2 memories")).to_be_focused()
    keys.press("Enter")
    notified(keys.page, "Forgot 2 memories.")
    assert previewed(tools, project) == []
    keys.press("u")
    notified(keys.page, "Undone.")
    assert previewed(tools, project) == sorted((DECISION, RULE))


def test_10_another_project_is_shown(tools: Dashboard, at_home: AtHome) -> None:
    used_last(tools, "/work/bakery", "Bake at 220 degrees.")
    used_last(tools, "/work/smithy", "Quench in oil.")
    keys = at_home()
    expect(line(keys.page, "Quench in oil.")).to_be_visible()
    keys.press("s")
    expect(keys.page.get_by_role("combobox", name="Search projects")).to_be_focused()
    keys.type("bak")
    expect(keys.page.get_by_role("option")).to_have_count(1)
    keys.press("Enter")
    expect(line(keys.page, "Bake at 220 degrees.")).to_be_visible()
    expect(line(keys.page, "Quench in oil.")).to_have_count(0)
    assert previewed(tools, "/work/bakery") == ["Bake at 220 degrees."]
