"""What every view has by its entry in ``routes.ts``: address, name, key, states, axe, keyboard.

A new view is held to all of this without a test of its own.
"""

import re
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest
from playwright.sync_api import Browser, Error, Locator, Page, Route, expect

from browser.page import axe_violations, look_violations
from fakes.dashboard import Dashboard, Seen, running_dashboard
from fakes.views import ROUTES, View, views
from fakes.waiting import PATIENCE_S

pytestmark = pytest.mark.browser

REFUSAL = {
    "error": "A view was refused",
    "code": "internal",
    "title": "A view was refused",
    "detail": "The daemon did not expect this.",
    "hint": "The log says more.",
}
# What the keyboard has to reach; what is moved to by arrows has one stop for all.
REACHABLE = """() => [...document.querySelectorAll(
  "main :is(a[href], button, input, select, textarea, summary, [tabindex='0'])")]
  .filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility()
    && !one.closest("[inert]"))
  .filter((one) => !(one instanceof HTMLInputElement && one.type === "radio" && !one.checked))"""
REACHED = """() => {
  const one = document.activeElement;
  if (one === null || one === document.body || one.hasAttribute("data-reached")) return false;
  one.setAttribute("data-reached", "");
  return true;
}"""
MOST_STOPS = 300
# Pages of one profile: each holds a connection, and a browser opens six to one address.
MOST_OPEN = 4


VIEWS = views(ROUTES.read_text(encoding="utf-8"))
READING = [view for view in VIEWS if view.reads]
every_view = pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.path)
every_reading_view = pytest.mark.parametrize(
    "view",
    # By default one of the lists, and the page that reads most.
    [
        pytest.param(
            view,
            id=view.path,
            marks=() if view.path in {"/memories", "/home"} else pytest.mark.slow,
        )
        for view in READING
    ],
)


@contextmanager
def window(browser: Browser, dashboard: Dashboard) -> Generator[Page]:
    """Open a window that several tests look through, one after the other."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, reduced_motion="reduce", locale="en-GB"
    )
    context.set_default_timeout(PATIENCE_S * 1_000)
    page = context.new_page()
    page.goto(dashboard.fresh_link())
    try:
        yield page
    finally:
        page.unroute_all(behavior="ignoreErrors")
        context.close()


@pytest.fixture(scope="module")
def shared(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Generator[tuple[Page, Dashboard]]:
    """A window on a daemon that has something for each view."""
    with running_dashboard(tmp_path_factory.mktemp("views")) as dashboard:
        dashboard.remember("The quartz is clear.")
        dashboard.forget(dashboard.remember("The feldspar is gone."))
        with window(browser, dashboard) as page:
            yield page, dashboard


@pytest.fixture
def page(shared: tuple[Page, Dashboard]) -> Generator[Page]:
    """The shared window, with nothing left of the test before."""
    page, _ = shared
    yield page
    page.unroute_all(behavior="ignoreErrors")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 800})


@pytest.fixture
def url(shared: tuple[Page, Dashboard]) -> str:
    """The address of the daemon."""
    return shared[1].url


def loading(page: Page) -> Locator:
    return page.locator("main [aria-busy=true]")


def refused(page: Page) -> Locator:
    return page.locator("main").get_by_role("alert").filter(has_text=REFUSAL["detail"])


def stands(page: Page, view: View) -> None:
    """Wait until the view is there with what it was asked for."""
    expect(page.locator("main").get_by_role("heading").first).to_be_attached()
    expect(page).to_have_title(re.compile(rf"^{view.title} · "))
    expect(loading(page)).to_have_count(0)
    expect(page.locator("main").get_by_role("alert")).to_have_count(0)


def go_to_each(page: Page, url: str) -> Iterator[View]:
    """Go to each view by its key, from the one before."""
    page.goto(url + VIEWS[-1].path)
    stands(page, VIEWS[-1])
    for view in VIEWS:
        page.keyboard.press("Escape")
        page.evaluate("() => document.activeElement?.blur()")
        page.keyboard.press("g")
        page.keyboard.press(view.key)
        expect(page).to_have_url(re.compile(rf"{view.path}$"))
        stands(page, view)
        yield view


def words(page: Page) -> set[str]:
    return set(page.locator("main").inner_text().split())


def test_the_list_of_views_is_read() -> None:
    text = ROUTES.read_text(encoding="utf-8")
    assert len(VIEWS) == len(re.findall(r"\bpath: \"", text)) >= 6
    assert {view.title for view in VIEWS} >= {"Memories", "Help"}


@every_view
def test_each_view_opens_by_address_passes_axe_and_works_by_keyboard(
    page: Page, url: str, view: View
) -> None:
    seen = Seen()
    stop = seen.watch(page)
    page.goto(url + view.path)
    stands(page, view)
    here = page.get_by_role("navigation", name="Main").locator("[aria-current=page]")
    expect(here).to_have_accessible_name(view.title)
    expect(here).to_have_attribute("href", view.path)
    if view.help:
        about = page.locator("main header a[href^='/help']").first
        expect(about).to_have_attribute("href", f"/help/{view.help}")
    # The settings are a hundred alike, and axe takes seconds for them in each look.
    assert look_violations(page, all_colours=view.path != "/settings") == []
    page.evaluate("() => document.activeElement?.blur()")
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if not page.evaluate(REACHED):
            break
    missed: list[str] = page.evaluate(
        f"() => ({REACHABLE})().filter((one) => !one.hasAttribute('data-reached'))"
        ".map((one) => one.outerHTML.slice(0, 200))"
    )
    assert missed == []
    stop()
    assert seen.problems == []


@pytest.mark.slow
def test_each_view_s_key_leads_there(page: Page, url: str) -> None:
    assert [view.path for view in go_to_each(page, url)] == [view.path for view in VIEWS]


@every_reading_view
def test_each_view_shows_loading_and_errors(page: Page, url: str, view: View) -> None:
    held: list[Route] = []
    refuses = False

    def answer(route: Route) -> None:
        if refuses:
            route.fulfill(status=500, json=REFUSAL)
        else:
            held.append(route)

    page.route(view.asks, answer)
    page.goto(url + view.path)
    expect(loading(page).get_by_role("status")).to_be_visible()
    assert axe_violations(page, within="main") == []
    refuses = True
    for route in held:
        # What the page asks once more has given up what it asked before.
        with suppress(Error):
            answer(route)
    expect(refused(page)).to_contain_text(REFUSAL["title"])
    expect(refused(page)).to_contain_text(REFUSAL["hint"])
    assert axe_violations(page, within="main") == []
    page.unroute(view.asks)
    # A page that reads by itself may have mended it by then, and taken the button away.
    page.evaluate("() => document.querySelector('main [role=alert] button')?.click()")
    stands(page, view)


def test_every_view_handles_empty_data(browser: Browser, empty_dashboard: Dashboard) -> None:
    with window(browser, empty_dashboard) as page:
        # Home leads there while there is nothing.
        page.add_init_script("localStorage.setItem('intaglio.welcome', 'dismissed')")
        for view in go_to_each(page, empty_dashboard.url):
            # There are as many settings in an empty store.
            if view.path != "/settings":
                assert axe_violations(page, within="main") == [], view.path


@pytest.mark.slow
def test_content_stays_visible_without_a_daemon(
    browser: Browser, empty_dashboard: Dashboard
) -> None:
    empty_dashboard.remember("The quartz is clear.")
    empty_dashboard.forget(empty_dashboard.remember("The feldspar is gone."))
    with ExitStack() as windows:
        profiles = [
            windows.enter_context(window(browser, empty_dashboard)).context
            for _ in range(0, len(READING), MOST_OPEN)
        ]
        pages = [profiles[number // MOST_OPEN].new_page() for number in range(len(READING))]
        shown: list[set[str]] = []
        for page, view in zip(pages, READING, strict=True):
            page.goto(empty_dashboard.url + view.path)
            stands(page, view)
            shown.append(words(page))
        empty_dashboard.stop()
        for page, view, before in zip(pages, READING, shown, strict=True):
            expect(page.locator("[data-link=lost]")).to_be_attached()
            stands(page, view)
            # Some of it tells the time, and Health whether all is well.
            assert len(words(page) & before) > 0.7 * len(before), view.path
