"""Which suggestions a session offers, what was only considered, and how often capture is right."""

from dataclasses import replace
from functools import partial
from typing import Final

import pytest

from fakes.inbox import suggestion
from fakes.sessions import HARNESS, PROJECT, House
from intaglio.base.clock import iso
from intaglio.capture.settings import CaptureSettings
from intaglio.capture.values import Outcome
from intaglio.domain.reader import UserReader
from intaglio.inbox import operations as inbox
from intaglio.lifecycle.session_removal import SessionRemoval
from intaglio.memory import operations
from intaglio.memory import rows as memories
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor, Change, NewMemory, Source
from intaglio.pipeline.ingest import Remember, prepare
from intaglio.sessions.statements import considered_rows, rows
from intaglio.sessions.statements.considered import (
    ConsideredKept,
    ConsideredStatements,
    NoSuchStatement,
)
from intaglio.sessions.statements.precision import CapturePrecision, stricter
from intaglio.sessions.statements.record import MAX_OFFERED
from intaglio.sessions.statements.values import PlannedStatement, RecordedStatement
from intaglio.store.tx import WriteTx

USER: Final = Audit(Actor("me"), reader=UserReader())
AGENT: Final = Audit(Actor("claude", "agent"))


def said(
    house: House, number: int, confidence: float, outcome: Outcome, session: str = "s1"
) -> RecordedStatement:
    """Return a statement of a message of its own."""
    text = f"Table {number} is filled by the import of night {number}."
    return RecordedStatement(
        seq=0,
        harness=HARNESS,
        session_id=session,
        message_id=f"{session}-{number}",
        start=0,
        end=len(text),
        said_at=iso(house.bench.clock()),
        recorded_at=iso(house.bench.clock()),
        agent_id="default",
        project=PROJECT,
        sentence=text,
        content=text,
        type="fact",
        everywhere=False,
        confidence=confidence,
        outcome=outcome,
        state="live",
        memory_id=None,
        inbox_id=None,
    )


def memory_of(house: House, row: RecordedStatement) -> NewMemory:
    command = Remember(
        content=row.content,
        actor=Actor(row.harness, "harness"),
        project=row.project,
        source=Source(row.harness, row.place),
        type=row.type,
    )
    return prepare(command, house.bench.context)[0]


async def record(house: House, *found: RecordedStatement) -> None:
    planned = [
        PlannedStatement(row=row, memory=memory_of(house, row))
        for row in found
        if row.outcome != "considered"
    ]
    considered = [row for row in found if row.outcome == "considered"]
    await house.bench.db.write(lambda tx: house.recorder.record(tx, planned, considered))


async def suggest_all(house: House, *confidences: float, session: str = "s1") -> None:
    for number, confidence in enumerate(confidences):
        await record(house, said(house, number, confidence, "suggested", session))


async def offered(house: House) -> list[float]:
    found = await house.rows("SELECT confidence FROM inbox_items WHERE status = 'open'")
    return sorted(float(str(row[0])) for row in found)


async def considered(house: House, session: str = "s1") -> list[RecordedStatement]:
    return await house.bench.db.read(lambda tx: considered_rows.of_session(tx, HARNESS, session))


async def keep(house: House, seq: int, audit: Audit = USER) -> object:
    service = ConsideredStatements(house.bench.db, house.bench.context, lambda: False)
    return await service.keep((HARNESS, "s1"), seq, audit)


async def test_a_session_offers_its_three_surest_suggestions(house: House) -> None:
    await suggest_all(house, 0.5, 0.4, 0.6, 0.7, 0.3)

    assert await offered(house) == [0.5, 0.6, 0.7]
    assert sorted(each.confidence for each in await considered(house)) == [0.3, 0.4]


async def test_of_equally_sure_suggestions_the_first_ones_stay(house: House) -> None:
    await suggest_all(house, 0.5, 0.5, 0.5, 0.5)

    assert [each.message_id for each in await considered(house)] == ["s1-3"]


async def test_what_the_user_decided_on_counts_and_stays(house: House) -> None:
    await suggest_all(house, 0.4, 0.5, 0.6)
    first = (await house.rows("SELECT id FROM inbox_items ORDER BY seq"))[0][0]
    await house.bench.db.write(lambda tx: inbox.close(tx, str(first), "drop", house.bench.context))
    await record(house, said(house, 9, 0.9, "suggested"))

    assert await offered(house) == [0.6, 0.9]


async def test_another_session_offers_its_own_suggestions(house: House) -> None:
    await suggest_all(house, 0.5, 0.6, 0.7)
    for number in range(10, 13):
        await record(house, said(house, number, 0.3, "suggested", "s2"))

    assert len(await offered(house)) == 2 * MAX_OFFERED


async def test_claims_of_the_agent_dont_count(house: House) -> None:
    claim = suggestion("The agent says so.", message="by-the-agent")
    await house.bench.db.write(lambda tx: inbox.suggest(tx, claim, house.bench.context))
    await suggest_all(house, 0.5, 0.6, 0.7)

    assert len(await offered(house)) == MAX_OFFERED + 1


async def test_a_transcript_that_is_read_again_adds_nothing(house: House) -> None:
    await suggest_all(house, 0.5, 0.4, 0.6, 0.7)
    await record(house, said(house, 20, 0.1, "considered"))
    before = await considered(house)

    await suggest_all(house, 0.5, 0.4, 0.6, 0.7)
    await record(house, said(house, 20, 0.1, "considered"))

    assert await offered(house) == [0.5, 0.6, 0.7]
    assert await considered(house) == before


async def test_a_session_records_a_limited_number_of_considered_statements(house: House) -> None:
    most = considered_rows.MAX_OF_SESSION
    await record(house, *(said(house, each, 0.1, "considered") for each in range(most + 5)))

    assert len(await considered(house)) == most


async def test_a_suggestion_that_makes_room_is_listed_however_many_are(house: House) -> None:
    most = considered_rows.MAX_OF_SESSION
    await record(house, *(said(house, 100 + each, 0.1, "considered") for each in range(most)))

    await suggest_all(house, 0.5, 0.4, 0.6, 0.7)

    assert [each.confidence for each in await considered(house)].count(0.4) == 1


async def test_a_considered_statement_can_be_kept(house: House) -> None:
    await record(house, said(house, 1, 0.1, "considered"))
    (found,) = await considered(house)

    kept = await keep(house, found.seq)

    assert isinstance(kept, ConsideredKept)
    memory = await house.bench.db.read(lambda tx: memories.get(tx, kept.memory_id))
    assert memory is not None
    assert (memory.content, memory.scope.project) == (found.content, PROJECT)
    evidence = await house.bench.db.read(lambda tx: rows.evidence(tx, kept.memory_id))
    assert [each.sentence for each in evidence] == [found.sentence]
    assert await considered(house) == []
    assert await keep(house, found.seq) == NoSuchStatement()


async def test_only_a_person_keeps_a_considered_statement(house: House) -> None:
    await record(house, said(house, 1, 0.1, "considered"))
    (found,) = await considered(house)

    with pytest.raises(Exception, match="Only the user keeps"):
        await keep(house, found.seq, AGENT)
    assert len(await considered(house)) == 1


async def test_a_statement_of_another_session_cant_be_kept_here(house: House) -> None:
    await record(house, said(house, 1, 0.1, "considered", "s2"))
    (found,) = await considered(house, "s2")

    assert await keep(house, found.seq) == NoSuchStatement()


async def test_forgetting_a_session_deletes_what_was_considered(house: House) -> None:
    await record(house, said(house, 1, 0.1, "considered"), said(house, 2, 0.1, "considered", "s2"))
    removal = SessionRemoval(house.bench.db, house.bench.context, lambda: False)
    preview = await removal.preview((HARNESS, "s1"), UserReader())

    await removal.forget((HARNESS, "s1"), USER, preview.token, elsewhere=False)

    assert await considered(house) == []
    assert len(await considered(house, "s2")) == 1


async def test_erasing_a_memory_deletes_considered_statements_that_repeat_it(house: House) -> None:
    kept = said(house, 1, 0.9, "kept")
    again = replace(said(house, 2, 0.1, "considered"), sentence=f"As I said: {kept.sentence}")
    await record(house, kept, again, said(house, 3, 0.1, "considered"))
    memory_id = str((await house.rows("SELECT id FROM memories"))[0][0])

    await house.bench.db.write(
        lambda tx: operations.erase(tx, memory_id, USER, house.bench.context)
    )

    assert [each.message_id for each in await considered(house)] == ["s1-3"]


def precision(house: House) -> CapturePrecision:
    return CapturePrecision(house.bench.db, house.bench.clock, lambda: house.settings)


async def test_forgotten_and_rewritten_memories_lower_the_precision_of_capture(
    house: House,
) -> None:
    await record(house, *(said(house, each, 0.9, "kept") for each in range(10)))
    first, second, third, *_ = [
        str(row[0]) for row in await house.rows("SELECT id FROM memories ORDER BY seq")
    ]
    context = house.bench.context
    await house.bench.db.write(lambda tx: operations.forget(tx, first, USER, context))
    await house.bench.db.write(
        lambda tx: operations.modify(tx, second, Change(content="Otherwise."), USER, context)
    )
    await house.bench.db.write(
        lambda tx: operations.modify(tx, third, Change(pinned=True), USER, context)
    )

    found = await precision(house).lately()

    assert (found.lines, found.forgotten, found.edited) == (10, 1, 1)
    assert found.precision == pytest.approx(0.8)


async def test_capture_that_is_often_corrected_offers_a_stricter_setting(house: House) -> None:
    await record(house, *(said(house, each, 0.9, "kept") for each in range(30)))
    assert await precision(house).check() == []
    for (memory_id,) in (await house.rows("SELECT id FROM memories"))[:7]:
        forget = partial(operations.forget, memory_id=str(memory_id), audit=USER)
        await house.bench.db.write(partial(forget, context=house.bench.context))

    (issue,) = await precision(house).check()

    wanted = stricter(house.settings.of(CaptureSettings).keep_at)
    assert "7 of the last 30" in issue.text
    assert f"capture.keepAt to {wanted} " in issue.text


async def test_repetitions_do_not_hide_the_memories_that_count(house: House) -> None:
    lines = [said(house, each, 0.9, "kept") for each in range(30)]
    await record(house, *lines)
    (last,) = (await house.rows("SELECT id FROM memories ORDER BY seq DESC LIMIT 1"))[0]
    house.bench.clock.forward(hours=1)
    again = [
        replace(said(house, 0, 0.9, "kept", f"again{each}"), memory_id=str(last))
        for each in range(30)
    ]

    def work(tx: WriteTx) -> None:
        for each in again:
            rows.insert(tx, each)

    await house.bench.db.write(work)
    assert (await precision(house).lately()).lines == 30


async def test_without_captured_memories_there_is_no_precision(house: House) -> None:
    assert (await precision(house).lately()).precision is None


def test_a_stricter_threshold_stays_below_certainty() -> None:
    assert stricter(0.8) == pytest.approx(0.9)
    assert stricter(0.99) == pytest.approx(0.99)
