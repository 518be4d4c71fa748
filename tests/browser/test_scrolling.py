"""Nothing that a person does with wheel, keys or focus moves the page away from under the view."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from browser.page import PAINTED, SCROLLS, detail, row
from fakes.dashboard import Dashboard, OpenPage
from fakes.views import ROUTES, views

pytestmark = pytest.mark.browser

SIZES = ((1280, 800), (900, 600), (640, 400))
PATHS = [view.path for view in views(ROUTES.read_text(encoding="utf-8"))]
# What brings something into sight, as a browser does for a click, a key or a search in the page.
INTO_SIGHT = """() => {
  const before = document.activeElement;
  for (const one of document.querySelectorAll("#app :is(a, button, input, select, [tabindex])")) {
    one.focus();
    one.scrollIntoView();
  }
  before?.focus();
}"""
# How far anything around the view has gone from where it was.
MOVED = """() => {
  const gone = [];
  for (let one = document.querySelector("main"); one !== null; one = one.parentElement) {
    if (one.scrollTop !== 0 || one.scrollLeft !== 0) gone.push(`${one.localName}#${one.id}`);
  }
  const { bottom, right } = document.querySelector("main").getBoundingClientRect();
  if (bottom > innerHeight || right > innerWidth) gone.push("main is larger than the window");
  return gone;
}"""


def in_each_size(page: Page) -> Iterator[str]:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(PAINTED)
        yield f"{width}x{height}"


def moved(page: Page) -> list[str]:
    """Try in every size to scroll what lies around the view, and to leave it; name what went.

    A script moves also what neither wheel nor key can: what stays in its place stays for these.
    """
    gone: list[str] = []
    for size in in_each_size(page):
        found: list[str] = page.evaluate(SCROLLS)
        page.evaluate(INTO_SIGHT)
        page.evaluate(PAINTED)
        found += page.evaluate(MOVED)
        gone += [f"{size}: {each}" for each in found]
    page.set_viewport_size({"width": 1280, "height": 800})
    return gone


def moved_by_hand(page: Page) -> list[str]:
    """Try the same by wheel and by keys."""
    gone: list[str] = []
    for size in in_each_size(page):
        width, height = map(int, size.split("x"))
        for x, y in ((width // 4, height // 2), (width - 40, height // 2), (20, height - 20)):
            page.mouse.move(x, y)
            for by in (5_000, -9_000, 9_000):
                page.mouse.wheel(by / 9, by)
            page.evaluate(PAINTED)
        page.evaluate("() => document.activeElement?.blur()")
        for key in ("End", "PageDown", "Space", "ArrowDown", "ArrowRight"):
            page.keyboard.press(key)
        page.evaluate(PAINTED)
        found: list[str] = page.evaluate(MOVED)
        gone += [f"{size}: {each}" for each in found]
    page.set_viewport_size({"width": 1280, "height": 800})
    return gone


@pytest.mark.slow
def test_no_view_makes_the_page_scroll(dashboard: Dashboard, open_page: OpenPage) -> None:
    for number in range(30):
        dashboard.remember(f"Number {number} fills the page.")
    page = open_page(dashboard, "/quick-search")
    found: dict[str, list[str]] = {}
    for path in ("/quick-search", *PATHS, "/help/memories", "/nope"):
        if path != "/quick-search":
            page.goto(dashboard.url + path)
        expect(page.locator("main").get_by_role("heading").first).to_be_attached()
        expect(page.locator("main [aria-busy=true]")).to_have_count(0)
        found[path] = moved(page)
        if path == "/memories":
            found["by hand"] = moved_by_hand(page)
    assert found == {path: [] for path in found}


@pytest.mark.slow
def test_details_editor_and_dialogs_do_not_make_the_page_scroll(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    memory_id = dashboard.remember("A long one about topaz. " * 60, sessionId="s", tags=["a", "b"])
    for number in range(8):
        dashboard.modify(memory_id, content=f"Topaz, version {number}. " * 60)
    page = open_page(dashboard, f"/memories/{memory_id}")
    expect(detail(page).get_by_role("heading", name="History")).to_be_attached()
    detail(page).get_by_text("Show changes").first.click()
    found = {"details": moved(page), "by hand": moved_by_hand(page)}
    page.get_by_role("button", name="Edit").click()
    expect(page.get_by_label("Content")).to_be_focused()
    found["editor"] = moved(page)
    page.get_by_label("Content").focus()
    page.keyboard.press("Escape")
    row(page, "Topaz, version 7").focus()
    for key, name in (("t", "Edit tags"), ("m", "Move"), ("n", "Remember"), ("?", "Keyboard")):
        page.keyboard.press(key)
        expect(page.get_by_role("dialog")).to_contain_text(name)
        found[name] = moved(page)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
    assert found == {state: [] for state in found}


@pytest.mark.slow
def test_the_small_remember_window_does_not_scroll(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(dashboard, "/quick-remember", size=(480, 420))
    expect(page.locator("textarea")).to_be_focused()
    assert moved(page) == []


@pytest.mark.slow
def test_an_empty_store_does_not_make_the_page_scroll(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(empty_dashboard)
    expect(page.locator("main").get_by_role("heading", level=2)).to_be_attached()
    assert moved(page) == []
