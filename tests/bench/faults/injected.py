"""The faults: how each is injected, which issues name it, and what the user then does."""

import json
import os
import shutil
import signal
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.faults.scene import HARNESS, Scene, set_immutable
from intaglio.base.paths import built_folder

_DAY_S: Final = 86_400
_LEFT_BYTES: Final = 65_536
_PAGE: Final = 4_096


def as_stated(scene: Scene, issue: Mapping[str, Any]) -> str:
    """Do what the issue's button does."""
    match issue["action"]:
        case "repair":
            return _posted(
                scene, f"/api/repair/{issue['repair']}", {"dryRun": False, "limit": 100_000}
            )
        case "restore":
            return _posted(scene, "/api/backups/restore")
        case "confirm-clock":
            return _posted(scene, "/api/clock/confirm")
        case _:
            return f"none ({issue['page'] or issue['command']})"


def _posted(scene: Scene, path: str, body: Mapping[str, object] | None = None) -> str:
    reply = scene.post(path, body)
    return f"POST {path}: {reply.status_code}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A fault: ``named`` are beginnings of the ids of issues that name it.

    ``is_silent`` is one that must not be shown at all; ``undo`` ends what a person would end, such
    as a full disk.
    """

    name: str
    inject: Callable[[Scene], None]
    named: tuple[str, ...]
    mend: Callable[[Scene, Mapping[str, Any]], str] = as_stated
    undo: Callable[[Scene], None] = lambda _: None
    is_silent: bool = False


def _index_out_of_step(scene: Scene) -> None:
    scene.sql("DELETE FROM memories_fts_docsize WHERE id % 3 = 0")


def _vectors_missing(scene: Scene) -> None:
    scene.sql(
        "DELETE FROM embeddings WHERE id % 2 = 0",
        "DELETE FROM jobs WHERE type = 'embed'",
        "INSERT INTO jobs(type, subject, status, attempts, created_at, failed_at, error) "
        "SELECT 'embed', id, 'dead', 3, datetime('now'), datetime('now'), 'injected' "
        "FROM memories WHERE seq NOT IN (SELECT memory FROM embeddings)",
    )


def _orphan_rows(scene: Scene) -> None:
    scene.sql(
        "INSERT INTO embeddings(memory, model, vector) "
        "SELECT memory + 1000000, model, vector FROM embeddings LIMIT 50"
    )


def _stale_leases(scene: Scene) -> None:
    scene.sql(
        "INSERT INTO jobs(type, subject, status, attempts, leased_at, lease, created_at) "
        "SELECT 'extract', 'stale-' || seq, 'leased', 1, '2026-01-01T00:00:00.000Z', 'gone', "
        "'2026-01-01T00:00:00.000Z' FROM memories LIMIT 5"
    )


def _dead_jobs(scene: Scene) -> None:
    scene.sql(
        "INSERT INTO jobs(type, subject, status, attempts, created_at, failed_at, error) "
        "SELECT 'link', id, 'dead', 3, datetime('now'), datetime('now'), 'injected' "
        "FROM memories LIMIT 5"
    )


def _corrupt_page(scene: Scene) -> None:
    scene.run("db", "backup")
    scene.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    pages = scene.file.stat().st_size // _PAGE
    with scene.file.open("r+b") as file:
        for page in range(pages // 2, pages // 2 + 4):
            file.seek(page * _PAGE)
            file.write(os.urandom(_PAGE))


def _disk_full(scene: Scene) -> None:
    disk = scene.home.parent
    free = shutil.disk_usage(disk).free
    with (disk / "filler").open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, free - _LEFT_BYTES * 64)
    with (disk / "filler-2").open("wb") as file:
        try:
            while True:
                file.write(bytes(_LEFT_BYTES))
                file.flush()
        except OSError:
            pass
    _try_to_write(scene)


def _disk_emptied(scene: Scene) -> None:
    for file in scene.home.parent.glob("filler*"):
        file.unlink()
    _try_to_write(scene)


def _try_to_write(scene: Scene) -> None:
    for _ in range(3):
        scene.post("/api/memory/remember", {"content": f"written while it broke {uuid.uuid4()}"})


def _read_only(scene: Scene) -> None:
    set_immutable(scene.file.parent, is_immutable=True)
    _try_to_write(scene)


def _writable(scene: Scene) -> None:
    set_immutable(scene.file.parent, is_immutable=False)
    _try_to_write(scene)


def _clock_jump(scene: Scene) -> None:
    scene.shift_clocks(400 * _DAY_S, 0)


def _clock_back(scene: Scene) -> None:
    scene.shift_clocks(0, 0)


def _sleep_and_wake(scene: Scene) -> None:
    pid = scene.daemon.process.pid
    os.kill(pid, signal.SIGSTOP)
    time.sleep(5)
    scene.shift_clocks(9 * 3_600, 9 * 3_600)
    os.kill(pid, signal.SIGCONT)


def _model() -> Path:
    return next(built_folder("model").glob("*.onnx"))


def _model_gone(_: Scene) -> None:
    _model().rename(_model().with_suffix(".onnx-away"))


def _model_back(_: Scene) -> None:
    for file in built_folder("model").glob("*.onnx-away"):
        file.rename(file.with_suffix(".onnx"))


def _hooks_removed(scene: Scene) -> None:
    settings = json.loads(scene.settings.read_text())
    settings.pop("hooks")
    scene.settings.write_text(json.dumps(settings))


def _connected_again(scene: Scene, issue: Mapping[str, Any]) -> str:
    scene.run("connect", HARNESS, "--yes")
    return f"intaglio connect {HARNESS} (stated: {issue['command'] or issue['page']})"


def _mcp_not_started(scene: Scene) -> None:
    session = str(uuid.uuid4())
    scene.hook("SessionStart", session, source="startup")
    for number in range(3):
        scene.hook("UserPromptSubmit", session, prompt=f"please look at part {number}")
        scene.hook("Stop", session)


def _mcp_started(scene: Scene, issue: Mapping[str, Any]) -> str:
    scene.start_tools()
    return f"the agent starts its tools (stated: {issue['text'][-100:]})"


def _backups_stopped(scene: Scene) -> None:
    backups = scene.file.parent / "backups"
    shutil.rmtree(backups, ignore_errors=True)
    # A file where the folder of the backups was: none can be made.
    backups.write_text("in the way")


def _backups_again(scene: Scene, issue: Mapping[str, Any]) -> str:
    (scene.file.parent / "backups").unlink()
    scene.run("db", "backup")
    return f"intaglio db backup (stated: {issue['command'] or issue['page'] or issue['action']})"


def _no_more(scene: Scene, issue: Mapping[str, Any]) -> str:
    del scene
    return f"the cause is removed (stated: {issue['text'][:60]}…)"


FAULTS: Final = (
    Fault(name="FTS out of step", inject=_index_out_of_step, named=("search_index",)),
    Fault(
        name="vectors missing",
        inject=_vectors_missing,
        named=("missing_vectors", "embed", "failed_jobs"),
    ),
    Fault(name="orphan rows", inject=_orphan_rows, named=("orphan",)),
    Fault(name="stale leases", inject=_stale_leases, named=("lease", "stale")),
    Fault(name="dead jobs", inject=_dead_jobs, named=("failed_jobs",)),
    Fault(name="corrupt page", inject=_corrupt_page, named=("database", "page")),
    Fault(
        name="full disk",
        inject=_disk_full,
        named=("disk", "database"),
        mend=_no_more,
        undo=_disk_emptied,
    ),
    Fault(
        name="read-only folder",
        inject=_read_only,
        named=("database", "read_only"),
        mend=_no_more,
        undo=_writable,
    ),
    Fault(name="clock jump", inject=_clock_jump, named=("clock",)),
    Fault(
        name="sleep and wake", inject=_sleep_and_wake, named=(), undo=_clock_back, is_silent=True
    ),
    Fault(
        name="model file gone",
        inject=_model_gone,
        named=("model",),
        mend=_no_more,
        undo=_model_back,
    ),
    Fault(
        name="hooks removed",
        inject=_hooks_removed,
        named=("agents", "hooks"),
        mend=_connected_again,
    ),
    Fault(
        name="MCP server not started",
        inject=_mcp_not_started,
        named=("tools", "mcp"),
        mend=_mcp_started,
    ),
    Fault(
        name="backups stopped",
        inject=_backups_stopped,
        named=("backup",),
        mend=_backups_again,
    ),
)
