"""How a preview shows the past sessions and commits that a prompt was compared with."""

import click
import msgspec

from intaglio.cli.preview import is_known, preview_lines
from intaglio.wire.sessions import (
    ContextPreview,
    PreviewCommit,
    PreviewReply,
    PreviewSession,
    PreviewSessionLine,
)

AT = "2026-01-30T12:00:00.000Z"


def context(*sessions: PreviewSession, commits: tuple[PreviewCommit, ...] = ()) -> ContextPreview:
    return ContextPreview(
        text="<notes>", tokens=40, budget=600, characters=9, max_characters=900,
        sessions=list(sessions), commits=list(commits), lines=[], left_out=[], held_back=0,
    )  # fmt: skip


def session(number: str, *lines: PreviewSessionLine, score: float) -> PreviewSession:
    return PreviewSession(
        id=number, harness="claude-code", title="Retry the export", at=AT, score=score, floor=1.6,
        shown=bool(lines), reason="It matches the prompt best.", lines=list(lines),
    )  # fmt: skip


def shown(*, left_out: bool) -> list[str]:
    line = PreviewSessionLine(
        text="At most five retries.", kind="recap", speaker="the agent's summary", memory_id=None
    )
    reply = PreviewReply(
        project=None, agent="default", harness="claude-code", harness_label="Claude Code",
        focal=[], start=context(),
        prompt=context(session("7", line, score=2.4), session("0", score=0.9)),
        without_effect=[],
    )  # fmt: skip
    text = "\n".join(preview_lines(reply, left_out=left_out))
    return [each.strip() for each in click.unstyle(text).splitlines()]


def test_a_past_session_is_shown_with_its_score_and_what_is_told_of_it() -> None:
    assert shown(left_out=False) == [
        "The next Claude Code session without a project starts with no memories.",
        "",
        "The prompt adds 1 past session (40 of at most 600 tokens).",
        "",
        "Session 7, 2026-01-30: Retry the export",
        "score 2.40, needs 1.60. It matches the prompt best.",
        "the agent's summary: At most five retries.",
        "1 left out. Use --left-out to see why.",
    ]


def test_a_project_with_a_past_session_is_known_without_memories() -> None:
    reply = PreviewReply(
        project="/work/shop", agent="default", harness="claude-code", harness_label="Claude Code",
        focal=[], start=context(), prompt=context(session("7", score=0.9)),
        without_effect=[],
    )  # fmt: skip
    assert is_known(reply, lambda _: 0)
    assert not is_known(msgspec.structs.replace(reply, prompt=None), lambda _: 0)


def test_a_project_that_has_moved_is_known_and_said_to_have_moved() -> None:
    reply = PreviewReply(
        project="/new/shop", agent="default", harness="claude-code", harness_label="Claude Code",
        focal=[], start=context(), prompt=None, without_effect=[], moved_from="/old/shop",
    )  # fmt: skip
    assert is_known(reply, lambda _: 0)
    assert preview_lines(reply, left_out=False) == [
        "The next Claude Code session in shop starts with no memories.",
        "The project has moved from /old/shop: its memories come along as that session starts.",
    ]


def test_a_session_without_a_page_is_left_out_without_a_number() -> None:
    assert "Session, 2026-01-30: Retry the export" in shown(left_out=True)


def commit(subject: str, line: str = "") -> PreviewCommit:
    return PreviewCommit(
        project="/work/shop", hash="3fa21c0b" + "0" * 32, at=AT, subject=subject, score=0.9,
        floor=0.5, shown=bool(line), reason="Its message shares the word export.", tokens=9,
        line=line,
    )  # fmt: skip


def test_commits_are_shown_with_what_is_told_of_them_and_the_others_when_asked_for() -> None:
    told = commit("Retry the export", '- (2026-01-30) decided in commit 3fa21c0b: "Retry."')
    reply = PreviewReply(
        project="/work/shop", agent="default", harness="claude-code", harness_label="Claude Code",
        focal=[], start=context(),
        prompt=context(session("7", score=2.4), commits=(told, commit("Add a cache"))),
        without_effect=[],
    )  # fmt: skip
    text = click.unstyle("\n".join(preview_lines(reply, left_out=False)))
    assert [each.strip() for each in text.splitlines()][2:] == [
        "The prompt adds 1 commit (40 of at most 600 tokens).",
        "",
        "Commit 3fa21c0b, 2026-01-30: Retry the export",
        "score 0.90, needs 0.50. Its message shares the word export.",
        '- (2026-01-30) decided in commit 3fa21c0b: "Retry."',
        "2 left out. Use --left-out to see why.",
    ]
    assert "Add a cache" in "\n".join(preview_lines(reply, left_out=True))
