"""What a user accepts with a word is suggested in the agent's words, with both as evidence."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from fakes.sessions import House
from fakes.store import bench
from harness.test_dispatch import Desk
from harness.test_said_words import capture, record
from intaglio.inbox import operations as inbox
from intaglio.inbox.values import Evidence, InboxItem

QUEUE = "Should we use Redis Streams for the mail queue?"


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncGenerator[Desk]:
    async with bench(tmp_path) as opened:
        yield Desk(House(opened), tmp_path)


def said_by_agent(text: str) -> dict[str, object]:
    return {**record([{"type": "text", "text": text}], 0), "type": "assistant"}


async def only_item(desk: Desk) -> InboxItem:
    (item,) = await desk.house.bench.db.read(lambda tx: inbox.open_suggestions(tx, "/p", "default"))
    return item


def sides(evidence: tuple[Evidence, ...]) -> list[tuple[str, str]]:
    return [(one.by, one.sentence) for one in evidence]


async def test_an_accepted_proposal_is_a_suggestion_with_both_sides(desk: Desk) -> None:
    kept, suggested = await capture(
        desk, [said_by_agent(f"Mails get lost. {QUEUE}"), record("yes")]
    )
    assert (kept, suggested) == ([], ["Use Redis Streams for the mail queue."])
    item = await only_item(desk)
    assert item.type == "decision"
    assert sides(item.evidence) == [("user", "yes"), ("agent", QUEUE)]


async def test_a_short_answer_is_a_suggestion_with_its_question(desk: Desk) -> None:
    question = "Which database should we use for the billing ledger?"
    await capture(desk, [said_by_agent(question), record("Postgres")])
    item = await only_item(desk)
    assert item.content == "Use Postgres as the database for the billing ledger."
    assert sides(item.evidence) == [("user", "Postgres"), ("agent", question)]


async def test_leave_for_one_task_is_no_suggestion(desk: Desk) -> None:
    records = [said_by_agent("Do you want me to commit the ledger?"), record("yes, do that")]
    assert await capture(desk, records) == ([], [])
