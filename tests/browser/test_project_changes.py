"""Moving, merging, renaming and archiving projects in a real browser."""

import shutil
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.page import look_violations
from fakes.dashboard import Dashboard, OpenPage, running_dashboard
from fakes.repository import make_repository
from fakes.waiting import wait_for

pytestmark = pytest.mark.browser

REMOTE = "git@github.com:acme/lantern.git"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Generator[Dashboard]:
    folder = tmp_path_factory.mktemp("home")
    (folder / "agents").mkdir()
    (folder / "agents" / "agent.yaml").write_text("embedding:\n  provider: none\n")
    with running_dashboard(folder) as running:
        yield running


def is_known(dashboard: Dashboard, folder: Path) -> Callable[[], bool]:
    def known() -> bool:
        rows = dashboard.http.get("/api/projects", params={"q": str(folder)}).json()["projects"]
        return any(row["remote"] for row in rows)

    return known


def start_session(dashboard: Dashboard, project: Path) -> None:
    body = {"harness": "claude-code", "project": str(project), "sessionKey": f"in {project}"}
    dashboard.http.post("/api/hooks/session-start", json=body).raise_for_status()


def menu(page: Page, project: str, action: str) -> None:
    page.get_by_role("button", name=f"Change {project}", exact=True).click()
    page.get_by_role("menuitem", name=action).click()


def test_a_person_takes_a_moved_project_along_and_undoes_it(
    home: Dashboard, open_page: OpenPage, tmp_path: Path
) -> None:
    old, new = tmp_path / "code" / "lantern", tmp_path / "work" / "lantern"
    make_repository(old, REMOTE)
    home.remember("Light the lantern at dusk.", project=str(old), type="rule")
    wait_for(is_known(home, old), "its folder was read")
    shutil.rmtree(old)
    make_repository(new, REMOTE)
    start_session(home, new)
    page = open_page(home, "/home")
    offer = page.get_by_role("alert").filter(has_text="Did lantern move?")
    expect(offer).to_contain_text("has the same remote")
    assert look_violations(page) == []
    offer.get_by_role("button", name="Take 1 memory along").click()
    expect(page.get_by_text(f"Moved 1 memory to {new}.")).to_be_visible()
    expect(offer).to_have_count(0)
    page.keyboard.press("u")
    expect(page.get_by_text("Undone.")).to_be_visible()
    expect(offer).to_have_count(1)
    offer.get_by_role("button", name="Not the same").click()
    expect(offer).to_have_count(0)


@pytest.mark.slow
def test_a_person_merges_renames_and_archives_projects(
    home: Dashboard, open_page: OpenPage, tmp_path: Path
) -> None:
    for name in ("oven", "bakery"):
        (tmp_path / name).mkdir()
        home.remember("Bake at 220 degrees.", project=str(tmp_path / name))
    home.remember("The oven needs ten minutes.", project=str(tmp_path / "oven"))
    page = open_page(home, "/projects")
    menu(page, "oven", "Merge into another project…")
    dialog = page.get_by_role("dialog")
    field = dialog.get_by_label("The project that it becomes part of")
    field.fill("nowhere")
    expect(dialog).to_contain_text("There is no project 'nowhere'")
    field.fill(str(tmp_path / "bakery"))
    expect(dialog).to_contain_text("1 memory that it has already is forgotten.")
    assert look_violations(page) == []
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Merged 2 memories into bakery.")).to_be_visible()
    menu(page, "bakery", "Rename…")
    page.get_by_label("Name", exact=True).fill("Corner bakery")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Corner bakery")).not_to_have_count(0)
    menu(page, "Corner bakery", "Archive")
    row = page.get_by_role("row").filter(has_text="Corner bakery")
    expect(row).to_have_count(0)
    page.get_by_role("button", name="Archived", exact=True).click()
    expect(row).to_have_count(1)
    assert look_violations(page) == []
    menu(page, "Corner bakery", "Unarchive")
    expect(page.get_by_text("No archived projects")).to_be_visible()
