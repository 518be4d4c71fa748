"""How a session is shown in a terminal: what its agent did by itself."""

import re

import click
import msgspec
import pytest

from intaglio.base.installation import command
from intaglio.cli.sessions.output import session_text
from intaglio.wire.sessions import (
    ComparedCommit,
    ComparedSession,
    ReminderResult,
    ReplacedMemory,
    SavedMemory,
    SessionClaim,
    SessionDetail,
    SessionInjection,
    SessionReminder,
    StatementResult,
)

AT = "2026-01-30T09:00:00.000Z"
SESSION = msgspec.convert(
    {
        **dict.fromkeys(("id", "key", "harness", "agent"), "1"),
        **dict.fromkeys(("claimedAt", "start", "lastActive"), AT),
        **dict.fromkeys(("project", "cwd", "runtimePath", "end", "endReason", "bypassedBy")),
        **dict.fromkeys(("told", "asked", "captured", "suggested", "tokens", "messages"), 0),
        **dict.fromkeys(("title", "firstPrompt", "summary", "passage"), ""),
        **dict.fromkeys(("kept", "words", "topics", "decisions"), ()),
        **dict.fromkeys(("bypassed", "open"), False),
        **dict.fromkeys(("injections", "prompts", "statements", "saved", "replaced", "claims"), ()),
        **dict.fromkeys(
            ("moreInjections", "morePrompts", "moreStatements", "moreSaved", "moreClaims"), False
        ),
        "memories": {},
        "inPlay": {"entities": [], "aspects": []},
        "stored": {"messages": 0, "characters": 0},
        "considered": [],
        "reminders": [],
        "reminderTokens": 0,
        "transcript": "none",
    },
    SessionDetail,
)


def shown(**events: object) -> list[str]:
    """Return the lines of a session with these events, without their times."""
    session = msgspec.structs.replace(SESSION, **events)
    text = click.unstyle("\n".join(session_text(session, left_out=False)))
    _, _, timeline = text.partition("0 tokens sent\n")
    lines = (re.sub(r"^[\d-]{10} [\d:]{8}  ", "", line) for line in timeline.split("\n"))
    return [line for line in lines if line]


def searched(*words: str) -> SessionInjection:
    return SessionInjection(
        id=1, event="recall", source=None, prompt_id=None, at=AT, tokens=0, elapsed_ms=1,
        text=None, text_state="none", words=list(words), sessions=[], commits=[], lines=[], more=0,
    )  # fmt: skip


def test_what_an_edit_told_says_so() -> None:
    edited = msgspec.structs.replace(searched(), event="edit")
    assert shown(injections=[edited]) == ["Edited a file: told nothing"]


def test_an_agents_search_shows_its_query() -> None:
    assert shown(injections=[searched("make")]) == ["Searched for make: found nothing"]
    assert shown(injections=[searched()]) == ["Read nothing"]


def test_what_was_replaced_is_shown_with_its_undo() -> None:
    replaced = ReplacedMemory(
        memory_id="m1", content="Use make.", by_memory_id="m2", by_content="Use just.", at=AT
    )
    assert shown(replaced=[replaced]) == [
        "Replaced  m1",
        "    Use make.",
        "    → Use just.",
        f"    Undo with: {command('reinstate m1')}",
    ]


@pytest.mark.parametrize(
    ("by", "head"),
    [
        ("agent", "Saved by the agent"),
        ("model", "Saved by your language model"),
        ("", "Saved"),
    ],
)
def test_a_memory_says_who_saved_it(by: str, head: str) -> None:
    saved = SavedMemory(
        memory_id="m1",
        by_agent=by == "agent",
        by_model=by == "model",
        content="Use make.",
        type="fact",
        state="live",
        at=AT,
    )
    assert shown(saved=[saved]) == [f"{head}  m1", "    Use make."]


@pytest.mark.parametrize(
    ("result", "head"),
    [
        ("suggested", "Suggested by the agent"),
        ("suggestion_dropped", "Suggested by the agent, dropped"),
        ("suggestion_said_again", "Suggested by the agent, kept: said again"),
    ],
)
def test_what_the_agent_suggested_is_shown_with_its_item_and_outcome(
    result: StatementResult, head: str
) -> None:
    claimed = SessionClaim(
        inbox_id="i1", content="Use make.", type="rule", at=AT, inbox_status="open",
        memory_id=None, memory_state=None, result=result,
    )  # fmt: skip
    assert shown(claims=[claimed]) == [f"{head}  inbox item i1", "    Use make."]


def test_a_reminder_is_shown_with_what_came_of_it_and_its_cost() -> None:
    given = SessionReminder(
        id=1, prompt_id=None, at=AT, wording=1, tokens=46, confidence=0.4,
        outcome="saved",
        results=[ReminderResult(result="saved", memory_id="m1", inbox_id=None)],
    )  # fmt: skip
    assert shown(reminders=[given], reminder_tokens=46) == [
        "Reminders   1, 46 tokens",
        "Reminded the agent to save: saved (46 tokens)",
        "    m1",
    ]


def test_commits_that_were_told_are_listed_with_hash_date_and_reason() -> None:
    told = ComparedCommit(
        project="/work/shop", hash="3fa21c0b" + "0" * 32, at=AT, subject="Retry the export",
        score=0.9, floor=0.5, shown=True, reason="Its message shares the word export.", tokens=9,
    )  # fmt: skip
    left = msgspec.structs.replace(told, hash="b" * 40, shown=False)
    call = msgspec.structs.replace(searched(), event="prompt", tokens=12, commits=[told, left])
    assert shown(injections=[call]) == [
        "Told 1 commit (12 tokens)",
        "    3fa21c0b  Its message shares the word export.  0.90, needs 0.50",
        "        2026-01-30 Retry the export",
        "    1 left out. Use --left-out to see why.",
    ]


def test_past_sessions_that_were_told_are_listed_with_their_day_and_reason() -> None:
    told = ComparedSession(
        id="7", harness="codex", title="Retry the export", at=AT, score=0.9, floor=0.5, shown=True,
        reason="It matches the prompt best.",
    )  # fmt: skip
    left = msgspec.structs.replace(told, id="8", shown=False)
    call = msgspec.structs.replace(searched(), event="prompt", tokens=12, sessions=[told, left])
    assert shown(injections=[call]) == [
        "Told 1 past session (12 tokens)",
        "    session 7  It matches the prompt best.  0.90, needs 0.50",
        "        2026-01-30 Retry the export",
        "    1 left out. Use --left-out to see why.",
    ]


def test_a_summary_stands_before_what_happened() -> None:
    lines = shown(
        summary="The outage came from DNS.", topics=["outage"], decisions=["Two resolvers."]
    )
    at = lines.index("The outage came from DNS.")
    assert lines[at : at + 3] == [
        "The outage came from DNS.",
        "- Two resolvers.",
        "Topics: outage",
    ]
