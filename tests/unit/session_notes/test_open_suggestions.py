"""Which open suggestions say what a note says."""

from typing import Final

import pytest

from intaglio.inbox.values import Evidence, InboxItem
from intaglio.inference.completion.ports import ModelName
from intaglio.memory.values import Source
from intaglio.session_notes.open_suggestions import says_the_same
from intaglio.session_notes.values import MadeBy, PendingNote

BOTH: Final = "Always run the linter before pushing. Always squash the commits before pushing."


def note(content: str, evidence: str = "") -> PendingNote:
    return PendingNote(
        seq=1,
        content=content,
        type="rule",
        message_row=1,
        evidence=evidence or content,
        accepted="",
        made_by=MadeBy("session_notes", 2, ModelName("fake", "fake")),
    )


def suggestion(content: str) -> InboxItem:
    return InboxItem(
        seq=1,
        id="1",
        kind="suggestion",
        status="open",
        content=content,
        type="rule",
        confidence=0.6,
        agent_id="default",
        project="/work/shop",
        visibility="global",
        source=Source("codex", "m1@0"),
        memory_id=None,
        older_id=None,
        created_at="2026-01-30T09:00:00.000Z",
        decided_at=None,
        action=None,
        changed_version=None,
        evidence=(Evidence(content, "codex", "s1"),),
    )


@pytest.mark.parametrize(
    ("content", "quoted", "suggested"),
    [
        ("The linter always runs before pushing.", BOTH, "Always run the linter before pushing."),
        ("The linter runs before any push.", BOTH, "Always run the linter before pushing."),
        (
            "The shop's server is always started on port 8080.",
            "always start the server of the shop on port 8080",
            "Always start the server of the shop on port 8080.",
        ),
    ],
)
def test_a_suggestion_that_says_the_same_is_found(
    content: str, quoted: str, suggested: str
) -> None:
    assert says_the_same(note(content, quoted), suggestion(suggested))


@pytest.mark.parametrize(
    ("content", "quoted", "suggested"),
    [
        (
            "The linter always runs before pushing.",
            BOTH,
            "Always squash the commits before pushing.",
        ),
        (
            "Always start the server of the shop on port 8080.",
            "",
            "Always start the server of the shop on port 9090.",
        ),
        (
            "Always write spaces instead of tabs in the shop.",
            "",
            "Always write tabs instead of spaces in the shop.",
        ),
        ("Use tabs, not spaces, in the shop.", "", "Use spaces, not tabs, in the shop."),
        ("Never push to main on Fridays.", "", "Always push to main on Fridays."),
    ],
    ids=["beside", "number", "instead", "not", "denied"],
)
def test_a_suggestion_that_says_something_else_is_not(
    content: str, quoted: str, suggested: str
) -> None:
    assert not says_the_same(note(content, quoted), suggestion(suggested))
