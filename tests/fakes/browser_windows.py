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
    """A page in a browser profile of its own, which serves one dashboard after the other."""

    page: Page
    listened_to: frozenset[str]
    dashboard: Dashboard | None = None
    cookies: str = ""

    def show(self, dashboard: Dashboard, path: str) -> None:
        """Go to a path, signed in."""
        if self.dashboard is not dashboard or not self.cookies:
            self._turn_to(dashboard)
            # The link leads on by itself: a page that is loaded twice takes twice as long.
            self.page.goto(f"{dashboard.fresh_link()}&next={quote(path, safe='')}")
            self.cookies = _cookies(self.page)
            return
        self.page.goto(dashboard.url + path)

    def show_signed_out(self, dashboard: Dashboard, path: str) -> None:
        """Go to a path, not signed in."""
        self._turn_to(dashboard)
        self.page.goto(dashboard.url + path)

    def made_as_new(self) -> bool:
        """Take back what a test did to it; returns False where that cannot be."""
        page, context = self.page, self.page.context
        if page.is_closed():
            return False
        try:
            page.unroute_all(behavior="ignoreErrors")
            if page.evaluate("'__pwClock' in globalThis"):
                return False
            for popup in [each for each in context.pages if each is not page]:
                popup.close()
            self._go_quiet()
            page.evaluate(_CLEAR)
            page.mouse.move(0, 0)
            context.clear_permissions()
            if _cookies(page) != self.cookies:
                self._sign_out()
            return _listened_to(page) == self.listened_to
        except Error:
            return False

    def close(self) -> None:
        """Close the page and its profile."""
        # What a page asks at its last moment is nobody's failure.
        for page in self.page.context.pages:
            page.unroute_all(behavior="ignoreErrors")
        self.page.context.close()

    def _turn_to(self, dashboard: Dashboard) -> None:
        if self.cookies:
            self._sign_out()
        self.dashboard = dashboard

    def _sign_out(self) -> None:
        self.page.context.clear_cookies()
        self.cookies = ""

    def _go_quiet(self) -> None:
        assert self.dashboard is not None
        quiet = self.dashboard.url + _QUIET
        if self.dashboard.daemon.process.poll() is None:
            self.page.goto(quiet)
            return
        # Nobody answers, but what it keeps belongs to this origin.
        self.page.route(quiet, lambda route: route.fulfill(body=""))
        self.page.goto(quiet)
        self.page.unroute(quiet)


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

    def take(self, theme: str, size: tuple[int, int]) -> Window:
        """Return a window that shows nothing yet, in a profile that no other of the test has."""
        window = self.free.pop() if self.free else self._made()
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

    def _made(self) -> Window:
        context = self.browser.new_context(reduced_motion="reduce", locale="en-GB")
        context.set_default_timeout(PATIENCE_S * 1_000)
        context.add_init_script(self.script)
        page = context.new_page()
        return Window(page, _listened_to(page))
