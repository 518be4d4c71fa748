"""A real daemon with its dashboard: what the tests of a browser say to it, and what they watch."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

import httpx
import pytest
from playwright.sync_api import ConsoleMessage, Error, Page, Request

from fakes.daemon import Daemon, free_port, start_daemon
from fakes.waiting import wait_for
from intaglio.base.paths import built_folder

# Without a graphics card Chromium says this of each page that draws by WebGL and is looked at.
_SOFTWARE_GL: Final = "GPU stall due to ReadPixels"


@dataclass(slots=True)
class Dashboard:
    """A running daemon, spoken to as a program on this machine does."""

    home: Path
    daemon: Daemon
    http: httpx.Client

    @property
    def url(self) -> str:
        """The address of the dashboard without a path."""
        return self.daemon.url

    @property
    def runtime(self) -> Path:
        """The folder of the daemon's record."""
        return self.daemon.paths.runtime

    @property
    def printed_link(self) -> str:
        """The sign-in link that the daemon writes to its terminal once it can be reached."""
        wait_for(lambda: "/enter?key=" in self.daemon.said, "the link in the terminal")
        return "http" + self.daemon.said.splitlines()[0].rpartition("http")[2]

    def fresh_link(self) -> str:
        """Return a link that signs one browser in, as `intaglio dashboard` does."""
        reply = self.http.post("/api/auth/link", headers=self.daemon.owner)
        reply.raise_for_status()
        url: str = reply.json()["url"]
        return url

    def remember(self, content: str, **more: object) -> str:
        """Keep a memory and return its id."""
        reply = self.http.post("/api/memory/remember", json={"content": content, **more})
        reply.raise_for_status()
        memory_id: str = reply.json()["id"]
        return memory_id

    def wait_until_known(self) -> None:
        """Wait until each memory has its vector: without it, it stands further down in results."""

        def known() -> bool:
            status = self.http.get("/api/status").json()["embedding"]
            return bool(status["embedded"] == status["total"] > 0)

        wait_for(known, "a vector of each memory")

    def modify(self, memory_id: str, **changes: object) -> None:
        """Change a memory as an agent does."""
        body = {"reason": "a test", **changes}
        self.http.patch(f"/api/memory/{memory_id}", json=body).raise_for_status()

    def forget(self, memory_id: str) -> None:
        """Forget a memory as an agent does."""
        reply = self.http.delete(f"/api/memory/{memory_id}", params={"reason": "a test"})
        reply.raise_for_status()

    def stored(self, memory_id: str) -> httpx.Response:
        """Ask for a memory."""
        return self.http.get(f"/api/memory/{memory_id}")

    def stop(self) -> None:
        """End the daemon."""
        self.daemon.stop()

    def start_again(self) -> None:
        """Start it once more where it was."""
        self.daemon = start_daemon(self.home, self.daemon.port)
        self.daemon.wait_until("ready")


class _Ports:
    """Ports that one dashboard has after the other.

    A browser keeps what it loaded and compiled by its address.
    """

    def __init__(self) -> None:
        self._free: list[int] = []

    @contextmanager
    def one(self) -> Generator[int]:
        """Yield a port that no other dashboard has while the block runs."""
        port = self._free.pop() if self._free else free_port()
        yield port
        self._free.append(port)


_PORTS: Final = _Ports()


@contextmanager
def running_dashboard(home: Path) -> Generator[Dashboard]:
    """Run a daemon below ``home`` that serves the dashboard as it was built."""
    if not (built_folder("ui") / "index.html").is_file():
        pytest.fail("the dashboard is not built: run `python3 app ui`")
    with _PORTS.one() as port:
        daemon = start_daemon(home, port)
        with daemon.client() as http:
            dashboard = Dashboard(home, daemon, http)
            try:
                daemon.wait_until("ready")
                yield dashboard
            finally:
                if dashboard.daemon.process.poll() is None:
                    dashboard.stop()


@dataclass(slots=True)
class Seen:
    """What a page did besides showing itself."""

    problems: list[str] = field(default_factory=list[str])
    requests: list[str] = field(default_factory=list[str])

    def watch(self, page: Page) -> Callable[[], None]:
        """Collect the page's console errors, exceptions and requests until the result is called."""

        def console(message: ConsoleMessage) -> None:
            if message.type in {"error", "warning"} and _SOFTWARE_GL not in message.text:
                self.problems.append(f"{message.type}: {message.text}")

        def exception(error: Error) -> None:
            self.problems.append(f"exception: {error}")

        def request(asked: Request) -> None:
            self.requests.append(asked.url)

        page.on("console", console)
        page.on("pageerror", exception)
        page.on("request", request)

        def stop() -> None:
            page.remove_listener("console", console)
            page.remove_listener("pageerror", exception)
            page.remove_listener("request", request)

        return stop


class OpenPage(Protocol):
    """Opens a window on a dashboard, signed in unless told otherwise."""

    def __call__(
        self,
        dashboard: Dashboard,
        path: str = "/memories",
        *,
        signed_in: bool = True,
        theme: str = "light",
        size: tuple[int, int] = (1280, 800),
    ) -> Page:
        """Return the page."""
        ...
