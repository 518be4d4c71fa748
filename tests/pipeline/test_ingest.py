"""remember, modify, forget and recover over a real database."""

import threading
from pathlib import Path

import pytest

from fakes.store import Bench, bench
from intaglio.base.errors import InvalidInputError, TooLargeError, UnavailableError
from intaglio.base.events import Changed
from intaglio.domain.reader import USER
from intaglio.memory import history_rows as histories
from intaglio.memory import rows
from intaglio.memory.operations import Audit
from intaglio.memory.values import (
    Actor,
    AlreadyDeleted,
    Change,
    Done,
    Duplicate,
    Forgotten,
    HistoryEntry,
    Memory,
    Missing,
    NoChange,
    NotDeleted,
    PinnedConflict,
    RetentionExpired,
    ScopeConflict,
    Source,
    VersionConflict,
)
from intaglio.pipeline.ingest import Remember, Saved
from intaglio.redaction import stored_text
from intaglio.redaction.redact import Redacted, redact
from intaglio.redaction.spans import Label
from intaglio.redaction.stored_text import StoredTextRedactor
from intaglio.store.tx import ReadTx

ME = Actor("me")
WHY = Audit(ME, "because")
SECRET = "ghp_" + "Zk3v9Qw7Lr5Tn1Xc8Bm2Hd6Fy4Ja0Sg9Ue3P"


def history_of(tx: ReadTx, memory_id: str) -> list[HistoryEntry]:
    return histories.history(tx, memory_id, USER, 10) or []


async def keep(store: Bench, content: str, **more: object) -> str:
    # The fields come from a table of cases.
    outcome = await store.ingest.remember(Remember(content=content, actor=ME, **more))  # type: ignore[arg-type]
    assert isinstance(outcome, Saved)
    return outcome.id


async def read(store: Bench, memory_id: str) -> Memory:
    found = await store.db.read(lambda tx: rows.get(tx, memory_id))
    assert found is not None
    return found


async def test_a_memory_is_stored_with_its_prefixes_read(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        memory = await read(
            store, await keep(store, "critical: [Auth,db]: Never log tokens\nagain")
        )
    assert memory.content == "Never log tokens\nagain"
    assert (memory.pinned, memory.importance, memory.tags) == (True, 1.0, ("auth", "db"))
    assert (memory.type, memory.why) == ("rule", "explicit-critical")


async def test_each_memory_has_its_embed_job_and_its_history(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        memory_id = await keep(store, "We use PostgreSQL")
        jobs = await store.db.read(lambda tx: tx.all("SELECT type, subject, status FROM jobs"))
        history = await store.db.read(lambda tx: history_of(tx, memory_id))
    assert jobs == [("embed", memory_id, "pending")]
    assert [(event.event, event.new_content) for event in history] == [
        ("created", "We use PostgreSQL")
    ]


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ({}, {}, True),
        ({}, {"content": "use TABS.  "}, True),
        ({"project": "/a"}, {"project": "/b"}, False),
        ({"agent_id": "a"}, {"agent_id": "b"}, False),
        ({"visibility": "private"}, {"visibility": "global"}, False),
        ({"source": Source("t", "1")}, {"source": Source("t", "1"), "content": "other"}, True),
        ({"source": Source("t", "1")}, {"source": Source("u", "1"), "content": "other"}, False),
        ({"idempotency_key": "k"}, {"idempotency_key": "k", "content": "other"}, True),
    ],
)
async def test_the_same_memory_of_one_scope_is_kept_once(
    tmp_path: Path, first: dict[str, object], second: dict[str, object], *, same: bool
) -> None:
    async with bench(tmp_path) as store:
        kept = await keep(store, "Use tabs", **first)
        # The fields come from a table of cases.
        command = Remember(**{"content": "Use tabs", "actor": ME, **second})  # type: ignore[arg-type]
        outcome = await store.ingest.remember(command)
    assert isinstance(outcome, Duplicate) == same
    if isinstance(outcome, Duplicate):
        assert outcome.memory.id == kept


async def test_a_forgotten_memory_can_be_said_again_but_not_reread(tmp_path: Path) -> None:
    source = Source("claude-code", "m1#0")
    async with bench(tmp_path) as store:
        memory_id = await keep(store, "Use tabs", source=source)
        await store.remove.forget(memory_id, WHY)
        command = Remember(content="Use tabs", actor=ME, source=source, revive=False)
        assert await store.ingest.remember(command) == Forgotten(memory_id)
        assert await keep(store, "Use tabs") != memory_id


def files_with(folder: Path, text: str) -> list[Path]:
    files = [file for file in folder.rglob("*") if file.is_file()]
    return [file for file in files if text.encode() in file.read_bytes()]


async def test_secrets_never_reach_the_file(tmp_path: Path) -> None:
    secret = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z56"
    async with bench(tmp_path) as store:
        memory_id = await keep(store, f"the token is {secret} ok")
        await store.revise.modify(memory_id, Change(content=f"now it is {secret}!"), WHY)
        assert secret not in (await read(store, memory_id)).content
    assert files_with(tmp_path, secret) == []


@pytest.mark.parametrize(
    "bad",
    [
        {"content": ""},
        {"content": " \n"},
        {"content": "critical: "},
        {"content": "\x00"},
        {"content": "x", "type": "nonsense"},
        {"content": "x", "visibility": "public"},
        {"content": "x", "created_at": "yesterday"},
    ],
)
async def test_invalid_memories_are_refused(tmp_path: Path, bad: dict[str, str]) -> None:
    async with bench(tmp_path) as store:
        with pytest.raises(InvalidInputError):
            # The fields come from a table of cases.
            await store.ingest.remember(Remember(actor=ME, **bad))  # type: ignore[arg-type]
        assert await store.db.read(rows.counts) == (0, 0)


async def test_an_overlong_memory_is_refused_as_too_large(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        with pytest.raises(TooLargeError):
            await store.ingest.remember(Remember(content="x" * 100_001, actor=ME))
        memory_id = await keep(store, "x" * 100_000)
        with pytest.raises(TooLargeError):
            await store.revise.modify(memory_id, Change(content="y" * 100_001), WHY)


async def test_a_long_text_is_not_searched_for_secrets_on_the_writer_s_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[str] = []

    def spy(text: str, label: Label) -> Redacted:
        if len(text) > 50_000:
            searched.append(threading.current_thread().name)
        return redact(text, label)

    monkeypatch.setattr(stored_text, "redact", spy)
    async with bench(tmp_path, StoredTextRedactor("key")) as store:
        await keep(store, "We keep the reports in PostgreSQL. " * 2_000)
    assert len(searched) == 1
    assert "writer" not in searched[0]


async def test_nothing_is_written_while_frozen(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        memory_id = await keep(store, "Use tabs")
        store.frozen = True
        with pytest.raises(UnavailableError):
            await store.ingest.remember(Remember(content="y", actor=ME))
        with pytest.raises(UnavailableError):
            await store.remove.forget(memory_id, WHY)


async def test_a_change_is_versioned_and_recorded(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        memory_id = await keep(store, "Use tabs")
        outcome = await store.revise.modify(memory_id, Change(content="Use spaces"), WHY)
        assert outcome == Done(memory_id, 1, 2, content_changed=True)
        await store.revise.modify(memory_id, Change(importance=0.1, tags=("a",)), WHY)
        history = await store.db.read(lambda tx: history_of(tx, memory_id))
    assert [(e.event, e.old_content, e.new_content) for e in history] == [
        ("created", None, "Use tabs"),
        ("updated", "Use tabs", "Use spaces"),
        ("updated", None, None),
    ]
    assert history[2].metadata == '{"importance": [0.8, 0.1], "tags": [[], ["a"]]}'
    assert (history[1].changed_by, history[1].reason) == ("me", "because")


async def test_impossible_changes_are_refused_with_a_reason(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        one, other = await keep(store, "one"), await keep(store, "other")
        modify = store.revise.modify
        assert await modify("no", Change(content="x"), WHY) == Missing()
        assert await modify(one, Change(content="one"), WHY) == NoChange(one, 1)
        assert await modify(one, Change(content="Other!"), WHY) == ScopeConflict(1, other)
        assert await modify(one, Change(content="x"), Audit(ME, "r", 9)) == VersionConflict(1)
        await store.remove.forget(one, WHY)
        assert await modify(one, Change(content="x"), WHY) == AlreadyDeleted(2)
        with pytest.raises(InvalidInputError):
            await modify(other, Change(content="  "), WHY)


async def test_forget_and_recover_keep_their_rules(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        pinned = await keep(store, "critical: never jump")
        memory_id = await keep(store, "mind the gap")
        forget, recover = store.remove.forget, store.remove.recover
        assert await recover(memory_id, WHY) == NotDeleted(1)
        assert await forget(pinned, WHY) == PinnedConflict(1)
        assert await forget(memory_id, WHY) == Done(memory_id, 1, 2)
        assert await forget(memory_id, WHY) == AlreadyDeleted(2)
        again = await keep(store, "Mind the gap")
        assert await recover(memory_id, WHY) == ScopeConflict(2, again)
        await forget(again, WHY)
        assert await recover(memory_id, Audit(ME, "r", 1)) == VersionConflict(2)
        assert await recover(memory_id, WHY) == Done(memory_id, 2, 3)
        await forget(memory_id, WHY)
        store.clock.forward(days=31)
        assert await recover(memory_id, WHY) == RetentionExpired(4)


async def test_a_memory_whose_key_was_taken_is_not_recovered(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        memory_id = await keep(store, "first", idempotency_key="k")
        await store.remove.forget(memory_id, WHY)
        other = await keep(store, "second", idempotency_key="k")
        assert await store.remove.recover(memory_id, WHY) == ScopeConflict(2, other, "key")


async def test_no_secret_is_written_with_a_tag_or_a_reason(tmp_path: Path) -> None:
    why = Audit(ME, f"rotated {SECRET}")
    async with bench(tmp_path) as store:
        memory_id = await keep(store, "a", tags=["db", SECRET])
        comma = await keep(store, "b", tags=f"db,{SECRET}")
        await store.revise.modify(comma, Change(tags=(SECRET,)), why)
        await store.remove.forget(memory_id, why)
        await store.remove.recover(memory_id, why)
        await store.db.back_up(keep=1)
        copy = store.db.list_backups()[0].file
        history = await store.db.read(lambda tx: history_of(tx, memory_id))
    assert SECRET.lower().encode() not in copy.read_bytes().lower()
    assert [event.reason for event in history][1:] == ["rotated [redacted:github-token]"] * 2


async def test_listeners_receive_each_change(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        memory_id = await keep(store, "a")
        await store.revise.modify(memory_id, Change(content="b"), WHY)
        await store.remove.forget(memory_id, WHY)
        await store.remove.recover(memory_id, WHY)
        heard = [event.what for event in store.events if isinstance(event, Changed)]
    assert heard == ["added", "updated", "deleted", "recovered"]
