"""The dashboard's frame in a real browser: ways about it, its keys, its looks, its link."""

import re

import pytest
from playwright.sync_api import Locator, Page, Request, Route, ViewportSize, expect

from browser.page import (
    PAINTED,
    intercept,
    live,
    look_violations,
    row,
    without_cache,
)
from fakes.dashboard import Dashboard, OpenPage, Seen
from fakes.waiting import wait_for

pytestmark = pytest.mark.browser

SIZES: list[ViewportSize] = [
    {"width": 1280, "height": 800},
    {"width": 900, "height": 600},
    {"width": 640, "height": 400},
]

# What holds links that do not all fit, and cannot be scrolled by the mouse.
CLIPPED = """(rail) => [rail, ...rail.querySelectorAll(":has(a)")]
  .filter((each) => each.scrollHeight > each.clientHeight)
  .filter((each) => getComputedStyle(each).overflowY === "hidden")
  .map((each) => each.className)"""


def palette(page: Page) -> Locator:
    """Find the field of the palette."""
    return page.get_by_role("combobox")


def heading(page: Page, name: str) -> Locator:
    return page.get_by_role("heading", name=name, exact=True, level=1)


def ground(page: Page) -> str:
    """Return the colour that the page is painted on."""
    colour: str = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return colour


def test_two_keys_lead_to_a_view_and_its_heading_has_the_focus(
    dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(dashboard)
    live(page)
    page.keyboard.press("g")
    expect(page.get_by_role("status").filter(has_text="Health")).to_be_attached()
    page.keyboard.press("s")
    expect(heading(page, "Health")).to_be_focused()
    expect(page).to_have_url(re.compile("/status$"))
    expect(page).to_have_title("Health · Intaglio")
    assert seen.problems == []


@pytest.mark.slow
def test_keys_and_former_addresses_lead_to_a_part_of_a_view(
    dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(dashboard)
    live(page)
    queue = page.get_by_role("heading", name="Queue", exact=True)
    presets = page.get_by_role("list", name="Which memories")
    page.keyboard.press("g")
    page.keyboard.press("q")
    expect(queue).to_be_focused()
    page.keyboard.press("g")
    page.keyboard.press("f")
    expect(page).to_have_url(re.compile(r"/memories\?forgotten=1$"))
    expect(presets.get_by_role("link", name="Forgotten")).to_have_attribute("aria-current", "true")
    page.keyboard.press("g")
    page.keyboard.press("k")
    expect(page).to_have_url(re.compile(r"/memories\?pinned=1$"))
    expect(presets.get_by_role("link", name="Pinned")).to_be_focused()
    for former, now in (("queue", "/status#queue"), ("status#connect", "/connections")):
        page.goto(f"{dashboard.url}/{former}")
        expect(page).to_have_url(dashboard.url + now)
    page.goto(f"{dashboard.url}/forgotten")
    expect(page).to_have_url(re.compile(r"/memories\?forgotten=1$"))
    page.go_back()
    expect(heading(page, "Connections")).to_be_visible()
    assert seen.problems == []


def test_back_restores_focus_and_scroll_position(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard, "/agents")
    edit = page.get_by_role("button", name="Edit default")
    edit.focus()
    page.get_by_role("link", name="Health").click()
    expect(heading(page, "Health")).to_be_focused()
    page.go_back()
    expect(edit).to_be_focused()


@pytest.mark.slow
def test_an_unknown_address_says_so_and_links_on(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard, "/nowhere/at-all")
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    expect(page.get_by_text("/nowhere/at-all")).to_be_visible()
    expect(page.locator("nav [aria-current]")).to_have_count(0)
    page.get_by_role("button", name="Go to Home").click()
    expect(page).to_have_url(re.compile("/home$"))
    expect(heading(page, "Home")).to_be_focused()


@pytest.mark.slow
def test_a_view_that_fails_to_load_offers_a_reload(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(dashboard)
    live(page)
    reloads: list[str] = []

    def answer(route: Route) -> None:
        # Only a reload helps: a page that tries again by itself would take the button away.
        if reloads:
            route.continue_()
        else:
            route.fulfill(status=404)

    def note(request: Request) -> None:
        if request.is_navigation_request():
            reloads.append(request.url)

    page.on("request", note)
    intercept(page, re.compile(r"/assets/HealthView-.*\.js"), answer)
    page.keyboard.press("g")
    page.keyboard.press("s")
    expect(page.get_by_role("alert")).to_contain_text("Couldn't load this page")
    page.get_by_role("button", name="Reload").click()
    expect(heading(page, "Health")).to_be_visible()
    assert reloads


def test_the_palette_finds_an_action_by_its_initials_and_gives_the_focus_back(
    dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    dashboard.remember("Zircon is older than the earth's crust.", project="palette")
    page = open_page(dashboard, "/memories?project=palette")
    expect(row(page, "Zircon")).to_be_visible()
    page.keyboard.press("j")
    expect(row(page, "Zircon")).to_be_focused()
    page.keyboard.press("Control+k")
    expect(palette(page)).to_be_focused()
    # What the focused row takes goes first.
    expect(
        page.get_by_role("group", name="Selected memory").get_by_role("option").first
    ).to_be_visible()
    page.keyboard.type("td")
    expect(page.get_by_role("option", selected=True)).to_contain_text("Theme: dark")
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(row(page, "Zircon")).to_be_focused()
    # As high as the list has measured it.
    expect(row(page, "Zircon")).to_have_css("height", "32px")
    page.keyboard.press("Control+k")
    page.keyboard.type("compact")
    expect(page.get_by_role("option", selected=True)).to_contain_text("Density: compact")
    page.keyboard.press("Enter")
    expect(row(page, "Zircon")).to_have_css("height", "28px")
    expect(row(page, "Zircon")).to_be_focused()
    page.keyboard.press("Control+k")
    page.keyboard.type("theme")
    expect(palette(page)).to_have_value("theme")
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    expect(palette(page)).to_have_value("")
    page.keyboard.press("Escape")
    expect(palette(page)).to_have_count(0)
    expect(row(page, "Zircon")).to_be_focused()
    assert seen.problems == []


@pytest.mark.slow
def test_the_palette_acts_on_the_row_that_had_the_focus(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    memory_id = dashboard.remember("Spinel was taken for ruby.", project="acts")
    page = open_page(dashboard, "/memories?project=acts")
    expect(row(page, "Spinel")).to_be_visible()
    page.keyboard.press("j")
    expect(row(page, "Spinel")).to_be_focused()
    page.keyboard.press("Control+k")
    page.keyboard.type("forget")
    expect(page.get_by_role("option", selected=True)).to_contain_text("#")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Forgot “Spinel")).to_be_visible()
    assert dashboard.stored(memory_id).status_code == 404


@pytest.mark.slow
def test_the_palette_leads_to_a_project_and_to_a_session(
    dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    dashboard.remember("The lamp of the lantern burns oil.", project="lantern")
    start = {"hook_event_name": "SessionStart", "session_id": "s", "cwd": str(dashboard.home)}
    dashboard.http.post("/api/hooks/native/claude-code", json=start).raise_for_status()
    page = open_page(dashboard, "/status")
    rail = page.get_by_role("navigation", name="Main")
    expect(rail.get_by_role("link", name="lantern")).to_be_visible()
    page.keyboard.press("Control+k")
    page.keyboard.type("switch lant")
    expect(page.get_by_role("option", selected=True)).to_contain_text("Switch to project lantern")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/projects/detail\?project=lantern$"))
    page.keyboard.press("Control+k")
    sessions = page.get_by_role("group", name="Recent sessions").get_by_role("option")
    expect(sessions).to_have_count(1)
    sessions.click()
    expect(page).to_have_url(re.compile(r"/sessions/\d+$"))
    assert seen.problems == []


@pytest.mark.slow
def test_the_palette_walks_round_by_arrows(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard, "/agents")
    expect(heading(page, "Agents")).to_be_visible()
    page.keyboard.press("Control+k")
    options = page.get_by_role("option")
    expect(options.first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")
    expect(options.last).to_have_attribute("aria-selected", "true")

    def named() -> bool:
        # Projects and sessions that come later change the place of the last option.
        active = palette(page).get_attribute("aria-activedescendant")
        return active is not None and active == options.last.get_attribute("id")

    wait_for(named, "the last option to be the active one")
    page.keyboard.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("End")
    expect(options.last).to_have_attribute("aria-selected", "true")


@pytest.mark.slow
def test_a_slash_searches_from_a_view_that_has_no_search_of_its_own(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    memory_id = dashboard.remember("Peridot comes from a volcano.")
    dashboard.wait_until_known()
    page = open_page(dashboard, "/agents")
    expect(heading(page, "Agents")).to_be_visible()
    page.keyboard.press("/")
    expect(palette(page)).to_be_focused()
    # Pressed before the answer has come: it waits for it.
    page.keyboard.type("peridot volcano")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(memory_id))
    page.go_back()
    expect(heading(page, "Agents")).to_be_visible()
    page.keyboard.press("Control+k")
    page.keyboard.type("peridot volcano")
    option = page.get_by_role("group", name="Memories").get_by_role("option").first
    expect(option).to_contain_text("Peridot comes")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(memory_id))
    page.go_back()
    expect(heading(page, "Agents")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("peridot")
    page.get_by_role("option", name="Show all memories").click()
    expect(page).to_have_url(re.compile(r"/memories\?q=peridot"))
    expect(row(page, "Peridot")).to_be_visible()


@pytest.mark.slow
def test_each_view_leads_to_what_help_says_about_it(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(dashboard, "/memories?forgotten=1")
    page.get_by_role("link", name="Help: Memories").click()
    expect(page).to_have_url(re.compile("/help/forget#restore-a-forgotten-memory$"))
    expect(page.locator("[data-section=restore-a-forgotten-memory]")).to_be_focused()
    page.go_back()
    expect(heading(page, "Memories")).to_be_visible()
    page.keyboard.press("g")
    page.keyboard.press("s")
    expect(heading(page, "Health")).to_be_visible()
    page.keyboard.press("F1")
    expect(page.locator("article h1")).to_have_text("Health")


@pytest.mark.slow
def test_a_key_that_another_action_has_is_shown_before_it_is_taken(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(dashboard, "/agents")
    expect(heading(page, "Agents")).to_be_visible()
    page.keyboard.press("?")
    page.get_by_role("button", name="Customize").click()
    page.get_by_role("button", name="Change shortcut for Add agent").click()
    page.keyboard.press("j")
    expect(page.get_by_role("alert")).to_contain_text("j is already used by Next agent.")
    page.get_by_role("button", name="Reassign").click()
    changes = page.get_by_role("button", name=re.compile("Change shortcut for (Add|Next)"))
    expect(changes.locator("kbd")).to_have_text(["j", "↓"])
    page.get_by_role("button", name="Reset all").click()
    expect(changes.locator("kbd")).to_have_text(["n", "j", "↓"])


@pytest.mark.slow
def test_the_text_face_comes_with_the_dashboard(
    dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(dashboard, "/status")
    expect(heading(page, "Health")).to_be_visible()
    page.evaluate("document.fonts.ready.then(() => undefined)")
    assert page.evaluate("document.fonts.check('13px \"IBM Plex Sans\"')")
    fonts = [url for url in seen.requests if ".woff2" in url]
    # Other characters' file isn't loaded before they appear.
    assert [url.startswith(dashboard.url) for url in fonts] == [True]
    licence = dashboard.http.get("/licenses/ibm-plex-sans.txt")
    assert "SIL OPEN FONT LICENSE" in licence.text
    assert seen.problems == []


def test_a_chosen_theme_is_there_before_the_first_paint(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(dashboard)
    page.get_by_role("button", name="Appearance").click()
    page.get_by_role("menuitemradio", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    dark = ground(page)
    page.reload()
    # Without the dashboard's own code, what paints first is what stays.
    page.route("**/assets/*.js", lambda route: route.abort())
    page.reload(wait_until="domcontentloaded")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.wait_for_load_state()
    assert ground(page) == dark


@pytest.mark.slow
def test_system_theme_and_print_styles_are_followed(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    dashboard.remember("Malachite goes to the printer.")
    page = open_page(dashboard, theme="dark")
    expect(row(page, "Malachite")).to_be_visible()
    expect(page.locator("html")).not_to_have_attribute("data-contrast", "more")
    page.emulate_media(contrast="more")
    expect(page.locator("html")).to_have_attribute("data-contrast", "more")
    page.emulate_media(contrast="no-preference")
    expect(page.locator("html")).not_to_have_attribute("data-contrast", "more")
    page.emulate_media(forced_colors="active")
    here = page.get_by_role("link", name="Memories", exact=True)
    expect(here).to_have_css("outline-style", "solid")
    expect(here).to_have_css("outline-width", "2px")
    page.emulate_media(forced_colors="none", media="print")
    # On paper it is black on white, without what is for the screen.
    expect(page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(row(page, "Malachite")).to_have_css("color", "rgb(0, 0, 0)")
    expect(page.get_by_role("navigation", name="Main")).to_be_hidden()
    expect(page.get_by_role("button", name="Remember")).to_be_hidden()


@pytest.mark.slow
def test_dialogs_and_overlays_pass_axe(dashboard: Dashboard, open_page: OpenPage) -> None:
    dashboard.remember("Howlite is dyed to look like turquoise.")
    page = open_page(dashboard, "/nowhere")
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    found = {"nowhere": look_violations(page)}
    page.keyboard.press("Control+k")
    expect(page.get_by_role("option").first).to_be_visible()
    found["palette"] = look_violations(page)
    page.keyboard.type("howlite")
    expect(page.get_by_role("group", name="Memories")).to_be_visible()
    found["found"] = look_violations(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Appearance").click()
    expect(page.get_by_role("menu")).to_be_visible()
    found["appearance"] = look_violations(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).to_have_count(0)
    page.keyboard.press("?")
    page.get_by_role("button", name="Customize").click()
    expect(page.get_by_text("Select a shortcut")).to_be_visible()
    found["keys"] = look_violations(page)
    assert found == {state: [] for state in found}


@pytest.mark.slow
def test_every_sidebar_entry_is_reachable_and_unclipped(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    for number in range(7):
        dashboard.remember("Amber floats.", project=f"{number} " + "a project of a long name" * 3)
    page = open_page(dashboard)
    rail = page.get_by_role("navigation", name="Main")
    links = rail.get_by_role("link")
    expect(rail.get_by_role("link", name=re.compile("long name"))).to_have_count(5)
    expect(links.last).to_be_visible()
    for size in SIZES:
        page.set_viewport_size(size)
        page.evaluate(PAINTED)
        assert rail.evaluate(CLIPPED) == [], size
        for link in links.all():
            link.focus()
            expect(link).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), size


@pytest.mark.slow
def test_the_sidebar_lists_recent_projects_and_marks_the_open_one(
    empty_dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(empty_dashboard, "/status")
    live(page)
    rail = page.get_by_role("navigation", name="Main")
    projects = rail.get_by_role("list", name="Projects").get_by_role("link")
    expect(projects).to_have_text(["Projects", "All projects"])
    expect(rail.get_by_role("link", name="Agents")).to_have_count(0)
    for name in ("reef", "lantern", "harbor"):
        empty_dashboard.remember(f"The {name} has a name.", project=name)
    empty_dashboard.remember("Lanterns burn oil.", project="lantern")
    empty_dashboard.http.post(
        "/api/agents", json={"id": "keeper"}, headers=empty_dashboard.daemon.owner
    ).raise_for_status()
    expect(projects).to_have_text(
        ["Llantern2 memories", "Hharbor1 memory", "Rreef1 memory", "Projects", "All projects"]
    )
    expect(rail.get_by_role("link", name="Agents")).to_be_visible()
    projects.filter(has_text="harbor").click()
    expect(page).to_have_url(re.compile(r"/projects/detail\?project=harbor$"))
    expect(rail.locator("[aria-current=page]")).to_have_text("Hharbor1 memory")
    page.keyboard.press("g")
    page.keyboard.press("b")
    expect(rail.locator("[aria-current=page]")).to_contain_text("All projects")
    page.keyboard.press("g")
    page.keyboard.press("p")
    expect(rail.locator("[aria-current=page]")).to_have_text("Projects")
    assert seen.problems == []


@pytest.mark.slow
def test_the_sidebar_collapses_when_asked(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard)
    rail = page.get_by_role("navigation", name="Main")
    expect(rail.get_by_text("Connections")).to_be_visible()
    page.keyboard.press("[")
    expect(rail.get_by_text("Connections")).to_have_count(0)
    page.reload()
    expect(rail.get_by_role("link", name="Connections")).to_be_visible()
    expect(rail.get_by_text("Connections")).to_have_count(0)


def test_losing_and_finding_the_daemon_is_announced(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(empty_dashboard, "/agents")
    live(page)
    without_cache(page)
    empty_dashboard.stop()
    expect(page.get_by_text("Can't reach the daemon", exact=True).first).to_be_attached()
    page.keyboard.press("g")
    page.keyboard.press("f")
    expect(page.get_by_text("The page loads once it's back.")).to_be_visible()
    empty_dashboard.start_again()
    expect(page.get_by_text("Reconnected.")).to_be_visible()
    expect(page.get_by_role("heading", name="No forgotten memories")).to_be_visible()


@pytest.mark.slow
def test_a_slow_daemon_is_indicated(dashboard: Dashboard, open_page: OpenPage) -> None:
    late: list[Route] = []
    page = open_page(dashboard)
    live(page)
    intercept(page, "**/api/agents", late.append)
    page.keyboard.press("g")
    page.keyboard.press("a")
    expect(page.get_by_text("The daemon is slow to respond")).to_be_attached()
    expect(page.get_by_role("alert")).to_have_count(0)
    for route in late:
        route.continue_()
    page.unroute("**/api/agents")
    live(page)


@pytest.mark.slow
def test_notifications_are_reached_by_a_key(dashboard: Dashboard, open_page: OpenPage) -> None:
    dashboard.remember("Sugilite is purple.", project="notes")
    dashboard.remember("Larimar is blue.", project="notes")
    page = open_page(dashboard, "/memories?project=notes")
    expect(row(page, "Larimar")).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("#")
    expect(page.get_by_text("Forgot “Larimar")).to_be_visible()
    expect(row(page, "Sugilite")).to_be_focused()
    page.keyboard.press("F8")
    expect(page.get_by_role("button", name="Undo")).to_be_focused()
    page.keyboard.press("Escape")
    expect(row(page, "Sugilite")).to_be_focused()
    page.keyboard.press("F8")
    page.keyboard.press("Enter")
    expect(row(page, "Larimar")).to_be_visible()


def test_the_app_shell_respects_the_content_security_policy(
    dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(dashboard)
    live(page)
    # The hint of a key that waits for a second one lies over the page: Escape takes it away.
    for keys in ("Control+k Escape", "? Escape", "g a", "g q", "[", "g Escape"):
        for key in keys.split():
            page.keyboard.press(key)
    page.get_by_role("button", name="Appearance").click()
    expect(page.get_by_role("menu")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).to_have_count(0)
    page.get_by_role("button", name="Pause capture").click()
    expect(page.get_by_role("menuitem", name="For 1 hour")).to_be_visible()
    assert [url for url in seen.requests if not url.startswith(dashboard.url)] == []
    assert seen.problems == []
