"""How the tests of a browser find their way about the dashboard's page."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

AXE = Path(__file__).parents[2] / "ui/node_modules/axe-core/axe.min.js"


def row(page: Page, text: str) -> Locator:
    """Find the line of a memory in the list."""
    return page.get_by_role("option").filter(has_text=text)


def live(page: Page) -> None:
    """Wait until the page hears of changes."""
    expect(page.get_by_text("Connected: changes appear by themselves")).to_be_attached()


def detail(page: Page) -> Locator:
    """Find the pane of the open memory."""
    return page.get_by_role("region", name="Memory", exact=True)


def axe_violations(page: Page) -> list[str]:
    """Run axe-core on what is shown and name what it finds."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = page.evaluate("() => axe.run()")
    return [
        f"{violation['id']}: {node['html'][:200]} {node['any'][:1]}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]
