"""What is stored of a session: within bounds, once, without secrets and injected text."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.transcripts import OWNER, Talks, spoken
from intaglio.base.errors import UnavailableError
from intaglio.base.settings.values import Settings
from intaglio.fence.outgoing import Fence
from intaglio.memory.settings import MemorySettings
from intaglio.store.settings import RetentionSettings
from intaglio.transcripts import recorder
from intaglio.transcripts.preparation import MAX_MESSAGE_CHARS, stored_text
from intaglio.transcripts.settings import TranscriptSettings
from intaglio.transcripts.values import SessionOwner


async def test_a_message_is_stored_once_however_often_it_is_read(talks: Talks) -> None:
    said = (spoken("m1", "We use tabs."), spoken("m2", "Done.", role="agent"))
    assert await talks.record(*said) == 2
    assert await talks.record(*said, spoken("m3", "Thanks.")) == 1
    assert await talks.texts() == ["We use tabs.", "Done.", "Thanks."]
    assert await talks.totals() == (1, 3, 24)


async def test_a_continued_session_does_not_repeat_the_former_one(talks: Talks) -> None:
    await talks.record(spoken("m1", "We use tabs."))
    continued = SessionOwner(OWNER.harness, "s2", OWNER.agent_id)
    await talks.record(spoken("m1", "We use tabs."), spoken("m2", "Go on."), owner=continued)
    assert await talks.texts("s2") == ["Go on."]


async def test_what_is_read_late_has_its_own_time(talks: Talks) -> None:
    now = talks.bench.clock()
    await talks.record(spoken("m2", "later", now - timedelta(days=3)))
    await talks.record(spoken("m1", "earlier", now - timedelta(days=9)))
    await talks.record(spoken("m3", "from a wrong clock", now + timedelta(days=9)))
    assert await talks.texts() == ["earlier", "later", "from a wrong clock"]
    [found] = await talks.search("earlier")
    assert (found.started_at[:10], found.ended_at[:10]) == ("2026-01-22", "2026-01-31")


async def test_a_message_without_a_time_has_that_of_the_one_before(talks: Talks) -> None:
    then = talks.bench.clock() - timedelta(days=3)
    await talks.record(spoken("m1", "with a time", then), spoken("m2", "without"))
    [found] = await talks.search("without time")
    assert found.started_at == found.ended_at


async def test_what_is_older_than_what_is_kept_is_not_stored(talks: Talks) -> None:
    now = talks.bench.clock()
    talks.settings = Settings().having(RetentionSettings(transcript_days=10))
    said = [spoken(f"m{days}", "x", now - timedelta(days=days)) for days in (9, 11)]
    assert await talks.record(*said) == 1
    talks.settings = Settings().having(RetentionSettings(transcript_days=0))
    assert await talks.record(*said) == 1


async def test_nothing_is_stored_while_switched_off_or_frozen(talks: Talks) -> None:
    talks.settings = Settings().having(TranscriptSettings(enabled=False))
    assert await talks.record(spoken("m1", "We use tabs.")) == 0
    talks.settings = Settings().having(MemorySettings(frozen=True))
    with pytest.raises(UnavailableError):
        await talks.record(spoken("m1", "We use tabs."))
    assert await talks.totals() == (0, 0, 0)


async def test_secrets_and_injected_text_are_not_stored(talks: Talks) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    told = Fence().wrap("the told line", {"source": "prompt"})
    await talks.record(spoken("m1", f"{told}\nThe token is {secret}, use it."))
    [text] = await talks.texts()
    assert secret not in text
    assert "told line" not in text
    assert "use it" in text
    assert await talks.found("told line") == []


@pytest.mark.parametrize("text", ["", " \n", "\x00", "\ud800", "<intaglio-memory>"])
async def test_a_message_without_text_is_not_stored(talks: Talks, text: str) -> None:
    assert await talks.record(spoken("m1", text)) == 0


@pytest.mark.parametrize("text", ["a\ud800b", "nul\x00byte", "\U00020000" * 9_000, "x" * 3_000_000])
async def test_odd_messages_are_stored_within_the_limit(talks: Talks, text: str) -> None:
    assert await talks.record(spoken("m1", text)) == 1
    [stored] = await talks.texts()
    assert len(stored) <= MAX_MESSAGE_CHARS
    assert await talks.index_is_sound()


def test_of_a_long_message_the_beginning_and_the_end_are_kept() -> None:
    text = stored_text("first " + "middle " * 9_000 + "last", str)
    assert text.startswith("first ")
    assert text.endswith(" last")
    assert "characters …]" in text


@given(st.text(max_size=300))
def test_a_text_within_the_limit_is_stored_as_it_is(text: str) -> None:
    plain = "".join(sign for sign in text if sign.isalnum() and sign.isascii())
    assert stored_text(f"a {plain} z", str) == f"a {plain} z".strip()


async def test_a_full_session_loses_its_oldest_messages_the_agents_first(
    talks: Talks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder, "MAX_SESSION_CHARS", 100)
    await talks.talk("s1", "first words", "a" * 60, "second words", "b" * 60)
    assert await talks.texts() == ["first words", "second words", "b" * 60]
    await talks.talk("s1", "c" * 50)
    assert sorted(await talks.texts()) == ["c" * 50, "first words", "second words"]
    await talks.talk("s1", "d" * 60)
    assert await talks.texts() == ["d" * 60]
    assert await talks.totals() == (1, 1, 60)
    assert await talks.index_is_sound()


async def test_a_session_in_two_projects_has_a_part_in_each(talks: Talks) -> None:
    await talks.record(spoken("m1", "tabs here"), spoken("m2", "tabs there", project="/work/blog"))
    assert await talks.texts() == ["tabs here", "tabs there"]
    assert [each.project for each in await talks.search("tabs there")] == [
        "/work/blog",
        "/work/shop",
    ]
