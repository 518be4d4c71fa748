"""What became of something that the user said: what happened last decides."""

from typing import Any

import pytest

from intaglio.api.serializers.sessions import statement_result
from intaglio.sessions.overview.values import StatementOutcome
from intaglio.sessions.statements.values import RecordedStatement

SAID: dict[str, Any] = {
    "seq": 1,
    "harness": "claude-code",
    "session_id": "s1",
    "message_id": "m1",
    "start": 0,
    "end": 8,
    "said_at": None,
    "recorded_at": "2026-01-30T08:00:00.000Z",
    "agent_id": "default",
    "project": None,
    "sentence": "use pnpm",
    "content": "Use pnpm.",
    "type": "rule",
    "everywhere": False,
    "confidence": 0.9,
    "outcome": "kept",
    "state": "live",
    "memory_id": "m1",
    "inbox_id": None,
}
SUGGESTED: dict[str, Any] = {"outcome": "suggested", "memory_id": None, "inbox_id": "i1"}
KEPT: dict[str, Any] = {"outcome": "suggested", "inbox_id": "i1"}


@pytest.mark.parametrize(
    ("said", "is_forgotten", "status", "action", "result"),
    [
        ({}, False, None, None, "captured"),
        ({}, True, None, None, "forgotten"),
        ({}, None, None, None, "erased"),
        ({"state": "withdrawn"}, True, None, None, "withdrawn"),
        ({"state": "replaced"}, True, None, None, "replaced"),
        ({"state": "erased"}, None, None, None, "erased"),
        ({"outcome": "withdrawal", "memory_id": None}, None, None, None, "withdrawal"),
        (SUGGESTED, None, "open", None, "suggested"),
        (SUGGESTED, None, "done", "drop", "suggestion_dropped"),
        (SUGGESTED, None, "done", "expired", "suggestion_expired"),
        (SUGGESTED, None, None, None, "suggested"),
        (KEPT, False, "done", "keep", "suggestion_kept"),
        (KEPT, False, "done", "said_again", "suggestion_said_again"),
        (KEPT, True, "done", "keep", "forgotten"),
    ],
)
def test_the_outcome_of_a_statement_follows_its_memories_and_items(
    said: dict[str, Any],
    is_forgotten: bool | None,
    status: str | None,
    action: str | None,
    result: str,
) -> None:
    statement = RecordedStatement(**{**SAID, **said})
    outcome = StatementOutcome(statement, is_forgotten, status, action)
    assert statement_result(outcome) == result
