"""Further inputs: old transcripts keep their place in time, and days are local days."""

import time
from collections.abc import Generator
from typing import Final

import pytest

from cases.stage import Stage, prompt
from intaglio.daemon.live_settings import LiveSettings

DAYS: Final = ("2026-10-03", "2026-10-17", "2026-11-02", "2026-11-20")
DECISIONS: Final = (
    "We decided to use Solr for the catalogue search.",
    "We decided to pack releases as tarballs.",
    "We decided to draw the charts on a canvas.",
    "We decided to sign every invoice.",
)
RULES: Final = (
    "From now on every migration is reversible.",
    "Never deploy on Fridays.",
    "Always run the linter before pushing.",
    "From now on log entries are JSON lines.",
)
ORDERS: Final = ((3, 2, 1, 0), (1, 3, 0, 2), (0, 3, 1, 2), (2, 0, 3, 1))


@pytest.mark.parametrize("order", ORDERS, ids=str)
@pytest.mark.parametrize("said", [DECISIONS, RULES], ids=["decisions", "rules"])
async def test_what_was_said_last_is_told_first_in_whichever_order_it_is_read(
    stage: Stage, said: tuple[str, ...], order: tuple[int, ...]
) -> None:
    shop = stage.folder()
    for at in order:
        await stage.say(shop, prompt(said[at], at=f"{DAYS[at]}T09:00:00.000Z"))
    told = await stage.start(shop)
    places = [told.find(text) for text in said]
    assert -1 not in places, told
    assert places == sorted(places, reverse=True), told
    assert await stage.contents() == list(reversed(said))


@pytest.mark.parametrize("day", DAYS)
async def test_a_suggestion_that_is_kept_later_has_the_day_of_the_words(
    stage: Stage, day: str
) -> None:
    stage.api.kernel.running.paths.settings.write_text(
        "capture: {keepAt: 1.0, suggestAt: 0.1}", encoding="utf-8"
    )
    stage.api.kernel.get(LiveSettings).refresh()
    shop = stage.folder()
    await stage.say(shop, prompt(DECISIONS[0], at=f"{day}T09:00:00.000Z"))
    (item,) = await stage.inbox()
    kept = await stage.api.client.post(
        f"/api/inbox/{item['id']}", json={"action": "keep"}, headers=stage.api.owner
    )
    assert kept.status_code == 200, kept.text
    assert day in await stage.start(shop)


async def test_a_corrected_line_has_the_day_of_the_correction(stage: Stage) -> None:
    shop = stage.folder()
    await stage.say(shop, prompt(DECISIONS[0], at="2026-10-03T09:00:00.000Z"))
    (memory,) = await stage.memories()
    content = DECISIONS[0].replace("Solr", "Typesense")
    changed = await stage.api.client.post(
        "/api/memory/modify",
        json={"patches": [{"id": memory["id"], "content": content, "reason": "wrong"}]},
        headers=stage.api.owner,
    )
    assert changed.status_code == 200, changed.text
    told = await stage.start(shop)
    assert "Typesense" in told
    assert "2026-10-03" not in told


def zone(name: str) -> Generator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", name)
        time.tzset()
        yield
    time.tzset()


@pytest.fixture(
    params=[
        ("Pacific/Kiritimati", "2026-11-19T18:16", "2026-11-20"),
        ("Pacific/Pago_Pago", "2026-11-20T03:00", "2026-11-19"),
        ("America/Los_Angeles", "2026-11-20T05:30", "2026-11-19"),
        ("Asia/Kolkata", "2026-11-19T20:00", "2026-11-20"),
        ("Europe/Berlin", "2026-11-19T23:30", "2026-11-20"),
        ("Asia/Kathmandu", "2026-11-19T18:20", "2026-11-20"),
    ],
    ids=lambda each: str(each[0]),
)
def place(request: pytest.FixtureRequest) -> Generator[tuple[str, str]]:
    """Set a time zone; yield a moment there, and its day."""
    name, moment, day = request.param
    for _ in zone(name):
        yield moment, day


async def _said(stage: Stage, moment: str) -> None:
    await stage.say(stage.folder(), prompt(DECISIONS[0], at=f"{moment}:00.000Z"))


def _only(day: str, moment: str, told: str) -> bool:
    return day in told and moment[:10] not in told


async def test_a_sessions_start_tells_local_days(stage: Stage, place: tuple[str, str]) -> None:
    moment, day = place
    await _said(stage, moment)
    assert _only(day, moment, await stage.start(stage.folder()))


async def test_an_answer_to_a_prompt_tells_local_days(stage: Stage, place: tuple[str, str]) -> None:
    moment, day = place
    await _said(stage, moment)
    told = await stage.ask(stage.folder(), "What do we use for the catalogue search?")
    assert _only(day, moment, told)


@pytest.mark.parametrize("tool", ["memory_search", "memory_list", "memory_get"])
async def test_a_tools_result_tells_local_days(
    stage: Stage, place: tuple[str, str], tool: str
) -> None:
    moment, day = place
    await _said(stage, moment)
    (memory,) = await stage.memories()
    arguments = {
        "memory_search": {"query": "catalogue search"},
        "memory_list": dict[str, str](),
        "memory_get": {"id": str(memory["id"])},
    }
    text, failed = await stage.tool(tool, arguments[tool], stage.folder())
    assert not failed
    assert _only(day, moment, text)
