"""What is set for one project, and what other settings would tell, in a real browser."""

from collections.abc import Generator

import pytest
from playwright.sync_api import expect

from browser.page import look_violations
from fakes.dashboard import Dashboard, OpenPage, running_dashboard

pytestmark = pytest.mark.browser

PROJECT, ALONE = "/srv/quarry", "/srv/harbour"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Generator[Dashboard]:
    folder = tmp_path_factory.mktemp("home")
    (folder / "agents").mkdir()
    (folder / "agents" / "agent.yaml").write_text("embedding:\n  provider: none\n")
    with running_dashboard(folder) as running:
        running.remember("The harbour has two piers.", project=ALONE)
        for day in range(14):
            running.remember(
                f"We chose tool number {day} for the pipeline of team {day}: it has support.",
                project=PROJECT,
                type="decision",
            )
        yield running


def test_a_person_leaves_a_project_alone_and_takes_it_back(
    home: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(home, f"/projects/detail?project={ALONE}&show=settings")
    switch = page.get_by_role("switch", name="Capture")
    expect(switch).to_be_checked()
    switch.press("Space")
    expect(page.get_by_text("Capture: Off in this project.")).to_be_visible()
    page.get_by_role("combobox", name="What agents are told").select_option("Nothing")
    commits = page.get_by_role("switch", name="Read commits")
    commits.press("Space")
    page.get_by_role("button", name="Change and delete").click()
    expect(commits).not_to_be_checked()
    assert look_violations(page) == []
    page.goto(page.url.replace("projects/detail", "home"))
    note = page.get_by_text("Capture is off in this project")
    expect(note).to_be_visible()
    page.get_by_role("link", name="Change for this project").click()
    page.get_by_role("button", name="Reset to the general value: On").first.click()
    expect(page.get_by_text("Capture: On, as for all projects.")).to_be_visible()
    page.get_by_role("button", name="Undo").last.click()
    expect(switch).not_to_be_checked()


def test_a_person_tries_a_value_and_sees_what_it_changes(
    home: Dashboard, open_page: OpenPage
) -> None:
    key = "harness.claudeCode.startMaxTokens"
    page = open_page(home, f"/settings/{key}")
    page.get_by_role("button", name="Try values").click()
    simulator = page.get_by_role("region", name="What agents would be told")
    expect(simulator.get_by_role("group", name="Next session")).to_contain_text("tool number 13")
    field = page.locator(f"[data-row='{key}'] input")
    field.fill("200")
    expect(simulator).to_contain_text("fewer")
    expect(simulator).to_contain_text("of 200 tokens")
    expect(simulator.locator(".gone").first).to_contain_text("No longer told:")
    simulator.get_by_label("Try a prompt").fill("Which tool did we choose for team 13?")
    expect(simulator.get_by_role("heading", name="This prompt")).to_be_visible()
    assert look_violations(page, within="main [aria-label='Try values']") == []
    saved = home.http.get("/api/settings").json()["settings"]
    assert next(each["value"] for each in saved if each["key"] == key) == 600
