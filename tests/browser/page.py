"""How the tests of a browser find their way about the dashboard's page."""

import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Locator, Page, Route, expect

from fakes.waiting import wait_for

# Each theme and each size of the window once. The second is what one of 1280x800 has at 200 %.
LOOKS = (("light", (1280, 800)), ("dark", (640, 400)), ("light", (900, 600)))
SMALL_AND_LIGHT = ("light", (640, 400))
# What axe can find in one look and not in another: colours, and what has to be scrolled.
SIZE_RULES = ("scrollable-region-focusable",)
LOOK_RULES = ("color-contrast", *SIZE_RULES)
# The view scrolls within itself, never the page around it: what holds the view is pushed as far
# as it goes. What is placed outside the pane that scrolls it would make the page longer.
SCROLLS = """() => {
  const name = (one) => `${one.localName}.${one.className} ${one.textContent.trim().slice(0, 40)}`;
  const wrong = [];
  for (let one = document.querySelector("main"); one !== null; one = one.parentElement) {
    one.scrollTo(1e6, 1e6);
    if (one.scrollTop !== 0 || one.scrollLeft !== 0) wrong.push(`${name(one)} can be scrolled`);
    one.scrollTo(0, 0);
  }
  for (const one of document.querySelectorAll("*")) {
    // An SVG has no offset parent to compare with.
    if (!(one instanceof HTMLElement)) continue;
    if (getComputedStyle(one).position !== "absolute" || one.offsetParent === null) continue;
    for (let pane = one.parentElement; pane !== one.offsetParent; pane = pane.parentElement) {
      if (!/auto|scroll/.test(getComputedStyle(pane).overflow)) continue;
      wrong.push(`${name(one)} is placed outside ${pane.localName}.${pane.className}`);
    }
  }
  return wrong;
}"""
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
# An address of the daemon that the dashboard never asks for.
PROBE = "**/health?intercepted"
AXE = Path(__file__).parents[2] / "ui/node_modules/axe-core/axe.min.js"


def row(page: Page, text: str) -> Locator:
    """Find the line of a memory in the list."""
    return page.get_by_role("option").filter(has_text=text)


def live(page: Page) -> None:
    """Wait until the page hears of changes."""
    expect(page.get_by_text("Intaglio is running. Changes appear automatically.")).to_be_attached()


def detail(page: Page) -> Locator:
    """Find the pane of the open memory."""
    return page.get_by_role("region", name="Memory", exact=True)


def unfold(page: Page) -> None:
    """Unfold the details of the open memory."""
    detail(page).locator("summary").filter(has_text="Details").click()


def menu(page: Page) -> Locator:
    """Open the filter menu by its key and find it."""
    page.keyboard.press("f")
    found = page.get_by_role("dialog", name="Filter")
    expect(found).to_be_visible()
    return found


def choose(page: Page, field: str, value: str) -> None:
    """Choose a value of a field in the menu by the keyboard."""
    found = menu(page)
    expect(found.get_by_role("combobox")).to_be_focused()
    page.keyboard.type(field)
    found.get_by_role("option", name=field).first.click()
    found.get_by_role("option", name=re.compile(rf"^{re.escape(value)}")).first.click()
    if field == "Tag":
        page.keyboard.press("Escape")
    expect(found).to_have_count(0)


def without_cache(page: Page) -> None:
    """Let the browser forget every file that it does not use right now.

    A dashboard's port was another's before, and what was loaded from there would be served again.
    """
    browser = page.context.new_cdp_session(page)
    browser.send("Network.clearBrowserCache")  # pyright: ignore[reportUnknownMemberType] # the answer's type has holes
    browser.detach()


def intercept(
    page: Page,
    asked: str | re.Pattern[str],
    handler: Callable[[Route], object],
    times: int | None = None,
) -> None:
    """Route requests of the page that is shown, all from here on.

    Chromium says that it intercepts before a loaded page does: what is asked at once would go
    past the handler. A page that is loaded after `Page.route` has no such gap.
    """
    # A method of a list is taken too: it has no signature to look at.
    page.route(asked, lambda route: handler(route), times=times)  # noqa: PLW0108
    page.route(PROBE, lambda route: route.fulfill(body="intercepted"))

    def here() -> bool:
        answer: str = page.evaluate(f"fetch('/{PROBE[3:]}').then((reply) => reply.text())")
        return answer == "intercepted"

    wait_for(here, "the interception of requests")
    page.unroute(PROBE)


def try_again(page: Page, asked: str | re.Pattern[str], within: Locator | None = None) -> None:
    """Press "Try again" and let the daemon answer from then on.

    What a page asks by itself waits until then: it would mend itself and take the button away.
    """
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    intercept(page, asked, hold)
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

    intercept(page, asked, keep)
    return kept


def wait_until_held(page: Page, kept: list[Route], count: int = 1) -> None:
    """Wait until so many requests have come to where they are kept: the page's word comes first."""

    def here() -> bool:
        # A route is heard of only while something is asked of the page.
        page.wait_for_timeout(10)
        return len(kept) >= count

    wait_for(here, f"{count} requests that are held")


def release(page: Page, kept: list[Route]) -> None:
    """Send on what was held, and wait for its answer."""
    wait_until_held(page, kept)
    (route,) = kept
    with page.expect_response(lambda reply: reply.request == route.request):
        route.continue_()


def a_day_that_lasts() -> None:
    """Wait out the last minutes of a day: what comes today is of today when it is looked at."""
    now = time.localtime()
    left_s = 86_400 - (now.tm_hour * 3_600 + now.tm_min * 60 + now.tm_sec)
    if left_s < 120:
        time.sleep(left_s + 1)


def axe_violations(page: Page, *rules: str, within: str = "html") -> list[str]:
    """Run axe-core on what is shown, all its rules unless some are named; name what it finds.

    ``within`` names the part of the page to look at, where the rest has been looked at.
    """
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    # What passes is not gathered: that takes as long as looking for what does not.
    options: dict[str, object] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = list(rules)
    found: dict[str, Any] = page.evaluate(
        "([within, options]) => axe.run(within, options)", [within, options]
    )
    return [
        f"{violation['id']}: {node['html'][:200]} {node['any'][:1]}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


def look_violations(page: Page, *, all_colours: bool = False, within: str = "html") -> list[str]:
    """Show what a page shows in every look, one after the other, and name what is wrong with it.

    The first look passes all of axe, the others what a theme or a size can change. Colours, which
    take longest, are looked at once in each theme; with ``all_colours``, for what no other test
    shows like this, in each look, and in the smallest window in both themes. ``within`` is as in
    `axe_violations`.
    """
    found: list[str] = []
    looks = (*LOOKS, SMALL_AND_LIGHT) if all_colours else LOOKS
    for number, (theme, size) in enumerate(looks):
        _look(page, theme, size)
        if number == 0:
            wrong = axe_violations(page, within=within)
        elif all_colours or number == 1:
            wrong = axe_violations(page, *LOOK_RULES, within=within)
        else:
            wrong = axe_violations(page, *SIZE_RULES, within=within)
        wrong += page.evaluate(SCROLLS)
        found += [f"{theme} {size[0]}: {each}" for each in wrong]
    _look(page, *LOOKS[0])
    return found


def _look(page: Page, theme: str, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    page.evaluate(PAINTED)
