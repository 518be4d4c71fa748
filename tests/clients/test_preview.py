"""The real Claude Code is told exactly what Home shows, edited and forgotten lines too."""

from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

from clients.conftest import Machine, blocks_of, wait_for_memories
from fakes.chromium import running_chromium
from fakes.daemon import Daemon
from fakes.waiting import PATIENCE_S

pytestmark = [pytest.mark.clients, pytest.mark.browser, pytest.mark.slow]

DATABASE = "We decided to use Postgres for the billing ledger, not SQLite."
MIGRATIONS = "From now on we always write migrations by hand."
DOMAIN = "We decided to buy the second domain before the announcement."
EDITED = "We use Postgres 17 for the billing ledger."


def _open_home(page: Page, daemon: Daemon, project: Path) -> Locator:
    """Open Home for a project; returns what it shows that the next session will be told."""
    with daemon.client() as client:
        link = client.post("/api/auth/link", headers=daemon.owner).json()["url"]
    path = f"/home?project={quote(str(project), safe='')}"
    page.goto(f"{link}&next={quote(path, safe='')}")
    return page.get_by_role("group", name="What your next session will be told")


def test_the_next_session_receives_exactly_what_home_shows(machine: Machine) -> None:
    machine.intaglio("connect", "claude-code", "--yes")
    project = machine.project("shop")
    expect.set_options(timeout=PATIENCE_S * 1_000)
    with machine.daemon() as daemon, running_chromium() as browser:
        machine.claude.talk(project, (DATABASE, MIGRATIONS, DOMAIN))
        wait_for_memories(daemon, project, DATABASE, MIGRATIONS, DOMAIN)
        page = browser.new_page()
        block = _open_home(page, daemon, project)
        for said in (DATABASE, MIGRATIONS, DOMAIN):
            expect(block.get_by_role("listitem").filter(has_text=said)).to_be_visible()
        block.get_by_role("listitem").filter(has_text=DATABASE).focus()
        page.keyboard.press("e")
        block.get_by_role("textbox").fill(EDITED)
        page.keyboard.press("Control+Enter")
        expect(block.get_by_role("listitem").filter(has_text=EDITED)).to_be_visible()
        block.get_by_role("listitem").filter(has_text=DOMAIN).focus()
        page.keyboard.press("#")
        expect(block).not_to_contain_text(DOMAIN)
        page.reload()
        expect(block).to_contain_text(EDITED)
        page.get_by_role("button", name="Exact text").click()
        shown = page.locator("section.next pre").inner_text().strip()
        machine.model.requests.clear()
        machine.claude.ask("Hello.", project)
        assert blocks_of(machine.model.requests[0]) == [shown]
        assert DOMAIN not in machine.model.sent()
        assert DATABASE not in machine.model.sent()
        with daemon.client() as client:
            (latest, *_) = client.get("/api/sessions").json()["sessions"]
            session = client.get(f"/api/sessions/{latest['id']}").json()
        assert session["injections"][0]["text"] == shown
