"""What a model says that the user took back, and what was open only for a while."""

from typing import Any, Final

import pytest

from fakes.noted_sessions import NotedSession, note, reply
from fakes.sessions import PROJECT, House
from fakes.workspace import USER
from intaglio.base.settings.values import Settings
from intaglio.capture.settings import CaptureSettings
from intaglio.inbox import rows as inbox_rows
from intaglio.inbox.values import InboxItem
from intaglio.memory import operations
from intaglio.memory import rows as memories
from intaglio.memory.values import Change, Memory
from intaglio.session_notes import rows
from intaglio.store.tx import ReadTx

QUIET: Final = Settings().having(CaptureSettings(keep_at=1.0, suggest_at=1.0))
MAIL: Final = "We decided that invoices of the shop are sent by Postmark."
FILLER: Final = "Understood, I look at that in all the files of the shop and then report. " * 4
INSTEAD: Final = "On second thought, invoices of the shop are sent by Mailgun instead of Postmark."
BACK: Final = "Please forget Postmark for the invoices, I wasn't serious about that."
USERS: Final = note("Invoices of the shop are sent by Postmark.", 1, MAIL)
MAILGUN: Final = note("Invoices of the shop are sent by Mailgun instead of Postmark.", 3, INSTEAD)


def outdated(message: int, evidence: str, saved: int = 1) -> dict[str, Any]:
    return {"saved": saved, "message": message, "evidence": evidence}


async def stored(house: House) -> dict[str, Memory]:
    ids = await house.rows("SELECT id FROM memories WHERE is_deleted = 0 ORDER BY seq")

    def work(tx: ReadTx) -> dict[str, Memory]:
        found = [memories.get(tx, str(each)) for (each,) in ids]
        return {each.content: each for each in found if each is not None}

    return await house.bench.db.read(work)


async def items(house: House, memory: Memory) -> list[InboxItem]:
    return await house.bench.db.read(lambda tx: inbox_rows.about(tx, memory.id))


@pytest.fixture
async def noted(house: House) -> NotedSession:
    """A session whose first message is noted already."""
    house.settings = QUIET
    made = NotedSession(house, answer=reply(USERS))
    await made.talk(MAIL, FILLER)
    await made.read()
    assert [each.status for each in (await stored(house)).values()] == ["current"]
    return made


async def test_what_the_user_says_instead_replaces_a_note_of_an_earlier_chunk(
    noted: NotedSession,
) -> None:
    noted.answer = reply(MAILGUN, outdated=[outdated(3, INSTEAD)])
    await noted.talk(INSTEAD, FILLER)
    await noted.read()
    assert f"S1 [1] note: {USERS['content']}" in noted.model.asked[1].user
    found = await stored(noted.house)
    older, newer = found[USERS["content"]], found[MAILGUN["content"]]
    assert (older.status, older.superseded_by, newer.status) == ("replaced", newer.id, "current")


async def test_what_the_user_takes_back_is_asked_about(noted: NotedSession) -> None:
    noted.answer = reply(outdated=[outdated(3, "Please forget Postmark for the invoices")])
    await noted.talk(BACK, FILLER)
    await noted.read()
    [memory] = (await stored(noted.house)).values()
    assert memory.status == "current"
    [item] = await items(noted.house, memory)
    assert (item.kind, item.status) == ("proposed_change", "open")
    assert item.change is not None
    assert item.change.forget
    # The user's own sentence is the evidence.
    assert [(each.sentence, each.by) for each in item.evidence] == [(BACK, "user")]
    assert noted.counts.counts["asked about"] == 1


@pytest.mark.parametrize("change", [Change(pinned=True), Change(importance=0.9)])
async def test_what_the_user_pinned_or_changed_is_not_replaced_without_asking(
    noted: NotedSession, change: Change
) -> None:
    house = noted.house
    [older] = (await stored(house)).values()

    await house.bench.db.write(
        lambda tx: operations.modify(tx, older.id, change, USER, house.bench.context)
    )
    noted.answer = reply(MAILGUN, outdated=[outdated(3, INSTEAD)])
    await noted.talk(INSTEAD, FILLER)
    await noted.read()
    found = await stored(house)
    assert found[USERS["content"]].status == "current"
    assert await items(house, found[USERS["content"]])


async def test_a_constraint_is_never_replaced_without_asking(house: House) -> None:
    house.settings = QUIET
    rule, other = (
        "Never deploy the shop on Fridays.",
        "Deploy the shop on Fridays, too, from now on.",
    )
    noted = NotedSession(house, answer=reply(note(rule, 1, rule, type="rule")))
    await noted.talk(rule, FILLER)
    await noted.read()
    newer = note("The shop is deployed on Fridays, too.", 3, other, type="rule")
    noted.answer = reply(newer, outdated=[outdated(3, other)])
    await noted.talk(other, FILLER)
    await noted.read()
    found = await stored(house)
    assert found[rule].valid_until is None
    kinds = {each.kind for each in await items(house, found[rule])}
    assert kinds & {"contradiction", "proposed_change"}


async def test_what_only_the_agent_noted_is_set_aside_with_the_users_words(house: House) -> None:
    house.settings = QUIET
    said = "The build of the shop failed because the cache of the runner was full."
    cause = note("The build failed because the runner's cache was full.", 2, said, type="learning")
    noted = NotedSession(house, answer=reply(cause))
    await noted.talk("Why did the build of the shop fail? " * 6, said)
    await noted.read()
    wrong = "No, the cache of the runner wasn't full at all, I checked that."
    noted.answer = reply(outdated=[outdated(3, wrong)])
    await noted.talk(wrong, FILLER)
    await noted.read()
    [memory] = (await stored(house)).values()
    assert memory.status == "replaced"
    assert await items(house, memory) == []


@pytest.mark.parametrize(
    ("says", "listed"),
    [
        (BACK, outdated(3, "words that nobody said")),
        (BACK, outdated(4, FILLER.strip())),
        (BACK, outdated(1, MAIL)),
        (BACK, outdated(9, BACK)),
        (BACK, outdated(3, BACK, saved=7)),
        ("Thanks, that is all for today.", outdated(3, "Thanks, that is all for today")),
        (
            "Should I forget Postmark for the invoices?",
            outdated(3, "Should I forget Postmark for the invoices?"),
        ),
        (
            "Please don't forget Postmark for the invoices of the shop, it stays.",
            outdated(3, "forget Postmark for the invoices"),
        ),
        (
            "> Please forget Postmark for the invoices.\n\nWhat do you think of this mail?",
            outdated(3, "Please forget Postmark for the invoices."),
        ),
    ],
    ids=[
        "not said",
        "agent",
        "itself",
        "no message",
        "no number",
        "other",
        "asks",
        "denied",
        "cited",
    ],
)
async def test_without_the_users_words_nothing_is_outdated(
    noted: NotedSession, says: str, listed: dict[str, Any]
) -> None:
    noted.answer = reply(outdated=[listed])
    await noted.talk(says, FILLER)
    await noted.read()
    [memory] = (await stored(noted.house)).values()
    assert memory.status == "current"
    assert await items(noted.house, memory) == []


async def test_a_second_reading_keeps_topics_and_decisions(noted: NotedSession) -> None:
    noted.house.settings = QUIET
    noted.answer = reply(summary="Mail, then.", topics=["mail"], decisions=["Use Postmark."])
    await noted.talk(BACK, FILLER)
    await noted.read()
    noted.answer = reply(topics=["ports"], decisions=["Use 8080."])
    await noted.talk("The server of the shop gets its own port. " * 8, FILLER)
    await noted.read()
    asked = noted.model.asked[2].user
    assert "Topics so far: tests; mail\n" in asked
    assert "Decisions so far:\n- Use Postmark.\n" in asked
    [(_, summary)] = await noted.house.bench.db.read(lambda tx: rows.summaries(tx, noted.ref.key))
    assert summary.text == "Mail, then."
    assert summary.topics == ("tests", "mail", "ports")
    assert summary.decisions == ("Use Postmark.", "Use 8080.")


OPEN_MAIL: Final = "The invoices of the shop still don't arrive, that isn't solved yet."
OPEN_PORT: Final = "The port of the server is still to be chosen by you."


async def test_open_ends_are_those_at_the_end_of_what_was_read(house: House) -> None:
    house.settings = QUIET
    mail = note("The invoices of the shop still don't arrive.", 1, OPEN_MAIL, type="open")
    port = note("The port of the server is still to be chosen.", 2, OPEN_PORT, type="open")
    noted = NotedSession(house, answer=reply(mail, port))
    await noted.talk(OPEN_MAIL, f"{FILLER}{OPEN_PORT}")
    await noted.read()
    found = await stored(house)
    assert {each.type for each in found.values()} == {"issue"}
    assert {each.scope.project for each in found.values()} == {PROJECT}
    still = "The port of the server is still to be chosen by you, as before."
    noted.answer = reply(note(port["content"], 4, still, type="open"))
    await noted.talk("The invoices arrive now, thanks. " * 8, f"{FILLER}{still}")
    await noted.read()
    assert f"open: {mail['content']}" in noted.model.asked[1].user
    found = await stored(house)
    states = {content: each.status for content, each in found.items()}
    assert states == {mail["content"]: "replaced", port["content"]: "current"}
    # Nothing is closed by reading nothing.
    await noted.read()
    assert (await stored(house))[port["content"]].status == "current"


async def test_a_redo_keeps_what_is_outdated_as_it_is(noted: NotedSession) -> None:
    noted.answer = reply(MAILGUN, outdated=[outdated(3, INSTEAD)])
    await noted.talk(INSTEAD, FILLER)
    await noted.read()
    before = {each.id: each.status for each in (await stored(noted.house)).values()}
    noted.answer = reply(MAILGUN)
    await noted.house.bench.db.write(lambda tx: rows.read_again(tx, ""))
    await noted.read()
    after = {each.id: each.status for each in (await stored(noted.house)).values()}
    assert after == before
