"""The database file is removed while the dashboard is open: it says so and restores the copy."""

import pytest
from playwright.sync_api import expect

from browser.page import live
from fakes.dashboard import Dashboard, OpenPage

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_a_removed_database_is_restored_from_the_dashboard(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    empty_dashboard.remember("The beryl is green.")
    page = open_page(empty_dashboard, "/status")
    live(page)
    empty_dashboard.daemon.paths.database.unlink()
    banner = page.get_by_role("alert").filter(has_text="The database is read-only.")
    expect(banner).to_contain_text("was removed while the daemon was running")
    expect(banner).to_contain_text("The memories saved until then are in rescued-")
    issues = page.get_by_role("list", name="Issues")
    expect(issues).to_contain_text("The database file was removed")

    issues.get_by_role("button", name="Restore…").click()
    dialog = page.get_by_role("dialog", name="Restore the database")
    newest = dialog.get_by_role("radio").first
    expect(newest).to_be_checked()
    expect(newest).to_be_focused()
    expect(dialog).to_contain_text("Saved aside")
    expect(dialog).to_contain_text("1 memory")
    dialog.get_by_role("button", name="Restore").click()
    expect(page.get_by_text("Database restored.")).to_be_visible()
    expect(banner).to_be_hidden()
    assert empty_dashboard.http.get("/api/memories").json()["stats"]["total"] == 1
    empty_dashboard.remember("The opal is new.")


@pytest.mark.slow
def test_an_empty_database_is_offered_only_where_one_is_missing(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    state = {"state": "degraded", "reason": "The database file is missing; there is 1 backup."}
    issue = {
        "id": "database",
        "level": "danger",
        "title": "The database file is missing",
        "text": "There is 1 backup.",
        "command": "",
        "page": "",
        "action": "restore",
        "repair": "",
    }
    page = open_page(empty_dashboard, "/status")
    page.route("**/health", lambda route: route.fulfill(json={**route.fetch().json(), **state}))

    page.route(
        "**/api/health",
        lambda route: route.fulfill(json={**route.fetch().json(), "issues": [issue]}),
    )
    page.route("**/api/backups", lambda route: route.fulfill(json={"backups": [], "missing": True}))
    page.reload()
    page.get_by_role("list", name="Issues").get_by_role("button", name="Restore…").click()
    dialog = page.get_by_role("dialog", name="Restore the database")
    expect(dialog).to_contain_text("There are no copies to restore.")
    expect(dialog.get_by_role("radio", name="Start empty")).to_be_checked()
    expect(dialog.get_by_role("button", name="Start empty")).to_be_enabled()
