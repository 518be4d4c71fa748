"""What hooks left is read in order, once; rubbish is set aside and never stops the rest."""

import json
import os
import time
from pathlib import Path

import pytest
import structlog
from structlog.testing import capture_logs

from intaglio.base.log import Logger
from intaglio.harness.events import SessionEnd, TurnEnd
from intaglio.harness.registry import harnesses
from intaglio.harness.spool import Spooled, drain

LOG: Logger = structlog.get_logger()
HARNESSES = harnesses()


def _leave(folder: Path, name: str, **changes: object) -> Path:
    entry = {"harness": "claude-code", "event": "Stop", "session": name, "time": 1.5, **changes}
    folder.mkdir(exist_ok=True)
    file = folder / f"{name}.json"
    file.write_text(json.dumps(entry))
    return file


def _sessions(found: list[Spooled]) -> list[str]:
    return [
        spooled.event.origin.session
        for spooled in found
        if isinstance(spooled.event, TurnEnd | SessionEnd)
    ]


def test_an_absent_spool_is_empty(tmp_path: Path) -> None:
    assert list(drain(tmp_path / "spool", HARNESSES, LOG)) == []


def test_events_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("3", "1", "2"):
        _leave(tmp_path, name)
    assert _sessions(list(drain(tmp_path, HARNESSES, LOG))) == ["1", "2", "3"]


def test_an_event_keeps_the_context_of_its_hook(tmp_path: Path) -> None:
    file = _leave(
        tmp_path, "a", event="SessionEnd", reason="exit", cwd="/p", transcript_path="/t.jsonl"
    )
    (found,) = drain(tmp_path, HARNESSES, LOG)
    assert isinstance(found.event, SessionEnd)
    assert found.event.reason == "exit"
    assert (found.event.origin.cwd, found.event.origin.transcript) == ("/p", "/t.jsonl")
    assert found.time.timestamp() == 1.5
    assert found.file == file


def test_an_event_that_was_not_deleted_comes_again(tmp_path: Path) -> None:
    _leave(tmp_path, "a")
    _leave(tmp_path, "b")
    for found in drain(tmp_path, HARNESSES, LOG):
        if _sessions([found]) == ["a"]:
            found.file.unlink()
    assert _sessions(list(drain(tmp_path, HARNESSES, LOG))) == ["b"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"\xff",
        b'{"harness": "claude-code"}',
        b'{"harness": "claude-code", "event": "Stop", "session": 5, "time": 1}',
        b'{"harness": "claude-code", "event": "Stop", "session": "s", "time": 1e30}',
        b'{"harness": "claude-code", "event": "Stop", "session": "s", "time": -1}',
        b'{"harness": "other", "event": "Stop", "session": "s", "time": 1}',
        b'{"harness": "claude-code", "event": "What", "session": "s", "time": 1}',
        b"x" * 200_000,
    ],
)
def test_an_unreadable_event_is_set_aside_and_logged(tmp_path: Path, content: bytes) -> None:
    _leave(tmp_path, "a")
    (tmp_path / "b.json").write_bytes(content)
    _leave(tmp_path, "c")
    with capture_logs() as lines:
        assert _sessions(list(drain(tmp_path, HARNESSES, LOG))) == ["a", "c"]
    assert [line["file"] for line in lines] == ["b.json"]
    assert (tmp_path / "rejected" / "b.json").read_bytes() == content
    assert not (tmp_path / "b.json").exists()


def test_only_the_newest_unreadable_events_are_kept(tmp_path: Path) -> None:
    for number in range(230):
        (tmp_path / f"{number:03}.json").write_bytes(b"x")
    with capture_logs():
        assert list(drain(tmp_path, HARNESSES, LOG)) == []
    kept = sorted(file.name for file in (tmp_path / "rejected").iterdir())
    assert (len(kept), kept[-1]) == (200, "229.json")


def test_partial_files_of_killed_hooks_are_deleted_after_an_hour(tmp_path: Path) -> None:
    old, fresh = tmp_path / "a.json.part", tmp_path / "b.json.part"
    for part in (old, fresh):
        part.touch()
    hours_ago = time.time() - 4_000
    os.utime(old, (hours_ago, hours_ago))
    assert list(drain(tmp_path, HARNESSES, LOG)) == []
    assert not old.exists()
    assert fresh.exists()
