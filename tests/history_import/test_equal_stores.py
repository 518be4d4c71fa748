"""The same history makes the same store: again, in another order, and after crashes."""

import random
import shutil
from datetime import UTC, datetime
from pathlib import Path

from fakes.store_contents import differences
from history_import.conftest import imports_in, months
from intaglio.history_import.values import ImportOrder


async def test_the_same_history_again_or_in_another_order_makes_the_same_store(
    tmp_path: Path,
) -> None:
    months(tmp_path / "work")
    async with imports_in(tmp_path / "one") as imports:
        first = await imports.run()
        once = imports.contents()
        assert (first.totals.failed, first.totals.kept > 0, first.totals.suggested > 0) == (
            *(0, True, True),
        )
        again = await imports.run()
        assert (again.totals.sessions, again.totals.kept) == (0, 0)
        assert differences(once, imports.contents()) == []
    _written_in_another_order(Path.home())
    async with imports_in(tmp_path / "two") as imports:
        await imports.run(ImportOrder(("codex", "claude-code")))
        assert differences(once, imports.contents()) == []


async def test_an_import_that_is_stopped_again_and_again_makes_the_same_store(
    tmp_path: Path,
) -> None:
    months(tmp_path / "work", 100_000, seed=2)
    async with imports_in(tmp_path / "one") as imports:
        await imports.run()
        once = imports.contents()
    commits = random.Random(1)  # noqa: S311 - data for tests
    for _ in range(4):
        async with imports_in(tmp_path / "two") as imports:
            await imports.run_for(commits.randint(1, 5))
    async with imports_in(tmp_path / "two") as imports:
        assert await imports.service.running() is not None
        await imports.run()
        assert differences(once, imports.contents()) == []


async def test_what_was_taken_back_does_not_return_with_the_next_import(tmp_path: Path) -> None:
    said = ("I prefer Kafka over Redis for the mail queue.", "Never touch the login page again.")
    months(tmp_path / "work", 20_000).claude_code(datetime(2026, 5, 5, tzinfo=UTC), said=said)
    async with imports_in(tmp_path / "one") as imports:
        done = await imports.run()
        assert done.totals.kept > 0
        taken = await imports.take_back(done)
        assert taken["forgotten"] > 0
        before = imports.contents()
        again = await imports.run()
        assert (again.totals.sessions, again.totals.kept) == (0, 0)
        assert differences(before, imports.contents()) == []
        # Nothing is left that a second removal would hold.
        twice = {"source": {"kind": "import", "id": done.record.id}}
        api = imports.api
        reply = await api.client.post("/api/sources/take-back", json=twice, headers=api.owner)
        assert reply.status_code == 404


def _written_in_another_order(home: Path) -> None:
    """Write all transcripts anew, those that were written last first."""
    for base in (home / ".claude/projects", home / ".codex/sessions"):
        files = [(file, file.read_bytes()) for file in base.rglob("*.jsonl")]
        shutil.rmtree(base)
        for file, content in sorted(files, reverse=True):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
