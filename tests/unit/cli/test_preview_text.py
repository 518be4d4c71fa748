"""How a preview shows the past sessions that a prompt was compared with."""

import click
import msgspec

from intaglio.cli.preview import is_known, preview_lines
from intaglio.wire.sessions import (
    ContextPreview,
    PreviewReply,
    PreviewSession,
    PreviewSessionLine,
)

AT = "2026-01-30T12:00:00.000Z"


def context(*sessions: PreviewSession) -> ContextPreview:
    return ContextPreview(
        text="<notes>", tokens=40, budget=600, characters=9, max_characters=900,
        sessions=list(sessions), lines=[], left_out=[], held_back=0,
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
    )  # fmt: skip
    assert is_known(reply, lambda _: 0)
    assert not is_known(msgspec.structs.replace(reply, prompt=None), lambda _: 0)


def test_a_session_without_a_page_is_left_out_without_a_number() -> None:
    assert "Session, 2026-01-30: Retry the export" in shown(left_out=True)
