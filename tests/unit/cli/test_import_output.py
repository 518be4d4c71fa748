"""What `intaglio import` writes: sources, previews, progress and reports."""

import io
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest
from msgspec.structs import replace

from intaglio.cli.history_import.output import (
    duration,
    import_lines,
    preview_lines,
    progress_text,
    report_lines,
    source_lines,
)
from intaglio.cli.history_import.progress import ProgressLine
from intaglio.wire.history_import import (
    ImportPreview,
    ImportProblem,
    ImportProject,
    ImportRun,
    ImportSample,
    ImportSource,
)

SOURCE = ImportSource(
    id="claude-code",
    kind="harness",
    label="Claude Code",
    place="/home/ann/.claude/projects",
    sessions=1_230,
    imported=4,
    bytes=45_600_000,
    since="2026-01-03T12:00:00.000Z",
    until="2026-05-20T12:00:00.000Z",
    projects=[
        ImportProject(key="/work/web", name="web", sessions=1_200),
        ImportProject(key=None, name="No project", sessions=30),
    ],
    expiring=12,
    expires_at="2026-05-28T12:00:00.000Z",
    estimated_s=170.0,
    problem="",
)
RUN = ImportRun(
    id="1",
    state="running",
    keep="review",
    sources=["claude-code"],
    created="2026-05-21T12:00:00.000Z",
    finished=None,
    sessions=1_230,
    done=400,
    skipped=3,
    failed=1,
    bytes=45_600_000,
    bytes_done=15_000_000,
    remaining_s=125.0,
    kept=98,
    suggested=240,
    known=7,
    problems=[],
    removed=None,
    reason="",
)
PREVIEW = ImportPreview(
    sessions=1_230,
    sampled=40,
    kept=120,
    suggested=1,
    samples=[
        ImportSample(
            content="We deploy on Fridays.\x1b[2J",
            type="rule",
            outcome="kept",
            said_at="2026-03-04T12:00:00.000Z",
            project="/work/web",
            source="Claude Code",
        ),
        ImportSample(
            content="Tabs might be nicer.",
            type="preference",
            outcome="suggested",
            said_at=None,
            project=None,
            source="ChatGPT",
        ),
    ],
    estimated_s=170.0,
)


NOW: Final = datetime(2026, 5, 21, tzinfo=UTC)


def test_a_source_is_listed_with_what_expires() -> None:
    assert [*source_lines([SOURCE], NOW)] == [
        (
            "Claude Code  1,230 sessions, 2026-01-03 to 2026-05-20, 1 project, 45.6 MB, "
            "4 already imported, /home/ann/.claude/projects"
        ),
        "    Claude Code will delete 12 sessions within 7 days, the first on 2026-05-28.",
    ]


def test_what_is_due_to_be_deleted_goes_when_the_agent_starts() -> None:
    [*_, said] = source_lines([SOURCE], NOW + timedelta(days=30))
    assert (
        said == "    Claude Code will delete 12 sessions within 7 days, some as soon as it starts."
    )


def test_a_source_that_cannot_be_read_says_why() -> None:
    broken = replace(SOURCE, sessions=0, expiring=0, imported=0, problem="Permission denied")
    assert [*source_lines([broken], NOW)][-1] == "    Can't be read: Permission denied"


def test_a_preview_shows_lines_without_what_moves_the_cursor() -> None:
    assert [*preview_lines(PREVIEW, "review")] == [
        (
            "About 120 memories would be kept, and about 1 suggestion would wait in the inbox "
            "(estimated from 40 of 1,230 sessions)."
        ),
        "    kept   rule        We deploy on Fridays.  (2026-03-04, web)",
        "    inbox  preference  Tabs might be nicer.  (no project)",
    ]
    only_sure = [*preview_lines(PREVIEW, "sure")]
    assert len(only_sure) == 2
    assert "inbox" not in "".join(only_sure)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        (
            {},
            (
                "Importing: 400 of 1,230 sessions, 98 memories kept, 240 suggestions, "
                "about 2 minutes left"
            ),
        ),
        (
            {"keep": "sure", "remaining_s": None},
            "Importing: 400 of 1,230 sessions, 98 memories kept",
        ),
        ({"state": "waiting"}, "Waiting for the import to begin"),
    ],
)
def test_progress_says_how_far_it_is(changes: dict[str, Any], text: str) -> None:
    assert progress_text(replace(RUN, **changes)) == text


def test_a_report_names_what_could_not_be_read() -> None:
    problems = [ImportProblem(place=f"/a/{n}.jsonl", reason="It isn't valid.") for n in range(12)]
    done = replace(RUN, state="done", done=1_230, failed=12, problems=problems)
    lines = [*report_lines(done)]
    assert lines[:4] == [
        "Imported 1,215 sessions: 98 memories kept, 240 suggestions in the inbox, 7 known already.",
        "3 sessions were imported before, or taken back.",
        "12 sessions couldn't be read:",
        "    /a/0.jsonl: It isn't valid.",
    ]
    assert "    and 2 more" in lines


@pytest.mark.parametrize(
    ("failed", "said"),
    [(0, "Not all could be read:"), (1, "1 session couldn't be read, others only in part:")],
)
def test_a_session_that_was_read_in_part_is_not_one_that_could_not_be_read(
    failed: int, said: str
) -> None:
    problems = [ImportProblem(place="/a.jsonl", reason="Skipped 2 damaged lines.")] * 2
    done = replace(RUN, state="done", skipped=1, failed=failed, problems=problems)
    assert [*report_lines(done)][1:3] == ["1 session was imported before, or taken back.", said]


def test_a_cancelled_import_says_what_it_did() -> None:
    lines = [*report_lines(replace(RUN, state="cancelled", done=5, kept=1, suggested=0, known=0))]
    assert lines[0] == (
        "The import was cancelled. It imported 1 session: 1 memory kept, "
        "0 suggestions in the inbox."
    )


def test_imports_are_listed_with_what_became_of_them() -> None:
    taken = replace(
        RUN, state="done", removed="2026-05-22T12:00:00.000Z", sources=["codex", "upload-0199"]
    )
    first, second = import_lines([taken, RUN])
    assert "Taken back" in first
    assert first.endswith(f"(codex and an export)  {RUN.id}")
    assert "Running" in second


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "less than a minute"),
        (60, "about 1 minute"),
        (200, "about 3 minutes"),
        (9_000, "about 2 hours"),
    ],
)
def test_durations_are_rough(seconds: float, text: str) -> None:
    assert duration(seconds) == text


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_in_a_terminal_is_one_line_that_is_erased() -> None:
    terminal = _Terminal()
    line = ProgressLine(terminal)
    line.show("one")
    line.show("two")
    line.clear()
    line.clear()
    assert terminal.getvalue() == "\r\x1b[Kone\r\x1b[Ktwo\r\x1b[K"


def test_progress_elsewhere_is_a_plain_line_now_and_then() -> None:
    now = 0.0
    output = io.StringIO()
    line = ProgressLine(output, seconds=lambda: now)
    for now in (0.0, 10.0, 29.0, 31.0, 40.0):
        line.show(f"at {now:.0f}")
    line.clear()
    assert output.getvalue().splitlines() == ["at 0", "at 31"]
    ProgressLine(output, quiet=True).show("nothing")
    assert "nothing" not in output.getvalue()
