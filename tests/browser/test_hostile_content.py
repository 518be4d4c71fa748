"""Odd and hostile content wherever the dashboard shows it: safe, in the page's width, readable."""

import re
from collections.abc import Generator
from unicodedata import normalize

import pytest
from playwright.sync_api import Dialog, Page, ViewportSize, expect

from browser.page import LOOK_RULES, PAINTED, axe_violations, detail, live, row
from fakes.dashboard import Dashboard, OpenPage, Seen

pytestmark = pytest.mark.browser

MARKUP = "<img src=x onerror=\"owned()\"><script>owned()</script><a href='javascript:owned()'>m</a>"
ARABIC = "يجب أن يبقى الختم في البيت API v2 دائمًا"
HEBREW = "החותם נשאר בבית: intaglio run (בלי sudo)"
FAMILY = "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 e\u0301\u0301\u0301 Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘"
OVERRIDE = "invoice\u202egpj.exe is not a picture"
INVISIBLE = "\u200b\u200d\ufeff\u2060"
LONG_WORD = "a" * 100_000

ODD = {
    "markup": MARKUP,
    "arabic": ARABIC,
    "hebrew": HEBREW,
    "family": FAMILY,
    "override": OVERRIDE,
    "invisible": f"{INVISIBLE}.{INVISIBLE}",
}
SIZES: list[ViewportSize] = [{"width": 1280, "height": 800}, {"width": 640, "height": 400}]
# A page of the dashboard's origin that runs nothing.
QUIET = "/health"


@pytest.fixture
def safe(seen: Seen) -> Generator[list[str]]:
    """What no page of the test may have done: run a text, break the policy, complain."""
    done: list[str] = []
    yield done
    assert done == []
    assert seen.problems == []


def watched(page: Page, url: str, done: list[str]) -> Page:
    """Show a page, and write down what a text did that was run."""

    def dialog(shown: Dialog) -> None:
        done.append(shown.message)
        shown.dismiss()

    def ran() -> None:
        done.append("a text was run")

    def violated(address: str) -> None:
        done.append(f"refused: {address}")

    page.on("dialog", dialog)
    page.expose_function("owned", ran)  # pyright: ignore[reportUnknownMemberType] # the callback's type has holes there
    page.expose_function("violated", violated)  # pyright: ignore[reportUnknownMemberType] # see above
    page.add_init_script(
        "addEventListener('securitypolicyviolation', (event) => violated(event.blockedURI))"
    )
    page.goto(url)
    return page


def fits(page: Page) -> bool:
    """Tell whether nothing makes the page wider than its window."""
    wide = "(({ scrollWidth, clientWidth }) => scrollWidth === clientWidth)"
    return bool(page.evaluate(f"{wide}(document.scrollingElement)"))


def assert_fits(page: Page, what: str) -> None:
    """Assert that nothing makes the page wider than its window, in every size."""
    for size in reversed(SIZES):
        page.set_viewport_size(size)
        page.evaluate(PAINTED)
        assert fits(page), (what, size)


def remember_all(dashboard: Dashboard, project: str) -> dict[str, str]:
    """Keep each odd text: as content, tags, project and who."""
    return {
        name: dashboard.remember(
            f"{name} of {project}: {text}", project=f"{project} {text}", tags=[text], who=text
        )
        for name, text in ODD.items()
    }


@pytest.mark.slow
def test_the_list_and_each_open_memory_show_it_as_text(
    dashboard: Dashboard, open_page: OpenPage, safe: list[str]
) -> None:
    remember_all(dashboard, "open")
    page = watched(open_page(dashboard, QUIET), f"{dashboard.url}/memories", safe)
    live(page)
    for name in ODD:
        expect(row(page, f"{name} of open")).to_be_visible()
    assert_fits(page, "list")
    for name, text in ODD.items():
        row(page, f"{name} of open").click()
        shown = detail(page).get_by_text(f"{name} of open").first
        expect(shown).to_be_visible()
        # Kept in the composed form; what nobody can see is not looked for.
        assert name == "invisible" or normalize("NFC", text) in shown.inner_text()
        assert_fits(page, name)
        page.keyboard.press("Escape")
        expect(detail(page)).to_have_count(0)
    row(page, "markup of open").click()
    expect(detail(page).get_by_text("markup of open").first).to_be_visible()
    assert axe_violations(page) == []
    page.set_viewport_size(SIZES[1])
    page.evaluate(PAINTED)
    assert axe_violations(page, *LOOK_RULES) == []


@pytest.mark.slow
def test_its_history_shows_what_differs_as_text(
    dashboard: Dashboard, open_page: OpenPage, safe: list[str]
) -> None:
    memory_id = dashboard.remember(f"Seen before: {ARABIC}")
    dashboard.modify(memory_id, content=f"Seen before: {MARKUP} {FAMILY}", tags=[MARKUP])
    page = open_page(dashboard, QUIET, size=(640, 400))
    watched(page, f"{dashboard.url}/memories/{memory_id}", safe)
    detail(page).get_by_text("Show changes").click()
    expect(detail(page).locator("ins").filter(has_text="onerror").first).to_be_visible()
    assert fits(page)


@pytest.mark.slow
def test_filters_chips_palette_and_notes_show_it_as_text(
    dashboard: Dashboard, open_page: OpenPage, safe: list[str]
) -> None:
    remember_all(dashboard, "facets")
    page = open_page(dashboard, QUIET, size=(640, 400))
    watched(page, f"{dashboard.url}/memories", safe)
    live(page)
    page.keyboard.press("f")
    expect(page.get_by_role("combobox", name="Filter by")).to_be_focused()
    page.keyboard.type("onerror")
    menu = page.get_by_role("dialog", name="Filter")
    expect(menu.get_by_role("option").filter(has_text="<img").first).to_be_visible()
    assert fits(page)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    chip = page.get_by_role("button", name=re.compile("^Remove (Tag|Project|Author)"))
    expect(chip).to_be_visible()
    assert fits(page)
    page.keyboard.press("Control+k")
    page.keyboard.type("markup of facets")
    found = page.get_by_role("group", name="Memories").get_by_role("option")
    expect(found.filter(has_text="markup of facets").first).to_be_visible()
    assert fits(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("j")
    expect(page.locator("[role=option]:focus")).to_be_attached()
    page.keyboard.press("#")
    expect(page.get_by_role("region", name="Notifications")).to_contain_text("Forgot “")
    assert fits(page)


@pytest.mark.parametrize("path", ["/forgotten", "/quick-search", "/agents"])
def test_other_views_show_it_as_text(
    dashboard: Dashboard, open_page: OpenPage, safe: list[str], path: str
) -> None:
    agent = {"id": "odd", "name": MARKUP, "description": ARABIC}
    dashboard.http.post("/api/agents", json=agent, headers=dashboard.daemon.owner)
    ids = remember_all(dashboard, f"of {path}")
    if path == "/forgotten":
        for one in ids.values():
            dashboard.forget(one)
    page = open_page(dashboard, QUIET, size=(480, 420))
    watched(page, dashboard.url + path, safe)
    if path == "/quick-search":
        page.get_by_role("combobox").fill("markup family arabic of")
    expect(page.get_by_text("<img").first).to_be_visible()
    assert fits(page)


@pytest.mark.slow
def test_a_word_of_a_hundred_thousand_letters_makes_nothing_wider(
    dashboard: Dashboard, open_page: OpenPage, safe: list[str]
) -> None:
    memory_id = dashboard.remember(LONG_WORD, tags=["b" * 80], project="/c" + "d" * 3000)
    page = open_page(dashboard, QUIET, size=(640, 400))
    watched(page, f"{dashboard.url}/memories", safe)
    expect(row(page, "aaaa")).to_be_visible()
    assert fits(page)
    page.goto(f"{dashboard.url}/memories/{memory_id}")
    expect(detail(page).get_by_role("button", name="Show all 100,000 characters")).to_be_visible()
    assert fits(page)
    page.keyboard.press("e")
    expect(page.get_by_label("Content")).to_be_focused()
    assert fits(page)
    page.keyboard.press("Escape")
    page.keyboard.press("#")
    expect(page.get_by_role("region", name="Notifications")).to_contain_text("aaaa")
    assert fits(page)


@pytest.mark.slow
def test_a_text_that_runs_to_the_left_begins_at_the_right(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    memory_id = dashboard.remember(HEBREW)
    page = open_page(dashboard, f"/memories/{memory_id}")
    text = detail(page).get_by_text(HEBREW, exact=True)
    expect(text).to_be_visible()
    direction = "(node) => getComputedStyle(node).direction"
    assert text.evaluate(direction) == "rtl"
    # What is around it keeps its own direction.
    assert detail(page).evaluate(direction) == "ltr"
