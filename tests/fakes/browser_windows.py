"""Windows of a browser that serve one test after the other, as if each were new."""

from dataclasses import dataclass, field
from typing import Final, Literal
from urllib.parse import quote

from playwright.sync_api import Browser, Error, Page

from fakes.dashboard import Dashboard
from fakes.waiting import PATIENCE_S

# A page of the dashboard's origin that runs nothing.
_QUIET: Final = "/health"
_CLEAR: Final = "localStorage.clear(); sessionStorage.clear()"


@dataclass(slots=True)
class Window:
    """A page in a browser profile of its own; its cookies are those of its first sign-in."""

    page: Page
    dashboard: Dashboard
    listened_to: frozenset[str]
    cookies: str = ""

    @property
    def has_daemon(self) -> bool:
        """Tell whether its daemon runs."""
        return self.dashboard.daemon.process.poll() is None

    def show(self, path: str) -> None:
        """Go to a path, signed in."""
        if not self.cookies:
            # The link leads on by itself: a page that is loaded twice takes twice as long.
            self.page.goto(f"{self.dashboard.fresh_link()}&next={quote(path, safe='')}")
            self.cookies = _cookies(self.page)
            if "#" not in path:
                return
        # To a place within a page the link does not lead.
        self.page.goto(self.dashboard.url + path)

    def made_as_new(self) -> bool:
        """Take back what a test did to it; returns False where that cannot be."""
        page, context = self.page, self.page.context
        if not self.cookies or page.is_closed() or len(context.pages) > 1 or not self.has_daemon:
            return False
        try:
            page.unroute_all(behavior="ignoreErrors")
            if page.evaluate("'__pwClock' in globalThis"):
                return False
            page.goto(self.dashboard.url + _QUIET)
            page.evaluate(_CLEAR)
            page.mouse.move(0, 0)
            context.clear_permissions()
            return _cookies(page) == self.cookies and _listened_to(page) == self.listened_to
        except Error:
            return False

    def close(self) -> None:
        """Close the page and its profile."""
        # What a page asks at its last moment is nobody's failure.
        for page in self.page.context.pages:
            page.unroute_all(behavior="ignoreErrors")
        self.page.context.close()


def _listened_to(page: Page) -> frozenset[str]:
    events = page._impl_obj.event_names()  # pyright: ignore[reportPrivateUsage] # asked of no one else
    return frozenset(str(name) for name in events)


def _cookies(page: Page) -> str:
    return repr(sorted((each.get("name"), each.get("value")) for each in page.context.cookies()))


def _look(page: Page, theme: str, size: tuple[int, int]) -> None:
    scheme: Literal["dark", "light"] = "dark" if theme == "dark" else "light"
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(
        media="null",
        color_scheme=scheme,
        reduced_motion="reduce",
        contrast="null",
        forced_colors="null",
    )


@dataclass(slots=True)
class Windows:
    """The windows of one browser: those of the running test, and those that wait for the next.

    A new profile and its first page cost as much as most tests do with them.
    """

    browser: Browser
    script: str
    used: list[Window] = field(default_factory=list[Window])
    free: list[Window] = field(default_factory=list[Window])

    def take(self, dashboard: Dashboard, theme: str, size: tuple[int, int], *, new: bool) -> Window:
        """Return a window that shows nothing yet, in a profile that no other of the test has."""
        for window in [each for each in self.free if not each.has_daemon]:
            self.free.remove(window)
            window.close()
        kept = [] if new else [each for each in self.free if each.dashboard is dashboard]
        if kept:
            self.free.remove(kept[0])
        window = kept[0] if kept else self._made(dashboard)
        self.used.append(window)
        _look(window.page, theme, size)
        return window

    def give_back(self, *, keep: bool) -> None:
        """End a test: what it used is made as new for the next one, or closed."""
        while self.used:
            window = self.used.pop()
            if keep and window.made_as_new():
                self.free.append(window)
            else:
                window.close()

    def _made(self, dashboard: Dashboard) -> Window:
        context = self.browser.new_context(reduced_motion="reduce", locale="en-GB")
        context.set_default_timeout(PATIENCE_S * 1_000)
        context.add_init_script(self.script)
        page = context.new_page()
        return Window(page, dashboard, _listened_to(page))
