"""The import of history over HTTP: sources, an import from start to end, and its sessions."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from fakes.api import Api
from fakes.past_history import PastHistory
from intaglio.history_import.runner import ImportRunner
from intaglio.history_import.service import HistoryImports

JANUARY: Final = datetime(2026, 1, 12, 9, tzinfo=UTC)
SURE: Final = "We decided to use Postgres for the billing worker from now on."


@pytest.fixture
def history(tmp_path: Path) -> PastHistory:
    return PastHistory(Path.home(), tmp_path / "work", per_prompt=5_000)


async def get(api: Api, path: str) -> Any:  # noqa: ANN401 - JSON
    reply = await api.client.get(path, headers=api.owner)
    assert reply.status_code == 200, reply.text
    return reply.json()


async def run(api: Api, **given: object) -> dict[str, Any]:
    """Start an import, run it to its end, and return it."""
    reply = await api.client.post("/api/imports", json=given, headers=api.owner)
    assert reply.status_code == 200, reply.text
    record = await api.kernel.get(HistoryImports).running()
    assert record is not None
    await api.kernel.get(ImportRunner).run_one(record)
    found: dict[str, Any] = await get(api, f"/api/imports/{record.id}")
    return found


async def test_sessions_are_imported_with_their_own_times(api: Api, history: PastHistory) -> None:
    history.claude_code(JANUARY, prompts=1, said=(SURE,))
    [source] = (await get(api, "/api/imports/sources"))["sources"]
    assert (source["id"], source["sessions"], source["imported"]) == ("claude-code", 1, 0)
    assert source["since"].startswith("2026-01-12")
    done = await run(api)
    assert (done["state"], done["done"], done["failed"], done["kept"]) == ("done", 1, 0, 1)
    [session] = (await get(api, f"/api/imports/{done['id']}/sessions"))["sessions"]
    assert (session["state"], session["kept"]) == ("done", 1)
    [row] = (await get(api, "/api/sessions"))["sessions"]
    assert row["id"] == session["session"]
    assert row["start"].startswith("2026-01-12")
    assert row["end"].startswith("2026-01-12")
    [memory] = (await get(api, "/api/memories"))["memories"]
    assert "Postgres" in memory["content"]
    assert memory["created_at"].startswith("2026-01-12")


async def test_a_second_import_finds_nothing_and_a_continued_session_is_read_on(
    api: Api, history: PastHistory
) -> None:
    file = history.claude_code(JANUARY, prompts=1, said=(SURE,))
    await run(api)
    again = await run(api)
    assert (again["sessions"], again["kept"]) == (0, 0)
    more = history.claude_code(
        JANUARY + timedelta(days=1), prompts=1, said=("Never deploy on Fridays.",)
    )
    text = more.read_text().replace(more.stem, file.stem)
    more.unlink()
    with file.open("a") as stream:
        stream.write(text)
    later = (datetime.now(UTC) + timedelta(minutes=5)).timestamp()
    os.utime(file, (later, later))
    on = await run(api)
    assert (on["sessions"], on["done"], on["kept"] + on["suggested"]) == (1, 1, 1)


async def test_a_broken_line_is_reported_and_the_rest_is_read(
    api: Api, history: PastHistory
) -> None:
    file = history.claude_code(JANUARY, prompts=1, said=("What is this?", SURE))
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([lines[0], b'{"type": "user", "uu\xff\x00\n', *lines[1:]]))
    done = await run(api)
    assert (done["failed"], done["kept"]) == (0, 1)
    assert done["problems"] == [{"place": str(file), "reason": "Skipped 1 damaged line."}]
