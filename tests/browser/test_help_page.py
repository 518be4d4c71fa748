"""Help in a real browser: reading, searching and walking the documentation by the keyboard."""

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
DOCS = ROOT / "assets" / "docs"
PAGES = sorted(path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md"))
# The pages of a folder are alike: one of them is opened by default.
ONE_OF_EACH_FOLDER = list({slug.split("/")[0]: slug for slug in PAGES if "/" in slug}.values())
HOSTILE = """# Pausing capture

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
        "const blocks = compile('pausing', process.argv[1]).blocks;"
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


# All of one folder are alike: the default run opens one of them, and all that are in none.
@pytest.mark.parametrize(
    "slugs",
    [
        pytest.param([slug for slug in PAGES if "/" not in slug] + ONE_OF_EACH_FOLDER, id="some"),
        pytest.param(PAGES, id="all", marks=pytest.mark.slow),
    ],
)
def test_every_page_opens_without_a_complaint(
    dashboard: Dashboard, open_page: OpenPage, seen: Seen, slugs: list[str]
) -> None:
    page = open_page(dashboard, "/help")
    title(page, "Help")
    for slug in slugs:
        link = page.locator(f'nav[aria-label="Help pages"] a[href="/help/{slug}"]')
        # Those of a folded group are there as well.
        link.evaluate("(link) => link.click()")
        expect(page.locator("article h1")).to_have_text(re.compile(r"\S"))
        expect(page).to_have_url(f"{dashboard.url}/help/{slug}")
        expect(link).to_have_attribute("aria-current", "page")
    assert seen.problems == []


def test_a_page_that_the_address_names_is_opened_at_its_section(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(dashboard, "/help/desk#what-it-costs")
    heading = page.get_by_role("heading", name=re.compile("^What it costs"))
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()
    outline = page.get_by_role("navigation", name="On this page", exact=True)
    expect(outline.locator("[aria-current=location]")).to_have_text("What it costs")


def test_a_link_to_another_page_stays_inside_and_leads_back(
    dashboard: Dashboard, open_page: OpenPage, seen: Seen
) -> None:
    page = open_page(dashboard, "/help/memory-lifecycle")
    title(page, "The life of a memory")
    seen.requests.clear()
    page.get_by_role("article").get_by_role("link", name="storage.md").first.click()
    title(page, "Storage")
    assert not [url for url in seen.requests if url.endswith("/help/storage")]
    page.go_back()
    title(page, "The life of a memory")


def test_pages_are_walked_by_the_keyboard(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard, "/help")
    title(page, "Help")
    page.keyboard.press("]")
    title(page, "The dashboard: finding one's way")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.keyboard.press("]")
    title(page, "The page of memories")
    page.keyboard.press("[")
    title(page, "The dashboard: finding one's way")


def test_the_search_finds_a_section_and_opens_it(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard, "/help/agents")
    title(page, "Agents")
    page.keyboard.press("/")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("kept how long", delay=10)
    first = page.get_by_role("option").first
    expect(first).to_contain_text("What is kept how long")
    expect(page).to_have_url(re.compile(r"\?q=kept\+how\+long$"))
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option").nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/help/.*what-is-kept-how-long"))
    expect(page.get_by_role("heading", name=re.compile("^What is kept how long"))).to_be_focused()
    page.go_back()
    expect(page.get_by_role("combobox")).to_have_value("kept how long")


def test_a_search_without_an_answer_says_so_and_escape_ends_it(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(dashboard, "/help/agents")
    title(page, "Agents")
    page.keyboard.press("/")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("zyzzyva")
    expect(page.get_by_role("heading", name="Nothing found")).to_be_visible()
    page.keyboard.press("Escape")
    title(page, "Agents")


def test_pictures_are_loaded(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard, "/help/desk")
    pictures = page.locator("article img")
    expect(pictures.first).to_be_visible()
    for index in range(pictures.count()):
        picture = pictures.nth(index)
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("complete", value=True)
        expect(picture).not_to_have_js_property("naturalWidth", 0)


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

    page.route(re.compile(r"/assets/pausing-.*\.js"), answer)
    page.goto(f"{dashboard.url}/help/pausing")
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


def test_data_that_no_build_would_make_leads_nowhere_either(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(dashboard, "/help")
    bad = [
        {"is": kind, "to": "javascript:alert(1)", "of": ["press"]} for kind in ("link", "outward")
    ]
    body = f"export default {json.dumps({'blocks': [{'is': 'paragraph', 'of': bad}]})};"
    page.route(
        re.compile(r"/assets/pausing-.*\.js"),
        lambda route: route.fulfill(content_type="text/javascript", body=body),
    )
    page.goto(f"{dashboard.url}/help/pausing")
    expect(page.get_by_role("article")).to_contain_text("presspress")
    assert page.get_by_role("article").get_by_role("link", name="press").count() == 0


def test_a_page_that_is_not_there_is_said(dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(dashboard, "/help/no-such-page")
    expect(page.get_by_role("heading", name="There is no such page")).to_be_visible()
    page.get_by_role("button", name="All pages").last.click()
    title(page, "Help")


def test_a_page_that_does_not_come_is_said(empty_dashboard: Dashboard, open_page: OpenPage) -> None:
    page = open_page(empty_dashboard, "/help")
    title(page, "Help")
    without_cache(page)
    empty_dashboard.stop()
    page.locator('nav[aria-label="Help pages"]').get_by_role("link", name="Agents").click()
    expect(page.get_by_role("heading", name="This page did not come")).to_be_visible()
    expect(page.get_by_role("button", name="Reload")).to_be_visible()


def test_a_page_is_printed_whole_and_without_the_frame(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(dashboard, "/help/api")
    title(page, "HTTP API")
    page.emulate_media(media="print")
    expect(page.get_by_role("combobox")).to_be_hidden()
    expect(page.get_by_role("navigation", name="Help pages")).to_be_hidden()
    sheets = page.pdf().count(b"/Type /Page\n") + page.pdf().count(b"/Type /Page ")
    assert sheets > 1


@pytest.mark.parametrize("path", ["/help/desk", "/help/settings", "/help?q=backup"])
def test_help_passes_axe(dashboard: Dashboard, open_page: OpenPage, seen: Seen, path: str) -> None:
    page = open_page(dashboard, path)
    expect(page.locator("article, .overview, [role=option]").first).to_be_visible()
    assert axe_violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert axe_violations(page, *LOOK_RULES) == []
    assert seen.problems == []


def test_help_does_not_scroll_sideways_when_it_is_narrow(
    dashboard: Dashboard, open_page: OpenPage
) -> None:
    page = open_page(dashboard, "/help/api", size=(640, 400))
    title(page, "HTTP API")
    pane = page.get_by_role("region", name="Documentation")
    assert pane.evaluate("(pane) => pane.scrollWidth <= pane.clientWidth")


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
