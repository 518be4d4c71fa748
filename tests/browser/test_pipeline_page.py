"""The Pipeline page in a real browser, while a model reads memories."""

import json
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.page import axe_violations, look_violations
from fakes.dashboard import Dashboard, OpenPage, Seen
from fakes.model_server import Say, model_server
from fakes.waiting import wait_for

pytestmark = pytest.mark.browser

FACT = {"content": "The staging server is called granite.", "type": "fact", "confidence": 0.9}
QUOTE = "the staging server is called granite"
REPLY = json.dumps({"facts": [FACT | {"evidence": QUOTE}], "entities": []})


@pytest.fixture
def reading(empty_dashboard: Dashboard) -> Generator[Dashboard]:
    """A daemon whose model has read a memory."""
    http, owner = empty_dashboard.http, empty_dashboard.daemon.owner
    path = Path(http.get("/api/settings").json()["file"]["path"])

    def row() -> dict[str, str]:
        found: dict[str, str] = http.get("/api/models").json()["models"][0]
        return found

    def proposals() -> list[object]:
        found: list[object] = http.get("/api/pipeline/proposals", headers=owner).json()["proposals"]
        return found

    with model_server() as stub:
        stub.plays(Say(REPLY))
        path.write_text(f"extraction: {{provider: openai, model: big, endpoint: '{stub.url}'}}\n")
        wait_for(lambda: row()["state"] == "unconfirmed", "the settings")
        agreed = {name: row()[name] for name in ("provider", "model", "address")}
        http.post("/api/models/confirm", json=agreed, headers=owner).raise_for_status()
        empty_dashboard.remember(f"Since May {QUOTE}. It runs Debian and is rebooted at night.")
        wait_for(lambda: len(proposals()) == 1, "what was read")
        yield empty_dashboard


def test_stages_proposals_and_calls_are_seen_and_steered(
    reading: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(reading, "/pipeline")
    fact = page.get_by_role("region", name="What was read")
    expect(fact.get_by_text(QUOTE, exact=True)).to_be_visible()
    stage = page.get_by_role("button", name="Reading memories", exact=True)
    stage.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("extract facts 1")).to_be_visible()
    assert look_violations(page) == []

    page.keyboard.press("p")
    expect(page.get_by_role("button", name="Resume: Reading memories")).to_be_visible()
    expect(stage).to_be_focused()
    # A memory that is saved now waits, and the page says so by itself.
    reading.remember("The archive server is called basalt.")
    waiting = page.get_by_role("row").filter(has=stage).get_by_role("cell").nth(1)
    expect(waiting).to_have_text("1")

    page.keyboard.press("c")
    calls = page.get_by_role("table", name="Calls")
    expect(calls.get_by_text("Answered").first).to_be_visible()
    assert axe_violations(page, within="main") == []
    assert seen.problems == []
