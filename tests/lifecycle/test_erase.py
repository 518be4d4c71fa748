"""Erasing: every room's part goes in one transaction, and no byte of the words is left."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from apsw import Connection

from fakes.semantic_index import Index, indexed
from fakes.sessions import House, session
from fakes.store import Bench, bench
from fakes.waiting import until
from intaglio.domain.reader import USER
from intaglio.memory import history_rows as histories
from intaglio.memory import rows
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.values import Actor, Change, Done, Memory, Missing, VersionConflict
from intaglio.pipeline.ingest import Remember, Saved
from intaglio.sessions.feedback.operations import Feedback
from intaglio.store.connection import open_reader
from intaglio.store.tx import WriteTx, run
from intaglio.store.writer import Writer

ME = Actor("me")
WHY = Audit(ME, "asked for it")
# Words that stand nowhere else, so that one of them in a file is a trace.
FIRST = "zqfirst wvsentence qjabout kxnothing"
SECOND = "jvsecond xqsentence zkinstead wqofit"
CHECK = "INSERT INTO memories_fts(memories_fts, rank) VALUES ('integrity-check', 1)"
WORDS = (*FIRST.split(), *SECOND.split(), "zvtagged", "xkreason")


async def keep(store: Bench, content: str, **more: object) -> str:
    # The fields come from the tests.
    outcome = await store.ingest.remember(Remember(content=content, actor=ME, **more))  # type: ignore[arg-type]
    assert isinstance(outcome, Saved)
    return outcome.id


def traces(folder: Path) -> list[str]:
    """Name the words that stand in the database's own files."""
    files = [file for file in folder.glob("intaglio.db*") if file.is_file()]
    bytes_ = b"".join(file.read_bytes() for file in files).lower()
    return [word for word in WORDS if word.encode() in bytes_]


async def until_no_trace(folder: Path) -> None:
    """Wait for the log to be emptied, which happens behind the answer.

    A connection that reads meanwhile, such as a checkpoint's, delays it until it is done.
    """
    await until(lambda: not traces(folder), "no word of what was erased")


async def an_eventful_life(store: Bench, content: str) -> str:
    """Remember, change, tag, forget and recover, with text in each place that holds any."""
    memory_id = await keep(store, content, tags=["zvtagged"])
    why = Audit(ME, "xkreason")
    await store.revise.modify(memory_id, Change(content=content + " " + SECOND), why)
    await store.remove.forget(memory_id, why)
    await store.remove.recover(memory_id, why)
    await store.revise.modify(memory_id, Change(content=SECOND + " " + content, tags=()), why)
    return memory_id


@pytest.mark.parametrize("length", [1, 200], ids=["short", "over many pages"])
@pytest.mark.parametrize("is_forgotten", [False, True])
async def test_an_erased_text_leaves_no_word_in_the_database(
    tmp_path: Path, length: int, *, is_forgotten: bool
) -> None:
    content = "\n".join([FIRST] * length)
    async with bench(tmp_path) as store:
        memory_id = await an_eventful_life(store, content)
        # The index merges what it holds; what is merged once is not touched for long.
        for number in range(70):
            await keep(store, f"Another memory, number {number}, that stays where it is")
        assert traces(tmp_path) == list(WORDS)
        if is_forgotten:
            await store.remove.forget(memory_id, WHY)
        assert isinstance(await store.remove.erase(memory_id, WHY), Done)
        await until_no_trace(tmp_path)
    assert traces(tmp_path) == []


@pytest.mark.parametrize("pages", [1, 4, 1_000], ids=["begun", "half", "whole"])
async def test_no_word_is_left_of_what_is_erased_while_the_index_merges(
    tmp_path: Path, pages: int
) -> None:
    merge = "INSERT INTO memories_fts(memories_fts, rank) VALUES ('merge', ?)"
    async with bench(tmp_path) as store:
        memory_id = await an_eventful_life(store, "\n".join([FIRST] * 200))
        for number in range(70):
            await keep(store, f"Another memory, number {number}, that is {number * number} long")
        await store.remove.forget(memory_id, WHY)
        await store.remove.recover(memory_id, WHY)
        await store.db.write(lambda tx: tx.execute(merge, (-pages,)))
        assert isinstance(await store.remove.erase(memory_id, WHY), Done)
        await until_no_trace(tmp_path)
        await store.db.write(lambda tx: tx.execute(merge, (pages,)))
        await store.db.write(lambda tx: tx.execute(CHECK))
    assert traces(tmp_path) == []


async def test_a_crash_before_the_log_is_emptied_leaves_no_word_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(_writer: Writer, _connection: object) -> None:
        return None

    before, after = tmp_path / "before", tmp_path / "after"
    with monkeypatch.context() as patched:
        patched.setattr(Writer, "_empty_log", killed)
        async with bench(before) as store:
            memory_id = await an_eventful_life(store, FIRST)
            await store.remove.erase(memory_id, WHY)
            assert traces(before)
            # What a killed process leaves: the files as they are.
            shutil.copytree(before, after)
    async with bench(after) as store:
        await keep(store, "Something else altogether")
        await until_no_trace(after)


async def test_a_reader_that_outlasts_the_attempts_delays_it_but_no_write_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given_up = list[bool]()
    empty = vars(Writer)["_empty_log"]

    def attempt(writer: Writer, connection: Connection) -> bool:
        is_empty = bool(empty(writer, connection))
        given_up.append(not is_empty)
        return is_empty

    monkeypatch.setattr(Writer, "_empty_log", attempt)
    async with bench(tmp_path) as store:
        memory_id = await an_eventful_life(store, FIRST)
        reader = open_reader(tmp_path / "intaglio.db")
        try:
            run(reader, "BEGIN")
            run(reader, "SELECT count(*) FROM memories").fetchall()
            assert isinstance(await store.remove.erase(memory_id, WHY), Done)
            await until(lambda: given_up, "the attempts after the write")
            assert given_up == [True]
        finally:
            reader.close()
        await until_no_trace(tmp_path)


async def test_an_erasure_stays_in_the_history_without_the_text(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        memory_id = await an_eventful_life(store, FIRST)
        await store.remove.erase(memory_id, WHY)
        events = await store.db.read(lambda tx: histories.history(tx, memory_id, USER, 100))
    assert events is not None
    assert [event.event for event in events] == [
        "created", "updated", "deleted", "recovered", "updated", "deleted",
    ]  # fmt: skip
    assert all(event.old_content is event.new_content is None for event in events)
    assert [event.reason for event in events] == [None] * 5 + ["asked for it"]


async def test_the_ratings_and_jobs_of_an_erased_memory_go_too(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        memory_id, other = await keep(store, FIRST), await keep(store, SECOND)
        feedback = Feedback(store.db, store.context, lambda: False)
        await feedback.rate("s", "default", USER, {memory_id: 1.0, other: 1.0})
        await store.remove.erase(memory_id, WHY)
        rated = await store.db.read(lambda tx: tx.all("SELECT memory_id FROM feedback"))
        queued = await store.db.read(lambda tx: tx.all("SELECT subject FROM jobs"))
    assert (rated, queued) == ([(other,)], [(other,)])


async def test_the_ledger_keeps_no_word_by_which_an_erased_memory_was_found(
    tmp_path: Path,
) -> None:
    async with bench(tmp_path) as store:
        house = House(store)
        memory_id = await house.remember(f"The vault opens by {FIRST}")
        await house.remember("The harbour opens at six in the morning")
        await house.prompt(session(), "the vault opens by zqfirst, is that so?")
        await house.prompt(session(), "when does the harbour open in the morning?")
        assert "zqfirst" in str(await house.rows("SELECT terms FROM injections"))
        assert "zqfirst" in str(await house.rows("SELECT reason FROM session_memories"))
        await store.remove.erase(memory_id, WHY)
        calls = await house.rows("SELECT candidates, terms IS NULL FROM injections ORDER BY seq")
        await until_no_trace(tmp_path)
    # What was asked of another memory stays.
    assert calls == [(1, 1), (1, 0)]


async def test_a_vector_goes_with_its_memory(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        one = await index.remember("the apple is red")
        two = await index.remember("the apple is red", project="other")
        await index.work()
        assert await vectors(index) == 2
        await index.store.remove.erase(one, WHY)
        assert await vectors(index) == 1
        await index.store.remove.erase(two, WHY)
        assert await vectors(index) == 0


async def vectors(index: Index) -> int:
    count = "SELECT count(*) FROM embeddings"
    return await index.store.db.read(lambda tx: tx.count(count))


async def test_a_failing_step_rolls_the_erasure_back(tmp_path: Path) -> None:
    def fail(_tx: WriteTx, _id: str, _stamp: ChangeContext) -> None:
        raise RuntimeError("no")

    async with bench(tmp_path) as store:
        steps = store.context.steps
        store.context = replace(
            store.context, steps=replace(steps, on_erase=(*steps.on_erase, fail))
        )
        memory_id = await keep(store, FIRST)
        with pytest.raises(RuntimeError):
            await store.remove.erase(memory_id, WHY)
        memory = await store.db.read(lambda tx: rows.get(tx, memory_id))
        queued = await store.db.read(lambda tx: tx.count("SELECT count(*) FROM jobs"))
    assert isinstance(memory, Memory)
    assert (memory.content, queued) == (FIRST, 1)


async def test_erasing_checks_the_version_and_existence(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        memory_id = await keep(store, FIRST)
        assert await store.remove.erase("nothing", WHY) == Missing()
        assert await store.remove.erase(memory_id, Audit(ME, "r", 2)) == VersionConflict(1)
        assert await store.remove.erase(memory_id, Audit(ME, "r", 1)) == Done(memory_id, 1, 2)
        assert await store.remove.erase(memory_id, WHY) == Missing()


async def test_an_erased_text_is_not_captured_again(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        said = store.clock().isoformat()
        memory_id = await keep(store, FIRST, created_at=said)
        await store.remove.erase(memory_id, WHY)
        again = Remember(content=FIRST, actor=ME, created_at=said, revive=False)
        assert not isinstance(await store.ingest.remember(again), Saved)
