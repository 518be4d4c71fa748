"""How the tests of a browser find their way about the dashboard's page."""

import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Locator, Page, Route, expect

# Each theme and each size of the window once: a colour does not depend on the width. The last is
# what a window of 1280x800 has at 200 %.
LOOKS = (("light", (1280, 800)), ("dark", (900, 600)), ("light", (640, 400)))
AXE = Path(__file__).parents[2] / "ui/node_modules/axe-core/axe.min.js"


def row(page: Page, text: str) -> Locator:
    """Find the line of a memory in the list."""
    return page.get_by_role("option").filter(has_text=text)


def live(page: Page) -> None:
    """Wait until the page hears of changes."""
    expect(page.get_by_text("Connected: changes appear by themselves")).to_be_attached()


def detail(page: Page) -> Locator:
    """Find the pane of the open memory."""
    return page.get_by_role("region", name="Memory", exact=True)


def menu(page: Page) -> Locator:
    """Open the filter menu by its key and find it."""
    page.keyboard.press("f")
    found = page.get_by_role("dialog", name="Filter")
    expect(found).to_be_visible()
    return found


def choose(page: Page, field: str, value: str) -> None:
    """Choose a value of a field in the menu by the keyboard."""
    found = menu(page)
    page.keyboard.type(field)
    found.get_by_role("option", name=field).first.click()
    found.get_by_role("option", name=re.compile(rf"^{re.escape(value)}")).first.click()
    if field == "Tag":
        page.keyboard.press("Escape")


def try_again(page: Page, asked: str | re.Pattern[str], within: Locator | None = None) -> None:
    """Press "Try again" and let the daemon answer from then on.

    What a page asks by itself waits until then: it would mend itself and take the button away.
    """
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(asked, hold)
    with page.expect_request(asked):
        (within or page.locator("body")).get_by_role("button", name="Try again").click()
    page.unroute(asked)
    for route in held:
        # What was asked before the press is not asked any more.
        with suppress(Error):
            route.continue_()


def held(page: Page, asked: str | re.Pattern[str], method: str) -> list[Route]:
    """Keep the first request by a method from the daemon until `release`."""
    kept: list[Route] = []

    def keep(route: Route) -> None:
        if route.request.method == method and not kept:
            kept.append(route)
        else:
            route.fallback()

    page.route(asked, keep)
    return kept


def release(page: Page, kept: list[Route]) -> None:
    """Send on what was held, and wait for its answer."""
    (route,) = kept
    with page.expect_response(lambda reply: reply.request == route.request):
        route.continue_()


def axe_violations(page: Page) -> list[str]:
    """Run axe-core on what is shown and name what it finds."""
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = page.evaluate("() => axe.run()")
    return [
        f"{violation['id']}: {node['html'][:200]} {node['any'][:1]}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]
