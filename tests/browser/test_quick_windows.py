"""The small windows: keeping and finding a memory by the keyboard alone."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.page import LOOK_RULES, axe_violations, held, release
from fakes.agent_sessions import AgentSession
from fakes.dashboard import Dashboard, OpenPage, Seen
from fakes.waiting import wait_for

pytestmark = pytest.mark.browser

SMALL = (480, 420)
LONG = "The obsidian mirror hangs in the long gallery. " * 40


def contents(dashboard: Dashboard) -> list[str]:
    return [each["content"] for each in dashboard.http.get("/api/memories").json()["memories"]]


def watch_closing(page: Page) -> None:
    page.evaluate("() => { window.close = () => { document.title = 'closed' } }")


def ready(page: Page) -> Page:
    """Wait until what is typed goes where a person sees the cursor."""
    expect(page.locator("textarea, [role=combobox]")).to_be_focused()
    return page


def option(page: Page, text: str) -> Locator:
    return page.get_by_role("option").filter(has_text=text)


class TestRemember:
    def test_a_memory_is_kept_and_the_next_one_can_follow(
        self, dashboard: Dashboard, open_page: OpenPage
    ) -> None:
        page = ready(open_page(dashboard, "/quick-remember", size=SMALL))
        for text in ("Jasper is red.", "Agate is banded."):
            page.keyboard.type(text)
            page.keyboard.press("Control+Enter")
            expect(page.get_by_text("Saved for all projects.")).to_be_visible()
            expect(page.get_by_label("What to remember")).to_have_value("")
        assert {"Jasper is red.", "Agate is banded."} <= set(contents(dashboard))

    def test_the_latest_sessions_project_is_preselected_and_others_can_be_chosen(
        self, empty_dashboard: Dashboard, open_page: OpenPage
    ) -> None:
        AgentSession(empty_dashboard, "now", "/work/lantern").start()
        empty_dashboard.remember("The harbour has two cranes.", project="harbour")
        page = ready(open_page(empty_dashboard, "/quick-remember", size=SMALL))
        chosen = page.get_by_label("Project").locator("option:checked")
        expect(chosen).to_have_text("lantern")
        page.keyboard.type("The wick is trimmed daily.")
        page.keyboard.press("Control+Enter")
        expect(page.get_by_text("Saved for lantern.")).to_be_visible()
        page.get_by_label("Project").select_option("harbour")
        expect(page.get_by_text("Will be saved for: harbour")).to_be_visible()
        page.get_by_label("Project").select_option("Another project…")
        expect(page.get_by_role("textbox", name="Project")).to_be_focused()
        page.keyboard.type("quarry")
        expect(page.get_by_text("Will be saved for: quarry")).to_be_visible()

    @pytest.mark.slow
    def test_what_is_typed_while_it_is_kept_stays(
        self, dashboard: Dashboard, open_page: OpenPage
    ) -> None:
        page = ready(open_page(dashboard, "/quick-remember", size=SMALL))
        asked = "**/api/memory/remember"
        kept = held(page, asked, "POST")
        page.keyboard.type("Larimar is blue.")
        with page.expect_request(asked):
            page.keyboard.press("Control+Enter")
        page.keyboard.type(" Kunzite is pink.")
        release(page, kept)
        expect(page.get_by_text("Saved for all projects.")).to_be_visible()
        area = page.get_by_label("What to remember")
        expect(area).to_have_value("Larimar is blue. Kunzite is pink.")
        assert "Larimar is blue." in contents(dashboard)

    @pytest.mark.slow
    def test_escape_closes_but_asks_anew_after_each_change_that_would_be_lost(
        self, dashboard: Dashboard, open_page: OpenPage
    ) -> None:
        page = ready(open_page(dashboard, "/quick-remember", size=SMALL))
        watch_closing(page)
        page.keyboard.press("Escape")
        # Nothing was typed yet.
        expect(page).to_have_title("closed")
        page.evaluate("() => { document.title = 'open' }")
        page.keyboard.type("half a thought")
        page.keyboard.press("Escape")
        expect(page.get_by_text("Not saved yet.")).to_be_visible()
        page.get_by_label("Tags").press_sequentially("gold")
        expect(page.get_by_text("Not saved yet.")).to_have_count(0)
        page.keyboard.press("Escape")
        expect(page.get_by_text("Not saved yet.")).to_be_visible()
        expect(page).to_have_title("open")
        page.keyboard.press("Escape")
        expect(page).to_have_title("closed")

    @pytest.mark.slow
    def test_with_the_daemon_gone_the_text_stays(
        self, empty_dashboard: Dashboard, open_page: OpenPage
    ) -> None:
        page = ready(open_page(empty_dashboard, "/quick-remember", size=SMALL))
        empty_dashboard.stop()
        expect(page.get_by_text("Can't reach the daemon.")).to_be_visible()
        page.keyboard.type("Opal is fragile.")
        page.keyboard.press("Control+Enter")
        expect(page.get_by_role("alert").filter(has_text="isn't running")).to_be_visible()
        expect(page.get_by_label("What to remember")).to_have_value("Opal is fragile.")
        empty_dashboard.start_again()
        page.keyboard.press("Control+Enter")
        expect(page.get_by_text("Saved for all projects.")).to_be_visible()

    @pytest.mark.slow
    def test_without_a_sign_in_it_says_how(self, dashboard: Dashboard, open_page: OpenPage) -> None:
        page = open_page(dashboard, "/quick-remember", size=SMALL, signed_in=False)
        expect(page.get_by_role("heading", name="Sign in to Intaglio")).to_be_visible()
        expect(page.get_by_label("What to remember")).to_be_hidden()


class TestSearch:
    @pytest.mark.slow
    def test_results_follow_the_typing_and_the_newest_come_before_it(
        self, dashboard: Dashboard, open_page: OpenPage
    ) -> None:
        dashboard.remember("The lapis quarry is closed in winter.")
        dashboard.remember("The amber comes from the coast.")
        dashboard.wait_until_known()
        page = ready(open_page(dashboard, "/quick-search", size=SMALL))
        expect(page.get_by_role("group", name="Recent memories")).to_be_visible()
        expect(page.get_by_role("option").first).to_contain_text("amber")
        page.keyboard.type("lapis quarry", delay=20)
        expect(page.get_by_role("option").first).to_contain_text("lapis quarry")
        expect(page.locator("mark").first).to_have_text("lapis")
        page.get_by_role("combobox").fill("")
        expect(page.get_by_role("group", name="Recent memories")).to_be_visible()
        # What is kept elsewhere appears.
        dashboard.remember("A new garnet came today.")
        expect(page.get_by_role("option").first).to_contain_text("new garnet")

    @pytest.mark.slow
    def test_nothing_found_is_said_and_so_is_a_lost_daemon(
        self, empty_dashboard: Dashboard, open_page: OpenPage
    ) -> None:
        page = ready(open_page(empty_dashboard, "/quick-search", size=SMALL))
        expect(page.get_by_text("No memories yet.")).to_be_visible()
        page.keyboard.type("zyzzyva")
        expect(page.get_by_text("No results.")).to_be_visible()
        empty_dashboard.stop()
        expect(page.get_by_text("Can't reach the daemon.")).to_be_visible()

    def test_arrows_choose_and_enter_opens_the_memory_in_the_dashboard(
        self, dashboard: Dashboard, open_page: OpenPage
    ) -> None:
        first = dashboard.remember("A moonstone lies in drawer one.")
        second = dashboard.remember("A moonstone lies in drawer two, too.")
        page = ready(open_page(dashboard, "/quick-search", size=SMALL))
        with page.expect_response(re.compile(r"q=moonstone(\+|%20)drawer(&|$)")):
            page.keyboard.type("moonstone drawer")
        # What was chosen among the newest ends with the answer to the question.
        memories = page.get_by_role("group", name="Memories")
        expect(memories.locator("mark", has_text="drawer")).to_have_count(2)
        chosen = page.locator("[role=option][aria-selected=true]")
        expect(chosen).to_have_count(1)
        page.keyboard.press("ArrowDown")
        expect(page.get_by_role("option").nth(1)).to_have_attribute("aria-selected", "true")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        expect(page.get_by_role("option").first).to_have_attribute("aria-selected", "true")
        wanted = chosen.get_attribute("data-id")
        assert wanted in {f"memory:{first}", f"memory:{second}"}
        with page.expect_popup() as opened:
            page.keyboard.press("Enter")
        expect(opened.value).to_have_url(
            re.compile(f"/memories/{(wanted or '').removeprefix('memory:')}")
        )
        expect(opened.value.get_by_role("region", name="Memory", exact=True)).to_contain_text(
            "moonstone"
        )

    @pytest.mark.slow
    def test_the_whole_memory_is_copied(self, dashboard: Dashboard, open_page: OpenPage) -> None:
        dashboard.remember(LONG.strip())
        dashboard.wait_until_known()
        page = ready(open_page(dashboard, "/quick-search", size=SMALL))
        page.context.grant_permissions(["clipboard-read"])
        # The search sends long texts cut; the whole one is fetched for the chosen memory.
        with page.expect_response(re.compile(r"/api/memory/[0-9a-f-]{36}$")):
            page.keyboard.type("obsidian mirror gallery")
        expect(option(page, "obsidian").first).to_be_visible()

        def copied() -> bool:
            # Until the page has read it, it asks to copy once more.
            page.keyboard.press("Control+c")
            return page.get_by_text("Copied.").is_visible()

        wait_for(copied, "the whole memory")
        assert page.evaluate("navigator.clipboard.readText()") == LONG.strip()

    @pytest.mark.slow
    def test_a_question_in_the_address_is_asked_at_once_copied_and_left_by_escape(
        self, dashboard: Dashboard, open_page: OpenPage
    ) -> None:
        dashboard.remember("The peridot is at the jeweller's.")
        dashboard.wait_until_known()
        page = ready(open_page(dashboard, "/quick-search?q=peridot+jeweller", size=SMALL))
        page.context.grant_permissions(["clipboard-read"])
        expect(page.get_by_role("combobox")).to_have_value("peridot jeweller")
        expect(page.get_by_role("option").first).to_contain_text("peridot")
        # A part of the question is copied as anywhere.
        page.keyboard.press("Control+a")
        page.keyboard.press("Control+c")
        assert page.evaluate("navigator.clipboard.readText()") == "peridot jeweller"
        watch_closing(page)
        page.keyboard.press("Escape")
        expect(page).to_have_title("closed")


@pytest.mark.parametrize("path", ["/quick-remember", "/quick-search"])
def test_a_small_window_passes_axe_and_has_nothing_of_the_dashboards_frame(
    dashboard: Dashboard, open_page: OpenPage, seen: Seen, path: str
) -> None:
    dashboard.remember("A long line about chalcedony and where it is found. " * 5)
    page = ready(open_page(dashboard, path, size=(420, 420)))
    expect(page.get_by_role("heading", level=1)).to_be_attached()
    expect(page.get_by_role("navigation")).to_have_count(0)
    if path == "/quick-search":
        page.keyboard.type("chalcedony")
        expect(option(page, "A long line about chalcedony")).to_be_visible()
    assert axe_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 420
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 520, "height": 420})
    assert axe_violations(page, *LOOK_RULES) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 520
    assert seen.problems == []
