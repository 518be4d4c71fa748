"""Titles of sessions: stored with what was said, and gone with it."""

import pytest

from fakes.transcripts import HARNESS, OWNER, Talks
from intaglio.store.tx import WriteTx
from intaglio.transcripts.opening_rows import openings
from intaglio.transcripts.removal import SaidSentence, forget_session, take_out
from intaglio.transcripts.settings import TranscriptSettings
from intaglio.transcripts.values import SessionOwner

KEY = (HARNESS, "s1")
TOKEN = "ghp_" + "Zq8Lw3Xc7Vb2Nm5Kj9Hg4Fd6Sa1Po0IuYtRe"


async def give(
    talks: Talks, title: str, owner: SessionOwner = OWNER, *, by_user: bool = False
) -> None:
    await talks.recorder.record_title(owner, title, by_user=by_user)


async def title_of(talks: Talks, session: str = "s1") -> str:
    found = await talks.bench.db.read(lambda tx: openings(tx, [(HARNESS, session)]))
    return found[HARNESS, session].title if found else ""


async def test_a_title_is_stored_in_one_line_and_without_secrets(talks: Talks) -> None:
    await talks.talk("s1", "Checkout is down.")
    await give(talks, f"  Payments\n outage\x1b[31m {TOKEN} {'x' * 500}")
    title = await title_of(talks)
    assert title.startswith("Payments outage ")
    assert TOKEN not in title
    assert len(title) <= 120


async def test_the_users_title_isnt_replaced_by_the_harnesss(talks: Talks) -> None:
    await talks.talk("s1", "Checkout is down.")
    await give(talks, "Made by the harness")
    await give(talks, "Outage of March", by_user=True)
    await give(talks, "Made once more")
    assert await title_of(talks) == "Outage of March"


async def test_a_session_that_isnt_stored_gets_no_title(talks: Talks) -> None:
    await give(talks, "Payments outage")
    assert not await title_of(talks)
    talks.settings = talks.settings.having(TranscriptSettings(enabled=False))
    await talks.talk("s1", "Checkout is down.")
    await give(talks, "Payments outage")
    assert not await title_of(talks)


async def test_a_forgotten_session_has_no_title_any_more(talks: Talks) -> None:
    await talks.talk("s1", "Checkout is down.")
    await give(talks, "Payments outage")
    await forget_session(talks.bench.db, *KEY, talks.bench.clock().isoformat())
    await talks.talk("s1", "And what about the invoices?")
    await give(talks, "Payments outage")
    assert not await title_of(talks)


@pytest.mark.parametrize("title", ["Decide on zqostgres", "kvilling storage"])
async def test_what_a_forgotten_memory_says_is_in_no_title(talks: Talks, title: str) -> None:
    said = "We decided to use zqostgres for the kvilling service."
    await talks.talk("s1", said, "Understood.")
    await talks.talk("s2", "Make the invoices smaller.")
    await give(talks, title)
    await give(talks, "Smaller invoices", SessionOwner(HARNESS, "s2", "default"))

    def work(tx: WriteTx) -> None:
        take_out(tx, "m1", [SaidSentence(HARNESS, "talk1", said)], [said], "2026-03-02T10:00:00Z")

    await talks.bench.db.write(work)
    assert not await title_of(talks)
    await give(talks, title)
    assert not await title_of(talks)
    assert await title_of(talks, "s2") == "Smaller invoices"
