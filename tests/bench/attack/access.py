"""Browsers that aren't signed in, agents that ask for another's memories, lists of processes."""

import re
import time
from collections.abc import Iterator
from http import HTTPStatus

import httpx

from bench.attack.arena import Arena
from bench.attack.probe import Broke, Held, Outcome, Probe, judge
from fakes.agent_requests import SPELLINGS, WORDS, PrivateMemories, all_routes
from fakes.daemon import run_command
from fakes.streams import ENDLESS
from intaglio.api.gate.declaration import Access, Principal

_BROWSERS = (
    {"sec-fetch-site": "same-origin"},
    {"sec-fetch-site": "none", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"},
    {"sec-fetch-dest": "empty"},
)
_FREE = frozenset({Access.FILE, Access.LINK})
_LISTS_PROCESSES = """#!/bin/sh
cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' > "{seen}"
cat "${{1#file://}}" > "{page}.part" && mv "{page}.part" "{page}"
"""
_BROWSER_S = 20.0


def _addresses() -> Iterator[tuple[str, str]]:
    for method, path, route in all_routes():
        if route.declaration.access not in _FREE:
            yield method, re.sub(r"\{[^}]*\}", "unknown", path)


def signed_out_browser(arena: Arena) -> Outcome:
    """Ask every operation as a browser without a cookie."""
    broken: list[str] = []
    tried = 0
    with arena.shared().client() as client:
        for method, path in _addresses():
            for headers in _BROWSERS:
                tried += 1
                if (
                    client.request(method, path, headers=headers).status_code
                    != HTTPStatus.UNAUTHORIZED
                ):
                    broken.append(f"{method} {path}")
    return judge(broken, tried, "each says how to sign in")


def kept_replies(arena: Arena) -> Outcome:
    """Look for replies of the API that a browser may keep."""
    broken: list[str] = []
    tried = 0
    with arena.shared().client() as client:
        for method, path in _addresses():
            if path in ENDLESS.values():
                continue
            tried += 1
            reply = client.request(method, path, content=b"[" if method != "GET" else b"")
            if reply.headers.get("cache-control") != "no-store":
                broken.append(f"{method} {path}")
    return judge(broken, tried)


def _herd(client: httpx.Client) -> PrivateMemories:
    def remember(content: str, **more: object) -> str:
        reply = client.post("/api/memory/remember", json={"content": content, **more})
        return str(reply.raise_for_status().json()["id"])

    private = PrivateMemories(everyone=remember("Granite of everyone"))
    for agent, word in WORDS.items():
        own = {"agentId": agent, "visibility": "private"}
        private.live[agent] = remember(f"Granite {word}", pinned=True, **own)
        private.gone[agent] = remember(f"Granite lost {word}", **own)
        body = {"reason": "x", "agentId": agent}
        address = f"/api/memory/{private.gone[agent]}"
        client.request("DELETE", address, json=body).raise_for_status()
        # No request puts anything into the inbox; tests/api/test_principal.py tries real items.
        private.items[agent] = "unknown"
    return private


def private_reads(arena: Arena) -> Outcome:
    """Read everything as one agent, named by query, header and body, for another's memories."""
    broken: list[str] = []
    tried = 0
    with arena.start().client() as client:
        private = _herd(client)
        for spelling in SPELLINGS:
            for owner in WORDS:
                for request in private.reads(owner, "bob", spelling):
                    tried += 1
                    text = client.request(**request.sent).text
                    if any(word in text for word in WORDS.values()):
                        broken.append(f"{request.method} {request.operation} by {spelling}")
    return judge(broken, tried)


def private_writes(arena: Arena) -> Outcome:
    """Change, forget and restore another agent's private memories."""
    broken: list[str] = []
    tried = 0
    with arena.start().client() as client:
        private = _herd(client)
        for spelling in SPELLINGS:
            for owner, word in WORDS.items():
                for request in private.writes(owner, "bob", spelling):
                    tried += 1
                    client.request(**request.sent)
                    own = {"agentId": owner}
                    live = client.get(f"/api/memory/{private.live[owner]}", params=own)
                    gone = client.get(f"/api/memory/{private.gone[owner]}", params=own)
                    kept = live.is_success and live.json()["content"] == f"Granite {word}"
                    if not kept or gone.is_success:
                        broken.append(f"{request.method} {request.operation} by {spelling}")
    return judge(broken, tried)


def two_names(arena: Arena) -> Outcome:
    """Name two agents in one request."""
    body = {"query": "granite", "agentId": "bob"}
    ways = ({"params": {"agentId": "ann"}}, {"params": {"agent_id": "ann"}})
    with arena.shared().client() as client:
        status = [client.post("/api/memory/recall", json=body, **way).status_code for way in ways]  # type: ignore[arg-type]  # as named
    broken = [f"status {each}" for each in status if each != HTTPStatus.BAD_REQUEST]
    return judge(broken, len(ways))


def misspelled_filters(arena: Arena) -> Outcome:
    """Misspell a filter: nothing may answer as if it hadn't been sent."""
    broken: list[str] = []
    tried = 0
    daemon = arena.shared()
    with daemon.client(headers=daemon.owner) as client:
        for method, path, route in all_routes():
            takes_none = (
                route.declaration.principal is Principal.NOBODY and not route.parameters.all()
            )
            if route.declaration.access in _FREE or takes_none:
                continue
            tried += 1
            address = re.sub(r"\{[^}]*\}", "unknown", path)
            reply = client.request(method, address, params={"projekt": "x"})
            if reply.status_code != HTTPStatus.BAD_REQUEST or "projekt" not in reply.text:
                broken.append(f"{method} {path}")
    return judge(broken, tried)


def listed_link(arena: Arena) -> Outcome:
    """List all processes while the dashboard opens, and look for its link."""
    daemon = arena.start()
    seen, page, browser = (arena.home / name for name in ("seen", "page", "browser"))
    browser.write_text(_LISTS_PROCESSES.format(seen=seen, page=page))
    browser.chmod(0o755)
    env = {**daemon.env, "BROWSER": f"{browser} %s", "DISPLAY": ":77"}
    said = run_command("dashboard", env=env, folder=arena.home, fresh=True).stdout
    deadline = time.monotonic() + _BROWSER_S
    while not page.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    if not page.exists():
        return Broke("no browser was started")
    processes = seen.read_text(errors="replace")
    keys = re.findall(r"key=([\w-]+)", said + page.read_text())
    shown = [key for key in keys if key in processes]
    return Broke("a link is shown") if shown or not keys else Held("a private file is named")


PROBES: tuple[Probe, ...] = (
    Probe("access", "a browser that is not signed in, every operation", signed_out_browser),
    Probe("access", "replies that a browser keeps", kept_replies),
    Probe("access", "the sign-in link in the list of processes", listed_link),
    Probe("access", "reads of another agent's memories", private_reads),
    Probe("access", "changes of another agent's memories", private_writes),
    Probe("access", "two agents in one request", two_names),
    Probe("access", "a misspelled filter", misspelled_filters),
)
