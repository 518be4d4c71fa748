"""The gallery of components, as set-up built it, apart from the dashboard; it needs no daemon."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final, Protocol

import pytest
from playwright.sync_api import Page, expect

SECTIONS: Final = ("Buttons", "Forms", "Charts", "Lists", "Panes", "Feedback", "Maps")
_BUILT: Final = Path(__file__).parents[2] / ".work" / "gallery"
_AS_OPENED: Final = """(section) => {
  delete document.documentElement.dataset.contrast;
  document.documentElement.removeAttribute("style");
  localStorage.clear();
  dispatchEvent(section === null
    ? new Event("gallery:reset")
    : new CustomEvent("gallery:reset", { detail: section }));
}"""


class Show(Protocol):
    """Shows the gallery."""

    def __call__(self, section: str | None = None) -> Page:
        """Show a section as it is when it is opened, all of them where none is named."""
        ...


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's own
        """Say nothing."""


@contextmanager
def served_gallery() -> Generator[str]:
    """Serve the gallery while the block runs, and return its address."""
    if not (_BUILT / "gallery/index.html").is_file():
        pytest.fail("the gallery is not built: run `python3 app setup test`")
    handler = partial(_Quiet, directory=str(_BUILT))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/gallery/"
        finally:
            server.shutdown()
            thread.join()


def show_section(page: Page, section: str | None) -> None:
    """Show a section of the gallery, or all of it, as if it had just been opened."""
    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(color_scheme="light")
    page.evaluate(_AS_OPENED, section)
    expect(page.locator("section > h2")).to_have_count(len(SECTIONS) if section is None else 1)
