"""The preview of the next session: exactly what that session then receives, and no trace."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass

import pytest

from fakes.sessions import PROJECT, House, of_harness, session
from intaglio.base.settings.values import Settings
from intaglio.recall.settings import SearchSettings
from intaglio.sessions.context import MAX_CHARS
from intaglio.sessions.overview.preview import PreviewedSession, SessionPreviews
from intaglio.sessions.reminders.service import Reminders

WORDS = tuple(
    "deploy database sqlite postgres migration index rule friday never always test release "  # noqa: SIM905 - readable
    "branch token budget lantern billing cents amount customer invoice port 8080 8081 queue".split()
)
TYPES = ("rule", "decision", "preference", "fact", "procedural", "learning", "issue")


async def preview(house: House, prompt: str | None, project: str | None) -> PreviewedSession:
    """Return what the next session would be told."""
    previews = SessionPreviews(house.starts, house.prompts, house.bench.recall)
    return await previews.preview("claude-code", "default", project, prompt, MAX_CHARS)


def sentence(source: random.Random) -> str:
    return " ".join(source.choices(WORDS, k=source.randint(3, 40))).capitalize() + "."


async def fill(house: House, source: random.Random) -> Sequence[str]:
    """Put random memories in, of this project, another one and none; return their texts."""
    texts = [sentence(source) for _ in range(source.randint(0, 60))]
    for text in dict.fromkeys(texts):
        await house.remember(
            text,
            type=source.choice(TYPES),
            project=source.choice((PROJECT, PROJECT, None, "/work/other")),
            pinned=source.random() < 0.1,
            importance=source.random(),
            created_at=f"2025-{source.randint(1, 12):02}-{source.randint(1, 28):02}",
        )
    return texts


@pytest.mark.parametrize("seed", range(12))
async def test_a_session_receives_exactly_its_preview(house: House, seed: int) -> None:
    source = random.Random(seed)  # noqa: S311 - not for secrets
    tokens = source.choice((100, 400, 1_200))
    house.settings = of_harness(start_max_tokens=tokens, prompt_max_tokens=tokens)
    await fill(house, source)
    # What earlier sessions asked is a part of the store, too.
    await house.start(session("earlier"))
    await house.prompt(session("earlier"), sentence(source))
    prompt, project = sentence(source), source.choice((PROJECT, None))
    foreseen = await preview(house, prompt, project)
    own = session("next", project=project)
    started = await house.start(own)
    assert started.text == foreseen.start.context.text
    assert started.entries == foreseen.start.context.entries
    assert foreseen.prompt is not None
    assert (await house.prompt(own, prompt)).text == foreseen.prompt.context.text


async def test_a_preview_leaves_no_trace(house: House) -> None:
    await house.remember("Deploy on Fridays only.", type="rule")
    await preview(house, "when do we deploy on fridays", PROJECT)
    await house.settle()
    assert await house.rows("SELECT id FROM sessions") == []
    assert await house.rows("SELECT seq FROM injections") == []
    assert await house.rows("SELECT access_count, last_accessed FROM memories") == [(0, None)]


async def test_a_preview_says_what_is_left_out_and_why(house: House) -> None:
    house.settings = of_harness(start_max_tokens=100)
    for number in range(12):
        await house.remember(f"Number {number} is about something else entirely.", type="decision")
    start = (await preview(house, None, PROJECT)).start
    assert start.shown
    assert start.left_out
    assert all(entry.left_out for entry in start.left_out)
    assert start.tokens <= start.budget.tokens


def settings_of(service: object) -> Iterator[object]:
    """Return the settings of a service and of all that it uses.

    A reminder isn't a part of the preview.
    """
    if not is_dataclass(service) or isinstance(service, (House, Reminders, Settings)):
        return
    for field in fields(service):
        used = getattr(service, field.name)
        if field.name == "settings":
            yield used()
        elif hasattr(used, "__self__"):
            yield from settings_of(used.__self__)
        else:
            yield from settings_of(used)


async def test_all_that_composes_the_preview_uses_the_tried_settings(house: House) -> None:
    tried = house.settings.having(SearchSettings(alpha=0.125))
    previews = SessionPreviews(house.starts, house.prompts, house.bench.recall).under(tried)
    found = [*settings_of(previews)]
    assert len(found) >= 6
    parts = [tried, *(tried.of(type(each)) for each in found if each is not tried)]
    assert all(each in parts for each in found), found
