"""A model cannot be called inside a write transaction: by type, by import and at run time.

In the tests of each prompt the language model itself writes to the database before it replies,
which hangs where a transaction is open (`ScriptedCompletion.database`).
"""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from fakes.waiting import PATIENCE_S
from intaglio.base.process.threads import assert_outside_tx
from intaglio.store.tx import WriteTx
from structure.source import modules, nodes

ROOT = Path(__file__).resolve().parents[2]

# The tests that drive each prompt, and where its model is given the database.
DRIVEN = {
    "aspects": ("graph/test_passes_by_model.py", "graph/test_passes_by_model.py"),
    "contradictions": (
        "sessions/test_semantic_contradictions.py",
        "sessions/test_semantic_contradictions.py",
    ),
    "decide_facts": ("pipeline/test_extraction.py", "fakes/extraction.py"),
    "dependencies": ("graph/test_passes_by_model.py", "graph/test_passes_by_model.py"),
    "extract_facts": ("pipeline/test_extraction.py", "fakes/extraction.py"),
    "names": ("graph/test_resolution.py", "graph/test_resolution.py"),
    "questions": ("recall/test_hints.py", "recall/test_hints.py"),
    "session_notes": ("sessions/test_session_notes.py", "fakes/noted_sessions.py"),
    "turn_relations": ("sessions/test_turns_read.py", "fakes/noted_sessions.py"),
}

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


def declared_prompts() -> set[str]:
    """Return the names of all prompts in the package."""
    return {
        keyword.value.value
        for module in modules("app/intaglio")
        for node in nodes(module.tree)
        if isinstance(node, ast.Call) and "ModelPrompt" in ast.unparse(node.func)
        for keyword in node.keywords
        if keyword.arg == "name"
        and isinstance(keyword.value, ast.Constant)
        and isinstance(keyword.value.value, str)
    }


def test_each_prompt_is_asked_of_a_model_that_writes() -> None:
    # The test button's is asked by no job.
    assert declared_prompts() - {"test"} == set(DRIVEN)
    for name, (tests, rig) in DRIVEN.items():
        assert (ROOT / "tests" / tests).exists(), name
        assert "database" in (ROOT / "tests" / rig).read_text(), name


async def test_the_writer_thread_refuses_a_model(tmp_path: Path) -> None:
    from fakes.store import bench  # noqa: PLC0415 - only this test needs a database

    def work(_: WriteTx) -> None:
        assert_outside_tx()

    assert_outside_tx()
    async with bench(tmp_path) as store:
        with pytest.raises(RuntimeError, match="transaction"):
            await store.db.write(work)
