"""A daemon of its own and Debian's Chromium, for the tests that look at the dashboard."""

import re
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from fakes.browser_windows import Windows
from fakes.chromium import running_chromium
from fakes.dashboard import Dashboard, OpenPage, Seen, running_dashboard
from fakes.gallery import Show, served_gallery, show_section
from fakes.waiting import PATIENCE_S

UI = Path(__file__).parents[2] / "ui/src"
# What goes by itself when nobody is quick enough: a note, and the first of two keys.
NOTES_MS = r"const (?:PLAIN|ACTION)_MS = ([\d_]+);"
KEYS_MS = r"const SEQUENCE_MS = ([\d_]+);"
UNHURRIED = """{
  const wait = globalThis.setTimeout;
  const isLapse = (ms) =>
    NOTES.includes(ms) || (KEYS.includes(ms) && globalThis.event?.type === "keydown");
  globalThis.setTimeout = (work, ms, ...more) => wait(work, isLapse(ms) ? 20 * ms : ms, ...more);
}"""


def _times(file: str, pattern: str) -> str:
    found = re.findall(pattern, (UI / file).read_text(encoding="utf-8"))
    assert found, f"{file} has no {pattern}"
    return str([int(number) for number in found])


def unhurried() -> str:
    """Return a script that leaves a test its time; how long the page waits stays."""
    notes = _times("lib/state/toasts.svelte.ts", NOTES_MS)
    keys = _times("lib/keys/registry.svelte.ts", KEYS_MS)
    return UNHURRIED.replace("NOTES", notes).replace("KEYS", keys)


@pytest.fixture(scope="module")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Generator[Dashboard]:
    """One daemon for the tests of a module; each uses words of its own."""
    with running_dashboard(tmp_path_factory.mktemp("dashboard")) as running:
        yield running


@pytest.fixture
def empty_dashboard(tmp_path: Path) -> Generator[Dashboard]:
    """A daemon that nobody has told anything."""
    with running_dashboard(tmp_path / "empty") as running:
        yield running


# Not for the session: the driver's event loop would run on under the tests of other folders.
@pytest.fixture(scope="package")
def browser() -> Generator[Browser]:
    """Debian's Chromium, headless, until a test of another folder comes."""
    expect.set_options(timeout=PATIENCE_S * 1_000)
    with running_chromium() as chromium:
        yield chromium


@pytest.fixture
def seen() -> Seen:
    """What the pages of a test did besides showing themselves."""
    return Seen()


@pytest.fixture(scope="package")
def windows(browser: Browser) -> Windows:
    """The browser's windows, which the tests use one after the other."""
    return Windows(browser, unhurried())


@pytest.fixture
def open_page(request: pytest.FixtureRequest, windows: Windows, seen: Seen) -> Generator[OpenPage]:
    """Open windows, each in a browser profile that holds nothing but the sign-in."""
    unwatch: list[Callable[[], None]] = []
    failed = request.session.testsfailed

    def open_one(
        dashboard: Dashboard,
        path: str = "/memories",
        *,
        signed_in: bool = True,
        theme: str = "light",
        size: tuple[int, int] = (1280, 800),
    ) -> Page:
        window = windows.take(theme, size)
        unwatch.append(seen.watch(window.page))
        if signed_in:
            window.show(dashboard, path)
        else:
            window.show_signed_out(dashboard, path)
        return window.page

    yield open_one
    for stop in unwatch:
        stop()
    windows.give_back(keep=request.session.testsfailed == failed)


@pytest.fixture(scope="module")
def gallery(browser: Browser) -> Generator[Page]:
    """The gallery in a window, loaded once for the tests of a module."""
    with served_gallery() as address:
        context = browser.new_context(reduced_motion="reduce", locale="en-GB")
        context.set_default_timeout(PATIENCE_S * 1_000)
        page = context.new_page()
        page.goto(address)
        yield page
        context.close()


@pytest.fixture
def show(gallery: Page, seen: Seen) -> Generator[Show]:
    """Show the gallery in a window of the usual size and theme."""

    def show_one(section: str | None = None) -> Page:
        show_section(gallery, section)
        return gallery

    stop = seen.watch(gallery)
    yield show_one
    stop()
