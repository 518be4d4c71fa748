"""Help in a real browser: reading, searching and moving through the pages by keyboard."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from browser.page import LOOK_RULES, axe_violations, without_cache
from fakes.dashboard import Dashboard, OpenPage, Seen

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
PAGES = sorted(path.stem for path in (ROOT / "assets" / "docs" / "help").glob("*.md"))
HOSTILE = """# Privacy

<script>window.broken = 1</script> <img src=x onerror="window.broken = 2">

[press](javascript:window.broken=3) [read](data:text/html,<script>1</script>) [away](https://elsewhere.example/)

| <b onclick="window.broken = 4">cell</b> |
|---|
| ![owl](https://elsewhere.example/owl.png) |
"""


def title(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=1, name=text)).to_be_visible()


def compiled(markdown: str) -> str:
    """Compile a page as the build does."""
    script = (
        'import { compile } from "./build/docs/compile.ts";'
        "const blocks = compile('privacy', process.argv[1]).blocks;"
        "console.log(JSON.stringify({ blocks }));"
    )
    node = Path(sys.executable).with_name("node")
    done = subprocess.run(
        [node, "--input-type=module", "-e", script, markdown],
        cwd=ROOT / "ui",
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def test_every_page_opens_without_an_error(
    dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(dashboard, "/help")
    title(page, "Help")
    links = page.get_by_role("navigation", name="Help pages").get_by_role("link")
    assert sorted(links.evaluate_all("(all) => all.map((a) => a.pathname)")) == [
        f"/help/{slug}" for slug in PAGES
    ]
    for link in links.all():
        link.click()
        expect(link).to_have_attribute("aria-current", "page")
        expect(page.locator("article h1")).to_have_text(link.inner_text())
        expect(page).to_have_url(re.compile(f"{link.get_attribute('href')}$"))
    assert seen.problems == []


@pytest.mark.slow
def test_a_page_that_the_address_names_is_opened_at_its_section(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(dashboard, "/help/privacy#secrets")
    heading = page.get_by_role("heading", name=re.compile("^Secrets"))
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()
    outline = page.get_by_role("navigation", name="On this page", exact=True)
    expect(outline.locator("[aria-current=location]")).to_have_text("Secrets")


@pytest.mark.slow
def test_a_link_to_another_page_stays_inside_and_leads_back(
    dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(dashboard, "/help/edit")
    title(page, "Edit and undo")
    seen.requests.clear()
    page.get_by_role("article").get_by_role("link", name="Select them").click()
    title(page, "Memories")
    assert not [url for url in seen.requests if url.endswith("/help/memories")]
    page.go_back()
    title(page, "Edit and undo")


@pytest.mark.slow
def test_pages_are_walked_by_the_keyboard(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard, "/help")
    title(page, "Help")
    page.keyboard.press("]")
    title(page, "Get started")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.keyboard.press("]")
    title(page, "Connections")
    page.keyboard.press("[")
    title(page, "Get started")


def test_the_search_finds_a_section_and_opens_it(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard, "/help/agents")
    title(page, "Agents")
    page.keyboard.press("/")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("how long kept", delay=10)
    first = page.get_by_role("option").first
    expect(first).to_contain_text("How long data is kept")
    expect(page).to_have_url(re.compile(r"\?q=how\+long\+kept$"))
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option").nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/help/.*how-long-data-is-kept"))
    expect(page.get_by_role("heading", name=re.compile("^How long data is kept"))).to_be_focused()
    page.go_back()
    expect(page.get_by_role("combobox")).to_have_value("how long kept")


@pytest.mark.slow
def test_a_search_without_an_answer_says_so_and_escape_ends_it(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(dashboard, "/help/agents")
    title(page, "Agents")
    page.keyboard.press("/")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("zyzzyva")
    expect(page.get_by_role("heading", name="No results")).to_be_visible()
    page.keyboard.press("Escape")
    title(page, "Agents")


@pytest.mark.slow
def test_pictures_are_loaded(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard, "/help/tray")
    pictures = page.locator("article img")
    expect(pictures.first).to_be_visible()
    for index in range(pictures.count()):
        picture = pictures.nth(index)
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("complete", value=True)
        expect(picture).not_to_have_js_property("naturalWidth", 0)


@pytest.mark.slow
def test_code_is_copied(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard, "/help/agents")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    block = page.locator("pre").first
    expect(block).to_be_visible()
    page.get_by_role("button", name="Copy").first.click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == block.inner_text().rstrip("\n")


def test_hostile_markdown_is_inert(dashboard: Dashboard, open_page: OpenPage, seen: Seen) -> None:
    page = open_page(dashboard, "/help")
    title(page, "Help")
    body = f"export default {compiled(HOSTILE)};"

    def answer(route: Route) -> None:
        route.fulfill(content_type="text/javascript", body=body)

    page.route(re.compile(r"/assets/privacy-.*\.js"), answer)
    page.goto(f"{dashboard.url}/help/privacy")
    article = page.get_by_role("article")
    expect(article).to_contain_text("<script>window.broken = 1</script>")
    expect(article).to_contain_text('<b onclick="window.broken = 4">cell</b>')
    article.get_by_text("press").click()
    assert page.evaluate("window.broken") is None
    leading = article.locator("a:not(.anchor)").evaluate_all("(all) => all.map((a) => a.href)")
    assert "https://elsewhere.example/" in leading
    assert not [url for url in leading if url.startswith(("javascript:", "data:"))]
    assert article.locator("img, script").count() == 0
    away = article.get_by_role("link", name="away")
    expect(away).to_have_attribute("target", "_blank")
    expect(away).to_have_attribute("rel", "noreferrer")
    assert not [url for url in seen.requests if "elsewhere.example" in url]


@pytest.mark.slow
def test_malformed_help_data_links_nowhere(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard, "/help")
    bad = [
        {"is": kind, "to": "javascript:alert(1)", "of": ["press"]} for kind in ("link", "outward")
    ]
    body = f"export default {json.dumps({'blocks': [{'is': 'paragraph', 'of': bad}]})};"
    page.route(
        re.compile(r"/assets/privacy-.*\.js"),
        lambda route: route.fulfill(content_type="text/javascript", body=body),
    )
    page.goto(f"{dashboard.url}/help/privacy")
    expect(page.get_by_role("article")).to_contain_text("presspress")
    assert page.get_by_role("article").get_by_role("link", name="press").count() == 0


@pytest.mark.slow
def test_a_page_that_is_not_there_is_said(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard, "/help/no-such-page")
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    page.get_by_role("button", name="All pages").last.click()
    title(page, "Help")


@pytest.mark.slow
def test_a_page_that_does_not_come_is_said(empty_dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(empty_dashboard, "/help")
    title(page, "Help")
    without_cache(page)
    empty_dashboard.stop()
    page.locator('nav[aria-label="Help pages"]').get_by_role("link", name="Agents").click()
    expect(page.get_by_role("heading", name="Couldn't load this page")).to_be_visible()
    expect(page.get_by_role("button", name="Reload")).to_be_visible()


@pytest.mark.slow
def test_a_page_is_printed_whole_and_without_the_frame(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(dashboard, "/help/cli")
    title(page, "Command line")
    page.emulate_media(media="print")
    expect(page.get_by_role("combobox")).to_be_hidden()
    expect(page.get_by_role("navigation", name="Help pages")).to_be_hidden()
    sheets = page.pdf().count(b"/Type /Page\n") + page.pdf().count(b"/Type /Page ")
    assert sheets > 1


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/help/tray", "/help/settings", "/help?q=backup"])
def test_help_passes_axe(dashboard: Dashboard, open_page: OpenPage, seen: Seen, path: str) -> None:
    page = open_page(dashboard, path)
    expect(page.locator("article, .overview, [role=option]").first).to_be_visible()
    assert axe_violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert axe_violations(page, *LOOK_RULES) == []
    assert seen.problems == []


@pytest.mark.slow
def test_help_does_not_scroll_sideways_when_it_is_narrow(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(dashboard, "/help/settings", size=(640, 400))
    title(page, "Settings")
    pane = page.get_by_role("region", name="Help page")
    assert pane.evaluate("(pane) => pane.scrollWidth <= pane.clientWidth")


@pytest.mark.slow
def test_an_address_that_nobody_can_read_shows_the_page_all_the_same(
    dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(dashboard, "/help/settings")
    title(page, "Settings")
    page.goto(f"{dashboard.url}/help/settings#%")
    page.reload()
    title(page, "Settings")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    assert seen.problems == []
