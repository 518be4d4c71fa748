"""What an import keeps, what it leaves alone, and what it says."""

import os
import re
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from fakes.opencode_database import OpenCodeDatabase
from fakes.past_history import PastHistory
from history_import.conftest import Imports, imports_in
from intaglio.base.clock import iso
from intaglio.base.errors import ConflictError, NotFoundError
from intaglio.history_import.overview import SourceSurvey
from intaglio.history_import.preview import HistoryPreview
from intaglio.history_import.values import ImportOrder, SourceOverview
from intaglio.pauses.service import Pauses
from intaglio.session_notes import rows as notes
from intaglio.sessions import retention_rows, rows
from intaglio.sessions.values import SessionRef
from intaglio.store.tx import ReadTx

JANUARY: Final = datetime(2026, 1, 12, 9, tzinfo=UTC)
MAY: Final = datetime(2026, 5, 12, 9, tzinfo=UTC)
SURE: Final = "We decided to use Postgres for the billing worker from now on."
NEWER: Final = "We decided to use MySQL for the billing worker from now on."
UNSURE: Final = "The search index must stay below 200 ms, that is a hard limit."
SAID: Final = (SURE, UNSURE)


@pytest.fixture
async def imports(tmp_path: Path) -> AsyncGenerator[Imports]:
    async with imports_in(tmp_path / "store") as running:
        yield running


@pytest.fixture
def history(tmp_path: Path) -> PastHistory:
    return PastHistory(Path.home(), tmp_path / "work", per_prompt=2_000)


async def texts(imports: Imports, sql: str) -> list[str]:
    return await imports.service.db.read(lambda tx: tx.column(str, sql))


async def memories(imports: Imports) -> list[str]:
    return await texts(imports, "SELECT content FROM memories WHERE superseded_by IS NULL")


async def inbox(imports: Imports) -> list[str]:
    return await texts(imports, "SELECT content FROM inbox_items WHERE status = 'open'")


async def overview(imports: Imports) -> SourceOverview:
    [found] = await imports.api.kernel.get(SourceSurvey).overviews()
    return found


async def test_what_is_not_sure_waits_in_the_inbox(imports: Imports, history: PastHistory) -> None:
    history.claude_code(JANUARY, said=SAID)
    done = await imports.run()
    assert (done.totals.kept, done.totals.suggested) == (1, 1)
    assert [len(await memories(imports)), len(await inbox(imports))] == [1, 1]


async def test_only_what_is_sure_is_kept_if_one_wants_no_questions(
    imports: Imports, history: PastHistory
) -> None:
    history.claude_code(JANUARY, said=SAID)
    done = await imports.run(ImportOrder(keep="sure"))
    assert (done.totals.kept, done.totals.suggested) == (1, 0)
    assert await inbox(imports) == []
    considered = await texts(imports, "SELECT content FROM considered_statements")
    assert any("200 ms" in each for each in considered)


@pytest.mark.parametrize(("project", "kept", "suggested"), [(None, 0, 1), ("/work/shop", 1, 0)])
async def test_what_belongs_to_no_project_is_only_suggested(
    imports: Imports, project: str | None, kept: int, suggested: int
) -> None:
    file = Path.home() / ".cursor/projects/p/agent-transcripts/s-1/s-1.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text(
        f'{{"role": "user", "message": {{"content": "<user_query>{SURE}</user_query>"}}}}\n'
    )
    os.utime(file, (MAY.timestamp(), MAY.timestamp()))
    done = await imports.run(ImportOrder(project=project))
    assert (done.totals.kept, done.totals.suggested) == (kept, suggested)
    # Without times of its own, it is as old as its file.
    assert await texts(imports, "SELECT last_seen_at FROM sessions") == [iso(MAY)]


async def test_the_newest_statement_wins_though_it_was_imported_first(
    imports: Imports, history: PastHistory
) -> None:
    history.claude_code(MAY, prompts=1, said=(NEWER,))
    await imports.run()
    history.home.joinpath(".codex").mkdir()
    cwd = await texts(imports, "SELECT cwd FROM sessions")
    older = history.codex(JANUARY, prompts=1, said=(SURE,))
    text = older.read_text()
    for project in ("lantern", "harbor", "orchard", "quarry", "meadow"):
        text = text.replace(str(history.folder / project), cwd[0])
    older.write_text(text)
    await imports.run()
    [left] = await memories(imports)
    assert "MySQL" in left


async def test_a_time_that_cannot_be_true_makes_nothing_the_latest_word(
    imports: Imports, history: PastHistory
) -> None:
    file = history.claude_code(JANUARY, prompts=2, said=(SURE,))
    lines = file.read_text().splitlines()
    wrong = [re.sub(r'"timestamp":\s*"[^"]*"', '"timestamp":"9999-12-31T00:00:00Z"', lines[-1])]
    file.write_text("\n".join([*lines[:-1], *wrong]) + "\n")
    await imports.run()
    last = await texts(imports, "SELECT max(last_seen_at) FROM sessions")
    said = await texts(imports, "SELECT max(said_at) FROM statements")
    assert max(*last, *said) < iso(MAY)


async def test_an_open_session_is_left_to_its_hooks(imports: Imports, history: PastHistory) -> None:
    file = history.claude_code(JANUARY, said=SAID)
    live = SessionRef(harness="claude-code", id=file.stem, transcript=str(file))
    await imports.service.db.write(lambda tx: rows.touch(tx, live, None, iso(MAY)))
    assert (await overview(imports)).sessions == 0
    assert (await imports.run()).totals.sessions == 0


async def test_what_was_said_in_a_pause_is_not_imported(
    imports: Imports, history: PastHistory
) -> None:
    sql = "INSERT INTO pauses(id, started_at, ended_at, asked_by) VALUES ('p', ?, ?, 'me')"
    span = (iso(JANUARY - timedelta(hours=1)), iso(JANUARY + timedelta(days=1)))
    await imports.service.db.write(lambda tx: tx.execute(sql, span))
    await imports.api.kernel.get(Pauses).refresh()
    history.claude_code(JANUARY, said=SAID)
    history.claude_code(MAY, said=(NEWER,))
    done = await imports.run()
    assert (done.totals.done, done.totals.kept) == (2, 1)
    assert await texts(imports, "SELECT date(started_at) FROM sessions") == ["2026-05-12"]
    assert (await overview(imports)).sessions == 0


async def test_one_import_runs_at_a_time_and_only_of_what_there_is(
    imports: Imports, history: PastHistory
) -> None:
    history.claude_code(JANUARY, said=SAID)
    with pytest.raises(NotFoundError):
        await imports.service.start(ImportOrder(("nothing",)))
    await imports.service.start(ImportOrder(("claude-code",)))
    with pytest.raises(ConflictError):
        await imports.service.start(ImportOrder())


async def test_a_cancelled_import_keeps_what_it_has_read(
    imports: Imports, history: PastHistory
) -> None:
    history.claude_code(JANUARY, said=SAID)
    history.claude_code(MAY, said=(NEWER,))
    started = await imports.service.start(ImportOrder())
    await imports.service.cancel(started.record.id)
    done = await imports.run()
    assert (done.record.state, done.totals.sessions, done.totals.done) == ("cancelled", 2, 0)
    again = await imports.run()
    assert (again.record.state, again.totals.done) == ("done", 2)
    assert (await imports.service.cancel(again.record.id)).record.state == "done"


async def test_a_source_that_cannot_be_read_is_reported_and_the_others_are_imported(
    imports: Imports, history: PastHistory
) -> None:
    history.claude_code(JANUARY, said=SAID)
    database = Path.home() / ".local/share/opencode/opencode.db"
    database.parent.mkdir(parents=True)
    database.write_bytes(b"no database at all " * 500)
    done = await imports.run()
    assert (done.totals.failed, done.totals.kept) == (1, 1)
    [problem] = done.problems
    assert problem.place == str(database.parent)


async def test_an_import_isnt_an_event_of_the_harness(
    imports: Imports, history: PastHistory
) -> None:
    history.claude_code(JANUARY, said=SAID)
    await imports.run()
    assert await imports.service.db.read(rows.last_activity) == {}


async def test_a_time_outside_of_the_calendar_hides_no_session(imports: Imports) -> None:
    database = OpenCodeDatabase(Path.home() / ".local/share/opencode/opencode.db")
    for session, time in (("a", 10**17), ("b", -(10**17))):
        database.session(session)
        database.now_ms = time
        database.say(session, SURE)
    done = await imports.run()
    assert (done.totals.failed, done.totals.done, done.totals.kept) == (0, 2, 1)


async def test_the_other_sources_are_listed_beside_one_that_is_not_as_expected(
    imports: Imports, history: PastHistory
) -> None:
    history.claude_code(JANUARY, said=SAID)
    database = OpenCodeDatabase(Path.home() / ".local/share/opencode/opencode.db")
    database.session("a")
    database.run("INSERT INTO message VALUES ('m', 'a', 'no time', '{}')")
    found = await imports.api.kernel.get(SourceSurvey).overviews()
    assert [(each.sessions, each.problem) for each in found] == [
        (1, ""),
        (0, "Couldn't read it: TypeError"),
    ]


async def test_a_preview_passes_over_a_session_that_is_not_as_expected(
    imports: Imports, history: PastHistory
) -> None:
    history.claude_code(JANUARY, said=SAID)
    database = OpenCodeDatabase(Path.home() / ".local/share/opencode/opencode.db")
    database.session("a")
    database.say("a", SURE)
    database.run("UPDATE session SET title = x'ff'")
    found = await imports.api.kernel.get(HistoryPreview).of(())
    assert (found.sessions, found.sampled) == (2, 1)
    assert SURE in {line.content for line in found.lines}
    done = await imports.run()
    assert (done.totals.failed, done.totals.kept) == (1, 1)


async def test_what_the_harness_deletes_within_a_week_is_said(
    imports: Imports, history: PastHistory
) -> None:
    now = imports.service.clock()
    for days in (29, 26, 3):
        file = history.claude_code(now - timedelta(days=days), prompts=1)
        written = (now - timedelta(days=days)).timestamp()
        os.utime(file, (written, written))
    found = await overview(imports)
    assert (found.sessions, found.expiring) == (3, 2)
    assert found.expires_at is not None
    assert abs(found.expires_at - (now + timedelta(days=1))) < timedelta(minutes=1)
    assert found.estimated_s > 0


async def test_an_imported_session_is_kept_from_its_import_on_and_no_model_reads_it(
    imports: Imports, history: PastHistory
) -> None:
    now = imports.service.clock()
    history.claude_code(now - timedelta(days=10), said=SAID)
    await imports.run()
    soon, later = iso(now - timedelta(days=1)), iso(now + timedelta(days=1))

    def expired(tx: ReadTx) -> list[int]:
        return [len(retention_rows.inactive_sessions(tx, at, "", 10)) for at in (soon, later)]

    def due(tx: ReadTx) -> int:
        return len(notes.due(tx, "note_session", later, "2000", 10))

    db = imports.service.db
    assert await db.read(expired) == [0, 1]
    assert await db.read(due) == 0
    await db.write(lambda tx: tx.execute("UPDATE sessions SET end_reason = 'exit'"))
    assert await db.read(due) == 1
