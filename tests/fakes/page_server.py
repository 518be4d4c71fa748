"""A page under the dashboard's own strict rules, which reports what it sees to its server."""

import json
import os
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import parse_qs, urlsplit

import msgspec

from fakes.waiting import wait_for
from intaglio.base.daemon_record import DaemonRecord, daemon_proof
from intaglio.wire.status import Health

_TOKEN: Final = "of-the-pages"  # noqa: S105 - a token of these tests
_INSTALL_ID: Final = "a1b2c3d4e5f6"

# As the dashboard's (app/intaglio/api/gate/middleware.py).
_RULES = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:"

_PAGE = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title>
<link rel="stylesheet" href="/page.css"><main id="main"></main><script src="/page.js"></script>"""

_STYLE = b"""body { margin: 0; background: #14508c; }
a, input { position: fixed; inset: 0; display: block; width: 100vw; height: 100vh; opacity: .5; }"""

_SCRIPT = rb"""
const say = (what) => fetch("/said", { method: "POST", body: JSON.stringify(what) });
const refused = (event) => say({ violation: event.violatedDirective });
document.addEventListener("securitypolicyviolation", refused);
addEventListener("pywebviewready", () => say({ bridge: true }));
const count = Number(localStorage.getItem("count") ?? 0) + 1;
localStorage.setItem("count", String(count));
const what = new URLSearchParams(location.search).get("with") ?? "";
const main = document.getElementById("main");
if (what === "input") main.append(Object.assign(document.createElement("input"), { type: "file" }));
else if (what) main.append(Object.assign(document.createElement("a"),
  { href: what, target: location.hash === "#blank" ? "_blank" : "" }));
addEventListener("keydown", (e) => { if (e.key === "Escape") window.close(); });
setTimeout(() => say({
  path: location.pathname + location.search,
  count,
  python: typeof window.pywebview,
  handler: typeof window.webkit?.messageHandlers?.jsBridge,
  dark: matchMedia("(prefers-color-scheme: dark)").matches,
}), 1200);
"""


@dataclass(slots=True)
class PageServer:
    """A running server and what its pages said.

    To a window it is the daemon: by the record in ``runtime``, its health and its proof.
    """

    runtime: Path
    url: str = ""
    loaded: list[str] = field(default_factory=list[str])
    said: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    @property
    def port(self) -> int:
        """The server's port."""
        return int(self.url.rpartition(":")[2])

    def report(self) -> dict[str, Any]:
        """Wait for a page's report and take it."""
        wait_for(lambda: [one for one in self.said if "path" in one], "a report of the page")
        return next(one for one in self.said if "path" in one)


class _Handler(BaseHTTPRequestHandler):
    # The daemon's proof and the request after it share a connection.
    protocol_version = "HTTP/1.1"
    pages: PageServer

    def do_GET(self) -> None:
        match self.path.partition("?")[0]:
            case "/health":
                self._answer(msgspec.json.encode(_health(self.pages.port)), "application/json")
            case "/api/auth/proof":
                nonce = parse_qs(urlsplit(self.path).query)["nonce"][0]
                proof = {"token": daemon_proof(_TOKEN, nonce, self.pages.port)}
                self._answer(msgspec.json.encode(proof), "application/json")
            case "/page.js":
                self._answer(_SCRIPT, "text/javascript")
            case "/page.css":
                self._answer(_STYLE, "text/css")
            case "/export.json":
                self._answer(b'{"memories": []}', "application/json", attachment="export.json")
            case _:
                self.pages.loaded.append(self.path)
                self._answer(_PAGE, "text/html; charset=utf-8")

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", "0"))
        told = json.loads(self.rfile.read(length))
        self.pages.said.append(cast("dict[str, Any]", told))
        self._answer(b"{}", "application/json")

    def _answer(self, data: bytes, kind: str, attachment: str = "") -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-security-policy", _RULES)
        self.send_header("content-length", str(len(data)))
        if attachment:
            self.send_header("content-disposition", f'attachment; filename="{attachment}"')
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 - the base class's own
        """Say nothing."""


def _health(port: int) -> Health:
    return Health(
        status="ok",
        state="ready",
        reason="",
        uptime=1.0,
        pid=os.getpid(),
        version="0.1.0",
        port=port,
        agents_dir="",
        db=True,
        update_available=False,
        pending_restart=False,
        install_id=_INSTALL_ID,
    )


def _write_record(pages: PageServer) -> None:
    record = DaemonRecord(
        app="intaglio",
        pid=os.getpid(),
        create_time=1.0,
        port=pages.port,
        host="127.0.0.1",
        version="0.1.0",
        started_at="",
        install_id=_INSTALL_ID,
        token=_TOKEN,
    )
    (pages.runtime / "daemon.json").write_bytes(msgspec.json.encode(record))


@contextmanager
def running_pages(runtime: Path) -> Generator[PageServer]:
    """Serve while the block runs, with the record of a daemon in ``runtime``."""
    pages = PageServer(runtime)
    handler = type("Handler", (_Handler,), {"pages": pages})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        pages.url = f"http://127.0.0.1:{server.server_address[1]}"
        _write_record(pages)
        try:
            yield pages
        finally:
            server.shutdown()
            thread.join(10)
