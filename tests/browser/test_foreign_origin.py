"""Pages of other origins in a real browser that is signed in: refused, and nothing changes."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest
from playwright.sync_api import Browser, Page, Response

from fakes.daemon import Daemon, running_daemon
from fakes.waiting import wait_for

pytestmark = pytest.mark.browser

ATTACKS = {
    "fetch GET": "await fetch(target + '/api/memories')",
    "fetch GET with cookies": "await fetch(target + '/api/memories', {credentials: 'include'})",
    "fetch GET opaque": "await fetch(target + '/api/memories', {mode: 'no-cors'})",
    "fetch health": "await fetch(target + '/health', {mode: 'no-cors'})",
    "POST text/plain": "await fetch(target + '/api/memory/remember', {method: 'POST', "
    "mode: 'no-cors', credentials: 'include', headers: {'content-type': 'text/plain'}, body})",
    "POST json": "await fetch(target + '/api/memory/remember', {method: 'POST', "
    "credentials: 'include', headers: {'content-type': 'application/json'}, body})",
    "POST stop": "await fetch(target + '/api/daemon/stop', {method: 'POST', mode: 'no-cors', "
    "credentials: 'include', body: '{}'})",
    "beacon": "navigator.sendBeacon(target + '/api/memory/remember', body); await pause(200)",
    "EventSource": "await loaded(new EventSource(target + '/api/events', {withCredentials: true}))",
    "img": "await loaded(put('img', {src: target + '/api/memories'}))",
    "script": "await loaded(put('script', {src: target + '/api/memories'}))",
    "stylesheet": "await loaded(put('link', {rel: 'stylesheet', href: target + '/api/memories'}))",
    "form": "const f = put('form', {method: 'post', enctype: 'text/plain', target: 'frame', "
    "action: target + '/api/memory/remember'}); const i = document.createElement('input'); "
    'i.name = \'{"content": "planted by a form", "x": "\'; i.value = \'"}\'; f.append(i); '
    "f.submit(); await pause(500)",
}

PAGE = """<!doctype html><meta charset="utf-8"><title>evil</title><iframe name="frame"></iframe>
<script>
const body = '{"content": "planted by a page"}';
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const put = (tag, more) =>
  document.body.appendChild(Object.assign(document.createElement(tag), more));
const loaded = (element) => new Promise((done, fail) => {
  for (const name of ['load', 'open', 'message'])
    element.addEventListener(name, () => done(name));
  element.addEventListener('error', () => fail(new Error('refused')));
});
</script>"""


class EvilPage(BaseHTTPRequestHandler):
    """Serves the page of an attacker."""

    def do_GET(self) -> None:
        data = PAGE.encode()
        self.send_response(200)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 - the base class's own
        """Say nothing."""


class Victim(BaseHTTPRequestHandler):
    """A local server without any guard: it shows that the attacks reach what lets them in."""

    reached: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.reached.append(self.path)
        self._answer()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", "0")))
        self.reached.append(self.path)
        self._answer()

    def do_OPTIONS(self) -> None:
        self._answer()

    def _answer(self) -> None:
        self.send_response(200)
        self.send_header("access-control-allow-origin", self.headers.get("origin", "*"))
        self.send_header("access-control-allow-credentials", "true")
        self.send_header("access-control-allow-headers", "content-type")
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 - the base class's own
        """Say nothing."""


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Generator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def evil_port() -> Generator[int]:
    with serving(EvilPage) as port:
        yield port


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Generator[Daemon]:
    with running_daemon(tmp_path_factory.mktemp("daemon")) as running:
        with running.client() as client:
            client.post("/api/memory/remember", json={"content": "The only memory"})
        yield running


@pytest.fixture(scope="module")
def window(browser: Browser, daemon: Daemon) -> Generator[Page]:
    """A window whose browser holds the session cookie."""
    context = browser.new_context()
    page = context.new_page()
    with daemon.client() as client:
        link = client.post("/api/auth/link", headers=daemon.owner).json()["url"]
    page.goto(link)
    assert context.cookies(daemon.url)
    yield page
    context.close()


@pytest.fixture
def signed_in(window: Page) -> Page:
    """The window, away from what the test before left in it."""
    window.goto("about:blank")
    return window


def attempt(page: Page, attack: str, target: str) -> str:
    script = f"""async (target) => {{
      try {{ {ATTACKS[attack]}; return 'done'; }} catch (error) {{ return 'refused'; }}
    }}"""
    return str(page.evaluate(script, target))


def contents(daemon: Daemon) -> list[str]:
    with daemon.client() as client:
        return [row["content"] for row in client.get("/api/memories").json()["memories"]]


# Another port of the same host is the same site: there the browser sends the cookie along.
@pytest.mark.parametrize("host", ["127.0.0.1", "evil.example"])
def test_a_page_of_another_origin_is_refused(
    signed_in: Page, daemon: Daemon, evil_port: int, host: str
) -> None:
    answers: list[Response] = []

    def note(reply: Response) -> None:
        answers.append(reply)

    signed_in.goto(f"http://{host}:{evil_port}/")
    signed_in.on("response", note)
    found: dict[str, object] = {}
    for attack in ATTACKS:
        outcome = attempt(signed_in, attack, daemon.url)
        ours = {reply.status for reply in answers if reply.url.startswith(daemon.url)}
        found[attack] = outcome, ours <= {403}, contents(daemon)
        answers.clear()
    signed_in.remove_listener("response", note)
    # These two tell their page nothing in any case.
    silent = {"beacon", "form"}
    assert found == {
        attack: ("done" if attack in silent else "refused", True, ["The only memory"])
        for attack in ATTACKS
    }


def test_the_attacks_themselves_reach_a_server_without_a_guard(
    signed_in: Page, evil_port: int
) -> None:
    signed_in.goto(f"http://127.0.0.1:{evil_port}/")
    with serving(Victim) as port:
        for attack in ATTACKS:
            Victim.reached.clear()
            attempt(signed_in, attack, f"http://127.0.0.1:{port}")
            wait_for(lambda: Victim.reached, f"{attack} at the server")


def test_our_own_pages_cannot_be_framed(signed_in: Page, daemon: Daemon, evil_port: int) -> None:
    signed_in.goto(f"http://127.0.0.1:{evil_port}/")
    frame = "(target) => loaded(put('iframe', {src: target + '/', name: 'framed'}))"
    with signed_in.expect_response(f"{daemon.url}/") as asked:
        assert signed_in.evaluate(frame, daemon.url) == "load"
    assert asked.value.request.frame.name == "framed"
    shown = signed_in.frame("framed")
    assert shown is not None
    assert "Intaglio" not in shown.content()


def test_a_rebound_name_reaches_nothing(signed_in: Page, daemon: Daemon) -> None:
    reply = signed_in.goto(f"http://rebound.example:{daemon.port}/")
    assert reply is not None
    assert reply.status == 403
    status = signed_in.evaluate("async () => (await fetch('/api/memories')).status")
    assert status == 403


def test_the_daemon_still_runs_and_our_own_page_still_works(
    signed_in: Page, daemon: Daemon
) -> None:
    signed_in.goto(daemon.url)
    script = """async () => (await fetch('/api/memory/recall', {method: 'POST',
      headers: {'content-type': 'application/json'}, body: '{"query": "only memory"}'})).status"""
    assert signed_in.evaluate(script) == 200
