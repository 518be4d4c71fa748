"""The language model in a real browser: agreed to, tried and counted."""

from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.page import axe_violations, look_violations
from fakes.dashboard import Dashboard, OpenPage, Seen
from fakes.model_server import ModelServerStub, Say, model_server
from fakes.waiting import wait_for

pytestmark = pytest.mark.browser


@pytest.fixture
def server(empty_dashboard: Dashboard) -> Generator[ModelServerStub]:
    """A model server that the settings name by hand."""
    path = Path(empty_dashboard.http.get("/api/settings").json()["file"]["path"])
    with model_server() as stub:
        stub.plays(Say('{"command": "make test"}'))
        path.write_text(f"extraction: {{provider: openai, model: big, endpoint: '{stub.url}'}}\n")
        wait_for(lambda: state(empty_dashboard) == "unconfirmed", "the settings")
        yield stub
        path.write_text("{}\n", encoding="utf-8")
        wait_for(lambda: state(empty_dashboard) == "off", "the settings")


def state(dashboard: Dashboard) -> str:
    found: str = dashboard.http.get("/api/models").json()["models"][0]["state"]
    return found


def test_a_model_is_agreed_to_and_tried_in_settings_and_shown_on_health(
    empty_dashboard: Dashboard, server: ModelServerStub, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(empty_dashboard, "/settings/Models")
    block = page.get_by_role("region", name="Language model", exact=True)
    expect(block.get_by_text("Waits for your agreement")).to_be_in_viewport()
    assert server.asked == []
    block.get_by_role("button", name="Agree").click()
    expect(block.get_by_text("Ready")).to_be_visible()
    block.get_by_role("button", name="Test").click()
    expect(block.get_by_text("as asked.")).to_be_visible()
    expect(block.get_by_text("A typical session costs about 26,500 tokens")).to_be_visible()
    expect(block.get_by_role("img", name="Tokens today 12 of 1,000,000")).to_be_visible()
    assert look_violations(page, within="main [aria-label='Language model']") == []
    page.goto(page.url.partition("/settings")[0] + "/status")
    use = page.get_by_role("region", name="Language model")
    expect(use.get_by_role("img", name="Tokens today 12 of 1,000,000")).to_be_visible()
    assert axe_violations(page, within="main") == []
    assert seen.problems == []
