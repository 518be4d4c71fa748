"""The map's renderer in a real browser: what it draws and when, and what pointers and keys do."""

import io
from collections.abc import Generator

import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from fakes.chromium import WITHOUT_WEBGL
from fakes.dashboard import Seen
from fakes.gallery import Show, served_gallery, show_section
from fakes.waiting import wait_for

pytestmark = pytest.mark.browser

MAPS = "Maps"
# Of so many frames of the browser, those in which the map drew.
DRAWN_IN_FRAMES = """async (map) => {
  const before = Number(map.dataset.frames);
  for (let frame = 0; frame < 30; frame++) await new Promise(requestAnimationFrame);
  return Number(map.dataset.frames) - before;
}"""
LOSE = "(canvas) => canvas.getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()"
LOSE_AND_RESTORE = """(canvas) => new Promise((done) => {
  const loss = canvas.getContext("webgl2").getExtension("WEBGL_lose_context");
  canvas.addEventListener("webglcontextrestored", () => done());
  // Once: what the next test does with the same page must not be restored.
  const restore = () => setTimeout(() => loss.restoreContext());
  canvas.addEventListener("webglcontextlost", restore, { once: true });
  loss.loseContext();
})"""


def drawn_map(page: Page, points: str = "1,000") -> Locator:
    """Have a map drawn and wait until it has come to rest."""
    page.get_by_role("button", name=f"{points} points", exact=True).click()
    found = page.get_by_role("application", name="Example map")
    at_rest(found)
    return found


def at_rest(drawn: Locator) -> None:
    def nothing_drawn() -> bool:
        return drawn.get_attribute("data-frames") is not None and frames_of_rest(drawn) == 0

    wait_for(nothing_drawn, "a map at rest")
    expect(drawn).to_have_attribute("data-moving", "false")


def frames_of_rest(drawn: Locator) -> int:
    count: int = drawn.evaluate(DRAWN_IN_FRAMES)
    return count


def colours(drawn: Locator) -> int:
    """Count the colours of what is shown."""
    image = Image.open(io.BytesIO(drawn.screenshot())).convert("RGB")
    return len(image.getcolors(1_000_000) or [])


def middle(drawn: Locator) -> tuple[float, float]:
    box = drawn.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def state(page: Page) -> Locator:
    """The line of the example that tells mode, current point and selection."""
    return page.locator("article p").last


@pytest.fixture
def without_webgl(browser: Browser) -> Generator[Page]:
    """The gallery in a browser that has no WebGL 2."""
    with served_gallery() as address:
        context = browser.new_context(reduced_motion="reduce", locale="en-GB")
        context.add_init_script(WITHOUT_WEBGL)
        page = context.new_page()
        page.goto(address)
        show_section(page, MAPS)
        yield page
        context.close()


def test_the_map_is_drawn_and_nothing_more_without_a_change(show: Show, seen: Seen) -> None:
    page = show(MAPS)
    drawn = drawn_map(page)
    assert colours(drawn) > 100
    assert drawn.get_attribute("data-renderer") in {"webgl", "software"}
    at_rest(drawn)
    page.mouse.move(*middle(drawn))
    # What the pointer is at is marked above the points, which aren't drawn for it.
    assert frames_of_rest(drawn) == 0
    assert seen.problems == []


def test_the_wheel_and_dragging_draw_the_map_anew_until_it_rests(show: Show) -> None:
    page = show(MAPS)
    drawn = drawn_map(page)
    before = int(drawn.get_attribute("data-frames") or 0)
    page.mouse.move(*middle(drawn))
    page.mouse.wheel(0, -200)
    page.mouse.down()
    x, y = middle(drawn)
    page.mouse.move(x + 60, y + 30, steps=5)
    page.mouse.up()
    at_rest(drawn)
    assert int(drawn.get_attribute("data-frames") or 0) > before + 1


def test_arrows_walk_over_the_points_and_enter_opens(show: Show) -> None:
    page = show(MAPS)
    drawn = drawn_map(page)
    drawn.focus()
    page.keyboard.press("ArrowRight")
    first = state(page).text_content() or ""
    assert "current none" not in first
    page.keyboard.press("ArrowRight")
    expect(state(page)).not_to_have_text(first)
    expect(state(page)).to_contain_text("opened nothing")
    page.keyboard.press("Enter")
    current = (state(page).text_content() or "").partition("current ")[2].partition(";")[0]
    expect(state(page)).to_contain_text(f"opened {current};")


def test_a_box_is_drawn_by_keys_and_escape_leaves_the_tool(show: Show) -> None:
    page = show(MAPS)
    drawn = drawn_map(page)
    drawn.focus()
    page.keyboard.press("b")
    expect(state(page)).to_contain_text("box;")
    page.keyboard.press("Enter")
    for _ in range(4):
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("Shift+ArrowUp")
    page.keyboard.press("Enter")
    expect(state(page)).not_to_contain_text("; 0 selected")
    page.keyboard.press("Escape")
    expect(state(page)).to_contain_text("pan;")


def test_a_lasso_selects_and_joins_and_removes(show: Show) -> None:
    page = show(MAPS)
    drawn = drawn_map(page)
    drawn.focus()
    page.keyboard.press("l")
    around(page, drawn, 0.98)
    expect(state(page)).to_contain_text("1000 selected")
    page.keyboard.down("Alt")
    around(page, drawn, 0.4)
    page.keyboard.up("Alt")
    expect(state(page)).not_to_contain_text("1000 selected")
    page.keyboard.down("Shift")
    around(page, drawn, 0.98)
    page.keyboard.up("Shift")
    expect(state(page)).to_contain_text("1000 selected")


def around(page: Page, drawn: Locator, share: float) -> None:
    """Draw a box about the middle of the map, of so much of its width and height."""
    box = drawn.bounding_box()
    assert box is not None
    x, y = middle(drawn)
    across, down = share * box["width"] / 2, share * box["height"] / 2
    page.mouse.move(x - across, y - down)
    page.mouse.down()
    for dx, dy in ((across, -down), (across, down), (-across, down), (-across, -down)):
        page.mouse.move(x + dx, y + dy, steps=3)
    page.mouse.up()


def test_the_map_turns_into_three_dimensions_and_is_saved_as_a_picture(show: Show) -> None:
    page = show(MAPS)
    drawn = drawn_map(page)
    page.get_by_role("button", name="3D", exact=True).click()
    expect(page.get_by_role("button", name="2D", exact=True)).to_be_visible()
    at_rest(drawn)
    page.get_by_role("button", name="PNG", exact=True).click()
    expect(state(page)).to_contain_text("image/png")


def test_a_lost_context_comes_back(show: Show, seen: Seen) -> None:
    page = show(MAPS)
    drawn = drawn_map(page)
    before = colours(drawn)
    drawn.locator("canvas").evaluate(LOSE_AND_RESTORE)
    at_rest(drawn)
    assert colours(drawn) > before / 2
    # Another map in its place: nothing of the lost context is left to be deleted.
    drawn_map(page, "10,000")
    assert [problem for problem in seen.problems if "INVALID" in problem] == []


@pytest.mark.slow
def test_a_context_that_never_comes_back_is_done_without(show: Show) -> None:
    page = show(MAPS)
    drawn = drawn_map(page)
    drawn.locator("canvas").evaluate(LOSE)
    expect(drawn).to_have_attribute("data-renderer", "canvas")
    at_rest(drawn)
    assert colours(drawn) > 100


def test_without_webgl_the_map_is_drawn_and_pointed_at_all_the_same(without_webgl: Page) -> None:
    drawn = drawn_map(without_webgl)
    expect(drawn).to_have_attribute("data-renderer", "canvas")
    assert colours(drawn) > 100
    drawn.focus()
    without_webgl.keyboard.press("ArrowRight")
    expect(state(without_webgl)).not_to_contain_text("current none")
