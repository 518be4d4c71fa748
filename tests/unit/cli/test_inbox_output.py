"""What `intaglio inbox` writes of items in its list."""

from typing import Any

import msgspec
import pytest

from intaglio.cli.inbox.output import item_lines
from intaglio.wire.inbox import InboxRow

SAID: dict[str, Any] = {
    "sentence": "Use pnpm.",
    "by": "user",
    "harness": "codex",
    "session_id": "s",
    "session": None,
    "message_id": "m",
    "start": 0,
    "end": 9,
    "said_at": "2026-03-02T12:00:00.000Z",
}
ITEM: dict[str, Any] = {
    "id": "01a21cd4-a02e-738f-b92e-0003c5e66e86",
    "kind": "suggestion",
    "status": "open",
    "content": "Use pnpm.",
    "type": "rule",
    "project": "/work/web",
    "agent": "default",
    "confidence": 0.5,
    "keep_at": 0.7,
    "evidence": [{**SAID, "said_at": "2026-01-02T12:00:00.000Z"}, SAID],
    "origin": "user",
    "source": "codex",
    "created": "2026-11-27T12:00:00.000Z",
    "expires": None,
    "decided": None,
    "action": None,
    "memory_id": None,
    "memories": [],
    "entities": [],
    "session_title": "",
    "change": None,
}


@pytest.mark.parametrize(
    ("changes", "day"),
    [
        ({}, "2026-03-02"),
        ({"evidence": [{**SAID, "said_at": None}]}, "2026-11-27"),
        ({"kind": "contradiction"}, "2026-11-27"),
    ],
)
def test_a_suggestion_has_the_day_on_which_it_was_last_said(
    changes: dict[str, Any], day: str
) -> None:
    [line] = item_lines([msgspec.convert({**ITEM, **changes}, InboxRow)], [])
    assert f"  {day}  Use pnpm." in line
