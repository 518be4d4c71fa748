"""What the dashboard's page of memories costs a browser with a given number of memories."""

import argparse
import json
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import CDPSession, Page, Response, expect

from bench.corpus import Corpus
from bench.figures import percentile
from bench.home import switch_embedding, temporary_home
from bench.hook_caller import Caller, wait_until_embedded
from bench.prefilled_home import fill_kept
from fakes.chromium import running_chromium
from fakes.daemon import running_daemon
from fakes.dashboard import Dashboard

_CHUNK: Final = 200
_TAG: Final = "bench-many"
# Views with a list each, and the page of one memory between them.
_PLACES: Final = ("/memories", "/inbox", "/status", "/connections")
_FIRST_ROW: Final = """
  new MutationObserver((_, observer) => {
    if (document.querySelector("[role=option]") === null) return;
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => {
      window.firstRow = performance.now();
    }));
  }).observe(document, { childList: true, subtree: true });
"""
_PAINTED: Final = """
  () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
    resolve(performance.now() - window.typed);
  })))
"""
_SCROLL: Final = """
  async ({ frames, by }) => {
    const scroller = document.querySelector("[role=listbox]").parentElement;
    const times = [];
    let last = performance.now();
    for (let frame = 0; frame < frames; frame += 1) {
      scroller.scrollTop += by;
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const now = performance.now();
      times.push(now - last);
      last = now;
    }
    return times;
  }
"""


def _told(name: str, values: Sequence[float], unit: str = "ms") -> None:
    p50, p95 = statistics.median(values), percentile(values, 0.95)
    print(f"{name:<46}{p50:>10.1f}{p95:>10.1f} {unit:<4}{len(values):>5} runs", flush=True)


def _send(devtools: CDPSession, command: str) -> dict[str, Any]:
    # Playwright leaves out what its mapping holds.
    send = cast("Callable[[str], dict[str, Any]]", devtools.send)  # pyright: ignore[reportUnknownMemberType] # see above
    return send(command)


def _heap_mb(devtools: CDPSession) -> float:
    for _ in range(2):
        _send(devtools, "HeapProfiler.collectGarbage")
    return float(_send(devtools, "Runtime.getHeapUsage")["usedSize"]) / 1e6


def first_paint(page: Page, url: str, runs: int) -> None:
    """Open the page anew, its files at hand, and tell when text and rows are painted."""
    paints, rows = list[float](), list[float]()
    for _ in range(runs + 1):
        page.goto("about:blank")
        page.goto(f"{url}/memories")
        page.wait_for_function("() => window.firstRow !== undefined")
        paint = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        paints.append(float(page.evaluate(paint)))
        rows.append(float(page.evaluate("window.firstRow")))
    _told("first paint", paints[1:])
    _told("first rows painted", rows[1:])


def searching(page: Page, runs: int) -> None:
    """Type the last letter of a question and tell when its answer is painted."""
    corpus, walls = Corpus(seed=3), list[float]()
    field = page.get_by_role("searchbox", name="Search memories")
    page.evaluate(
        "() => addEventListener('input', (event) => { window.typed = event.timeStamp; }, true)"
    )
    for run in range(runs + 2):
        question = corpus.question().rstrip("?. ")

        def answers(response: Response, asked: str = question) -> bool:
            return "/api/memory/search" in response.url and _asked(response.url) == asked

        field.fill(question[:-1])
        page.wait_for_timeout(400)
        with page.expect_response(answers):
            field.press_sequentially(question[-1])
        wall = float(page.evaluate(_PAINTED))
        if run >= 2:
            walls.append(wall)
    _told("search: last key to the answer painted", walls)
    field.fill("")


def _asked(url: str) -> str:
    return parse_qs(urlsplit(url).query).get("q", [""])[0]


def scrolling(page: Page, name: str, frames: int, by: int) -> None:
    """Scroll by so many pixels a frame and tell how long the frames take."""
    times: list[float] = page.evaluate(_SCROLL, {"frames": frames, "by": by})
    _told(f"frame while scrolling, {name}", times)


def to_the_end(page: Page, devtools: CDPSession, memories: int) -> None:
    """Jump to the last memory, which loads all, and tell how long it takes and what is held."""
    before = _heap_mb(devtools)
    page.keyboard.press("j")
    started = time.perf_counter()
    page.keyboard.press("End")
    last = page.locator(f"[role=option][aria-posinset='{memories}']")
    expect(last).to_be_focused(timeout=600_000)
    print(f"End, {memories} loaded and shown: {time.perf_counter() - started:.1f} s", flush=True)
    print(f"JS heap: {before:.1f} MB at first, {_heap_mb(devtools):.1f} MB with all loaded")


def _tagged(caller: Caller, count: int) -> None:
    ids, cursor = list[str](), ""
    while len(ids) < count:
        path = f"/api/memories?limit={min(1_000, count - len(ids))}&pinned=false{cursor}"
        shown = json.loads(caller.get(path))
        ids += [row["id"] for row in shown["memories"]]
        cursor = f"&cursor={shown['next_cursor']}"
    for start in range(0, count, _CHUNK):
        patches = [{"id": one, "tags": [_TAG]} for one in ids[start : start + _CHUNK]]
        caller.post("/api/memory/modify", {"reason": "a bench", "patches": patches})


def many(page: Page, dashboard: Dashboard, count: int) -> None:
    """Pin, forget and undo so many at a time; tell the seconds of each."""
    _tagged(Caller(dashboard.daemon.port), count)
    page.goto(f"{dashboard.url}/memories?tag={_TAG}")
    page.get_by_role("option").first.wait_for()

    def timed(name: str, act: Callable[[], None], told: str) -> None:
        started = time.perf_counter()
        act()
        page.get_by_text(told).last.wait_for(timeout=600_000)
        wall = time.perf_counter() - started
        print(f"{name:<46}{wall:>10.1f} s for {count}", flush=True)

    def select() -> None:
        page.keyboard.press("Control+a")
        page.get_by_role("button", name="matching").click()

    def forget() -> None:
        page.keyboard.press("#")
        page.get_by_role("button", name=f"Forget {count:,} memories").click()

    timed("select all that match", select, f"{count:,} selected")
    timed("pin", lambda: page.keyboard.press("p"), f"{count:,} pinned.")
    timed("undo", lambda: page.keyboard.press("u"), f"{count:,} restored.")
    select()
    page.get_by_text(f"{count:,} selected").wait_for()
    timed("forget", forget, f"{count:,} forgotten.")
    timed("undo", lambda: page.keyboard.press("u"), f"{count:,} restored.")


def walking(page: Page, devtools: CDPSession, url: str, steps: int) -> None:
    """Go from view to view and tell what the page holds on to, by the slope over the steps."""
    samples = list[tuple[int, float]]()
    page.goto(f"{url}/memories")
    for step in range(steps + 1):
        place = _PLACES[step % len(_PLACES)]
        page.get_by_role("navigation", name="Main").locator(f"a.view-link[href='{place}']").click()
        if place == "/memories":
            page.get_by_role("option").nth(step % 20).click()
            page.get_by_role("region", name="Memory", exact=True).wait_for()
        else:
            page.wait_for_timeout(60)
        if step >= steps // 5 and step % 20 == 0:
            samples.append((step, _heap_mb(devtools)))
    slope = statistics.linear_regression(*zip(*samples, strict=True)).slope
    held = ", ".join(f"{heap:.1f}" for _, heap in samples)
    print(f"JS heap over {steps} steps between views, MB: {held}; {slope * 1000:+.1f} KB a step")


def measure(dashboard: Dashboard, options: argparse.Namespace) -> None:
    """Open a browser on the dashboard and print all figures."""
    with running_chromium("--enable-precise-memory-info") as browser:
        context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
        context.add_init_script(_FIRST_ROW)
        context.set_default_timeout(60_000)
        page = context.new_page()
        devtools = context.new_cdp_session(page)
        page.goto(dashboard.fresh_link())
        print(f"{'':<46}{'p50':>10}{'p95':>10}")
        first_paint(page, dashboard.url, options.runs)
        searching(page, options.runs)
        page.goto(f"{dashboard.url}/memories")
        page.get_by_role("option").first.wait_for()
        scrolling(page, "a line at a time", 240, 32)
        scrolling(page, "a page at a time", 120, 700)
        walking(page, devtools, dashboard.url, options.steps)
        many(page, dashboard, options.many)
        page.goto(f"{dashboard.url}/memories")
        page.get_by_role("option").first.wait_for()
        to_the_end(page, devtools, options.memories)
        scrolling(page, "all loaded, far at a time", 120, 20_000)


def main(arguments: list[str]) -> None:
    """Fill a fresh daemon, or take a kept database, and print the figures."""
    parser = argparse.ArgumentParser(prog="python3 app bench dashboard")
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--many", type=int, default=5_000, help="how many are changed at a time")
    parser.add_argument("--steps", type=int, default=200, help="steps between views")
    parser.add_argument("--cache", type=Path, required=True, help="where databases are kept")
    options = parser.parse_args(arguments)
    with temporary_home() as home:
        fill_kept(home, options.memories, options.cache)
        switch_embedding(home, on=True)
        with running_daemon(home, fresh=True) as daemon, daemon.client() as http:
            wait_until_embedded(Caller(daemon.port))
            time.sleep(1)
            print(f"\n{options.memories} memories")
            measure(Dashboard(home, daemon, http), options)
