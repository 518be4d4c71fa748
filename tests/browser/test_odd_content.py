"""Odd and hostile content wherever the dashboard shows it: safe, in the page's width, readable."""

import re
from collections.abc import Generator
from unicodedata import normalize

import pytest
from playwright.sync_api import Dialog, Page, expect

from browser.page import axe_violations, detail, live, row
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
SIZES = [(1280, 800), (640, 400)]


@pytest.fixture
def safe(seen: Seen) -> Generator[list[str]]:
    """What no page of the test may have done: run a text, break the policy, complain."""
    done: list[str] = []
    yield done
    assert done == []
    assert seen.problems == []


def watch(page: Page, done: list[str]) -> Page:
    """Write down what a text did that was run."""

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
    page.reload()
    return page


def fits(page: Page) -> bool:
    """Tell whether nothing makes the page wider than its window."""
    wide = "(({ scrollWidth, clientWidth }) => scrollWidth === clientWidth)"
    return bool(page.evaluate(f"{wide}(document.scrollingElement)"))


def remember_all(dashboard: Dashboard, project: str) -> dict[str, str]:
    """Keep each odd text: as content, tags, project and who."""
    return {
        name: dashboard.remember(
            f"{name} of {project}: {text}", project=f"{project} {text}", tags=[text], who=text
        )
        for name, text in ODD.items()
    }


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_list_and_each_open_memory_show_it_as_text(
    dashboard: Dashboard, open_page: OpenPage, safe: list[str], size: tuple[int, int]
) -> None:
    ids = remember_all(dashboard, f"open{size[0]}")
    page = watch(open_page(dashboard, size=size), safe)
    live(page)
    for name in ODD:
        expect(row(page, f"{name} of open{size[0]}")).to_be_visible()
    assert fits(page)
    for name, memory_id in ids.items():
        page.goto(f"{dashboard.url}/memories/{memory_id}")
        shown = detail(page).get_by_text(f"{name} of open{size[0]}").first
        expect(shown).to_be_visible()
        # Kept in the composed form; what nobody can see is not looked for.
        assert name == "invisible" or normalize("NFC", ODD[name]) in shown.inner_text()
        assert fits(page), name
    assert axe_violations(page) == []


def test_its_history_shows_what_differs_as_text(
    dashboard: Dashboard, open_page: OpenPage, safe: list[str]
) -> None:
    memory_id = dashboard.remember(f"Seen before: {ARABIC}")
    dashboard.modify(memory_id, content=f"Seen before: {MARKUP} {FAMILY}", tags=[MARKUP])
    page = watch(open_page(dashboard, f"/memories/{memory_id}", size=(640, 400)), safe)
    detail(page).get_by_text("What changed").click()
    expect(detail(page).locator("ins").filter(has_text="onerror").first).to_be_visible()
    assert fits(page)


def test_filters_chips_palette_and_notes_show_it_as_text(
    dashboard: Dashboard, open_page: OpenPage, safe: list[str]
) -> None:
    remember_all(dashboard, "facets")
    page = watch(open_page(dashboard, size=(640, 400)), safe)
    live(page)
    page.keyboard.press("f")
    expect(page.get_by_role("combobox", name="Filter by")).to_be_focused()
    page.keyboard.type("onerror")
    menu = page.get_by_role("dialog", name="Filter")
    expect(menu.get_by_role("option").filter(has_text="<img").first).to_be_visible()
    assert fits(page)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name=re.compile("^Remove (Tag|Project|Who)"))).to_be_visible()
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
    expect(page.get_by_role("region", name="Notes")).to_contain_text("Forgotten: “")
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
    page = watch(open_page(dashboard, path, size=(480, 420)), safe)
    if path == "/quick-search":
        page.get_by_role("combobox").fill("markup family arabic of")
    expect(page.get_by_text("<img").first).to_be_visible()
    assert fits(page)


def test_a_word_of_a_hundred_thousand_letters_makes_nothing_wider(
    dashboard: Dashboard, open_page: OpenPage, safe: list[str]
) -> None:
    memory_id = dashboard.remember(LONG_WORD, tags=["b" * 80], project="/c" + "d" * 3000)
    page = watch(open_page(dashboard, size=(640, 400)), safe)
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
    expect(page.get_by_role("region", name="Notes")).to_contain_text("aaaa")
    assert fits(page)


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
