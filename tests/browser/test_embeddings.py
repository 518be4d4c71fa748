"""Meaning in the dashboard: progress, trouble, why a memory was found, and what is like it."""

from collections.abc import Generator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from browser.page import detail, intercept, live, look_violations, row, try_again
from fakes.dashboard import Dashboard, OpenPage, running_dashboard
from intaglio.base.paths import built_folder

pytestmark = pytest.mark.browser

CAR = "The car is parked behind the barn."
VAN = "The van stands in the garage."
TEA = "Green tea is steeped for two minutes."
QUESTION = "where did we leave our automobile?"


@pytest.fixture(scope="module")
def cars(tmp_path_factory: pytest.TempPathFactory) -> Generator[Dashboard]:
    """A daemon with the real model that was told of a car, a van and tea."""
    if not (built_folder("model") / "model.onnx").is_file():
        pytest.fail("the model is not there: run `python3 app setup`")
    with running_dashboard(tmp_path_factory.mktemp("cars")) as running:
        for content in (CAR, VAN, TEA):
            running.remember(content)
        running.wait_until_known()
        yield running


def similar(page: Page, text: str) -> Locator:
    """Find one of the memories that are like the open one."""
    return (
        page.get_by_role("list", name="Similar memories")
        .get_by_role("button")
        .filter(has_text=text)
    )


def say(page: Page, status: dict[str, Any]) -> None:
    """Let the daemon's status be this one."""
    page.unroute("**/api/status")
    page.route("**/api/status", lambda route: route.fulfill(json=status))


@pytest.mark.slow
def test_a_paraphrase_is_found_as_soon_as_the_memory_has_its_vector(
    empty_dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(empty_dashboard)
    live(page)
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type(QUESTION)
    expect(page.get_by_role("heading", name="No results")).to_be_visible()
    empty_dashboard.remember(CAR)
    expect(row(page, CAR)).to_be_visible()
    expect(page.locator("mark")).to_have_count(0)


@pytest.mark.slow
def test_the_open_result_says_why_it_was_found(cars: Dashboard, open_page: OpenPage) -> None:
    page = open_page(cars, "/memories?q=where+is+the+parked+automobile")
    expect(row(page, CAR)).to_be_visible()
    # The list marks what was asked; how it was found stands with the details alone.
    expect(row(page, CAR).locator("mark")).to_have_text(["parked"])
    expect(row(page, CAR)).not_to_contain_text("eaning")
    row(page, CAR).click()
    why = detail(page).get_by_role("region", name="Why it matched")
    expect(why).to_contain_text("Matches the keywords and is semantically similar.")
    expect(why.get_by_text("parked", exact=True)).to_be_visible()
    expect(why.get_by_role("img", name="Match by meaning")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.press("Escape")
    expect(why).to_have_count(0)


@pytest.mark.slow
def test_similar_memories_open_from_the_keyboard_and_lead_back(
    cars: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(cars)
    row(page, CAR).click()
    nearest = page.get_by_role("list", name="Similar memories").get_by_role("button").first
    expect(nearest).to_contain_text(VAN)
    expect(similar(page, VAN).get_by_role("img", name="similarity 0.")).to_be_visible()
    similar(page, VAN).focus()
    page.keyboard.press("Enter")
    expect(detail(page).locator("p", has_text=VAN)).to_be_visible()
    expect(detail(page)).to_be_focused()
    expect(similar(page, CAR)).to_be_visible()
    page.go_back()
    expect(detail(page).locator("p", has_text=CAR)).to_be_visible()


@pytest.mark.slow
def test_a_similar_memory_that_is_forgotten_leaves_without_a_reload(
    cars: Dashboard, open_page: OpenPage
) -> None:
    old = cars.remember("The lorry is parked behind the barn, too.")
    cars.wait_until_known()
    page = open_page(cars)
    live(page)
    row(page, CAR).click()
    expect(similar(page, "The lorry")).to_be_visible()
    cars.forget(old)
    expect(similar(page, "The lorry")).to_have_count(0)
    expect(similar(page, VAN)).to_be_visible()


@pytest.mark.slow
def test_without_a_model_semantic_search_is_not_mentioned(
    tmp_path: Path, open_page: OpenPage
) -> None:
    home = tmp_path / "home"
    (home / "agents").mkdir(parents=True)
    (home / "agents" / "agent.yaml").write_text("embedding:\n  provider: none\n")
    with running_dashboard(home) as dashboard:
        dashboard.remember(CAR)
        page = open_page(dashboard, "/memories?q=parked")
        live(page)
        row(page, CAR).click()
        expect(detail(page).get_by_text("Not available")).to_be_visible()
        expect(detail(page).get_by_role("heading", name="Similar")).to_have_count(0)
        expect(page.get_by_role("button", name="Keyword search only")).to_have_count(0)


@pytest.mark.slow
def test_similar_memories_that_fail_to_load_can_be_retried(
    cars: Dashboard, open_page: OpenPage
) -> None:
    def refuse(route: Route) -> None:
        problem = {"type": "about:blank", "code": "unavailable", "title": "Not now"}
        route.fulfill(status=503, json=problem | {"status": 503, "detail": "Try later."})

    page = open_page(cars)
    row(page, TEA).click()
    # What is near by chance alone is not called similar.
    expect(detail(page)).to_contain_text("No similar memories.")
    intercept(page, "**/memory/similar*", refuse)
    row(page, CAR).click()
    expect(detail(page).get_by_role("alert")).to_contain_text("Try later.")
    try_again(page, "**/memory/similar*", detail(page))
    expect(similar(page, VAN)).to_be_visible()


@pytest.mark.slow
def test_semantic_search_results_pass_axe(cars: Dashboard, open_page: OpenPage) -> None:
    page = open_page(cars, "/memories?q=parked+automobile")
    expect(row(page, CAR)).to_be_visible()
    found = {"results": look_violations(page)}
    row(page, CAR).click()
    expect(similar(page, VAN)).to_be_visible()
    found["detail"] = look_violations(page)
    status: dict[str, Any] = cars.http.get("/api/status").json()
    states: dict[str, dict[str, object]] = {
        "Embedding": {"embedded": 120, "total": 400, "pending": 280},
        "Keyword search only": {
            "available": False,
            "phase": "damaged",
            "detail": "It was altered.",
        },
    }
    for shown, change in states.items():
        say(page, status | {"embedding": status["embedding"] | change})
        page.reload()
        role: Literal["progressbar", "button"] = "progressbar" if "total" in change else "button"
        expect(page.get_by_role(role, name=shown)).to_be_visible()
        found[shown] = look_violations(page)
    page.get_by_role("button", name="Keyword search only").click()
    expect(page.get_by_role("dialog")).to_contain_text("It was altered.")
    found["dialog"] = look_violations(page)
    assert found == {state: [] for state in found}
