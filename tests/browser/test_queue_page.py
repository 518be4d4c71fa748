"""The queue on Health: what waits, what was given up and why, and what a person does about it."""

import re
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.page import held, live, look_violations, release
from fakes.dashboard import Dashboard, OpenPage, Seen, running_dashboard
from fakes.embedding_server import WIDTH, EmbeddingServer, embedding_server
from fakes.waiting import wait_for

pytestmark = pytest.mark.browser

ODD = "An odd pearl lies in the drawer."
EVEN = "An even pearl lies in the box."


class Choosy(EmbeddingServer):
    """Refuses texts with one word in them, as a model does that breaks on something."""

    odd = "odd"

    def reply(self, path: str, key: str, body: dict[str, object]) -> tuple[int, bytes]:
        """Answer 500 where the word is among the texts."""
        if self.odd and self.odd in str(body["input"]):
            return 500, b"it broke"
        return super().reply(path, key, body)


@contextmanager
def choosy(home: Path) -> Generator[tuple[Choosy, Dashboard]]:
    """Run a dashboard whose model refuses the odd memory."""
    with embedding_server(Choosy()) as server:
        (home / "agents").mkdir(parents=True)
        (home / "agents" / "agent.yaml").write_text(
            f"embedding:\n  provider: ollama\n  base_url: {server.url}\n  model: stub\n"
            f"  dimensions: {WIDTH}\nmemory:\n  pipelineV2:\n    worker:\n      maxRetries: 1\n"
        )
        with running_dashboard(home) as running:
            assert isinstance(server, Choosy)
            yield server, running


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Generator[tuple[Choosy, Dashboard]]:
    """One such daemon for the tests of a module."""
    with choosy(tmp_path_factory.mktemp("choosy")) as started:
        yield started


@pytest.fixture
def emptied(running: tuple[Choosy, Dashboard]) -> tuple[Choosy, Dashboard]:
    """The daemon without memories and jobs, whatever a test before left."""
    server, dashboard = running
    server.odd = Choosy.odd
    for memory in dashboard.http.get("/api/memories").json()["memories"]:
        path = f"/api/memory/{memory['id']}"
        erased = dashboard.http.delete(path, params={"reason": "a test", "force": "true"})
        erased.raise_for_status()

    def settled() -> bool:
        jobs = dashboard.http.get("/api/jobs").json()["jobs"]
        for job in jobs:
            if job["status"] == "dead":
                path = f"/api/jobs/{job['id']}/discard"
                dashboard.http.post(path, headers=dashboard.daemon.owner).raise_for_status()
        return not {job["status"] for job in jobs} & {"pending", "leased", "dead"}

    wait_for(settled, "an empty queue")
    return server, dashboard


@pytest.fixture
def broken(emptied: tuple[Choosy, Dashboard]) -> tuple[Choosy, Dashboard]:
    """A daemon with one memory that the model refuses, and one that it does not."""
    emptied[1].remember(ODD)
    emptied[1].remember(EVEN)
    return emptied


def given_up(page: Page, text: str) -> Locator:
    """Find the line of a given-up job."""
    table = page.get_by_role("table", name="Failed jobs")
    return table.get_by_role("row").filter(has_text=text)


def open_queue(open_page: OpenPage, dashboard: Dashboard) -> Page:
    page = open_page(dashboard, "/status#queue")
    live(page)
    return page


def test_an_empty_queue_says_so_and_a_given_up_job_appears_by_itself_with_its_reason(
    emptied: tuple[Choosy, Dashboard], open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(emptied[1])
    page.get_by_role("link", name="Health").click()
    expect(page.get_by_text("No jobs are waiting, and none failed.")).to_be_visible()
    live(page)
    emptied[1].remember(ODD)
    expect(given_up(page, ODD)).to_contain_text("answered 500")
    expect(given_up(page, ODD)).to_contain_text("1 of 1 attempts")
    assert seen.problems == []


@pytest.mark.slow
def test_the_queue_is_clean_and_the_memory_of_a_given_up_job_one_step_away(
    broken: tuple[Choosy, Dashboard], open_page: OpenPage
) -> None:
    page = open_queue(open_page, broken[1])
    expect(given_up(page, ODD)).to_be_visible()
    assert look_violations(page) == []
    given_up(page, ODD).get_by_role("link").click()
    expect(page).to_have_url(re.compile("/memories/"))
    expect(page.get_by_role("region", name="Memory", exact=True)).to_contain_text(ODD)


@pytest.mark.slow
def test_the_memory_of_a_given_up_job_is_not_printed(
    broken: tuple[Choosy, Dashboard], open_page: OpenPage
) -> None:
    page = open_queue(open_page, broken[1])
    expect(given_up(page, ODD)).to_be_visible()
    page.emulate_media(media="print")
    expect(page.get_by_text("These jobs ran out of attempts.")).to_be_visible()
    expect(page.get_by_text(ODD)).to_be_hidden()


@pytest.mark.slow
def test_what_is_mended_goes_when_it_is_retried(
    broken: tuple[Choosy, Dashboard], open_page: OpenPage
) -> None:
    server, dashboard = broken
    page = open_queue(open_page, dashboard)
    expect(given_up(page, ODD)).to_be_visible()
    server.odd = ""
    given_up(page, ODD).get_by_role("button", name="Retry").click()
    expect(page.get_by_text("No jobs are waiting, and none failed.")).to_be_visible()
    expect(page.get_by_text("2 of 2 memories embedded")).to_be_visible()


@pytest.mark.slow
def test_all_are_retried_at_once(broken: tuple[Choosy, Dashboard], open_page: OpenPage) -> None:
    server, dashboard = broken
    dashboard.remember("Another odd pearl.")
    page = open_queue(open_page, dashboard)
    expect(page.get_by_role("table", name="Failed jobs").get_by_role("link")).to_have_count(2)
    server.odd = ""
    page.get_by_role("button", name="Retry all").click()
    expect(page.get_by_text("No jobs are waiting, and none failed.")).to_be_visible()


@pytest.mark.slow
def test_a_job_is_discarded_by_keyboard_alone(
    broken: tuple[Choosy, Dashboard], open_page: OpenPage
) -> None:
    page = open_queue(open_page, broken[1])
    expect(given_up(page, ODD)).to_be_visible()
    page.keyboard.press("j")
    expect(given_up(page, ODD).get_by_role("link")).to_be_focused()
    page.keyboard.press("#")
    dialog = page.get_by_role("alertdialog", name="Discard this job?")
    expect(dialog.get_by_role("button", name="Discard")).to_be_focused()
    page.keyboard.press("Escape")
    expect(given_up(page, ODD).get_by_role("link")).to_be_focused()
    page.keyboard.press("#")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Discarded.")).to_be_visible()
    expect(page.get_by_text("No jobs are waiting, and none failed.")).to_be_visible()
    expect(page.get_by_text("1 of 2 memories embedded")).to_be_visible()


@pytest.mark.slow
def test_the_focus_stays_where_one_went_while_a_job_was_discarded(
    broken: tuple[Choosy, Dashboard], open_page: OpenPage
) -> None:
    page = open_queue(open_page, broken[1])
    expect(given_up(page, ODD)).to_be_visible()
    page.keyboard.press("j")
    asked = "**/api/jobs/*/discard"
    kept = held(page, asked, "POST")
    with page.expect_request(asked):
        page.keyboard.press("#")
        page.keyboard.press("Enter")
    link = page.get_by_role("link", name="Health", exact=True)
    link.focus()
    release(page, kept)
    expect(page.get_by_text("No jobs are waiting, and none failed.")).to_be_visible()
    expect(link).to_be_focused()


@pytest.mark.slow
def test_a_change_of_the_model_is_shown_with_what_serves_meanwhile(
    broken: tuple[Choosy, Dashboard], open_page: OpenPage
) -> None:
    page = open_queue(open_page, broken[1])
    status = broken[1].http.get("/api/status").json()
    change = {"embedded": 120, "total": 400, "pending": 280, "searchedMeanwhile": "older"}
    page.route(
        "**/api/status",
        lambda route: route.fulfill(json=status | {"embedding": status["embedding"] | change}),
    )
    page.reload()
    expect(page.get_by_text("120 of 400 memories embedded")).to_be_visible()
    expect(page.get_by_text("search uses older")).to_be_visible()
