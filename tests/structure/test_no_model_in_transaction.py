"""A model cannot be called inside a write transaction: by type, by import and at run time."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fakes.waiting import PATIENCE_S
from intaglio.base.process.threads import assert_outside_tx
from intaglio.store.tx import WriteTx

ROOT = Path(__file__).resolve().parents[2]

ASYNC_WORK = """
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx

async def work(tx: WriteTx) -> int:
    return 1

async def main(db: Database) -> None:
    answer = await db.write(work)
    reached: int = answer
    print(reached)
"""

PLAIN_WORK = ASYNC_WORK.replace("async def work", "def work")


def complaints(folder: Path, **sources: str) -> list[tuple[str, str]]:
    """Check modules, all at once; return the name of a module with each complaint about it."""
    for name, source in sources.items():
        (folder / f"{name}.py").write_text(source)
    (folder / "pyrightconfig.json").write_text(
        json.dumps({"typeCheckingMode": "strict", "extraPaths": [str(ROOT / "app")]})
    )
    command = [sys.executable, "-m", "pyright", "--outputjson", "--project", str(folder)]
    found = subprocess.run(command, capture_output=True, check=False, timeout=2 * PATIENCE_S)
    told = json.loads(found.stdout)
    assert told["summary"]["filesAnalyzed"] == len(sources)
    return [(Path(entry["file"]).stem, entry["message"]) for entry in told["generalDiagnostics"]]


def test_an_async_write_fails_type_checking(tmp_path: Path) -> None:
    found = complaints(tmp_path, asynchronous=ASYNC_WORK, plain=PLAIN_WORK)
    assert found == [("asynchronous", '"Never" is not awaitable')]


async def test_the_writer_thread_refuses_a_model(tmp_path: Path) -> None:
    from fakes.store import bench  # noqa: PLC0415 - only this test needs a database

    def work(_: WriteTx) -> None:
        assert_outside_tx()

    assert_outside_tx()
    async with bench(tmp_path) as store:
        with pytest.raises(RuntimeError, match="transaction"):
            await store.db.write(work)
