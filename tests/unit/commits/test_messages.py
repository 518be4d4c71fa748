"""What is kept of a commit's message."""

from datetime import UTC, datetime

import pytest

from intaglio.commits.messages import Changes, LogEntry, has_body, prepare, split_message

NOW = datetime(2026, 1, 31, tzinfo=UTC)


@pytest.mark.parametrize(
    ("message", "subject", "body"),
    [
        ("subject\n", "subject", ""),
        ("\n\n  subject \nin two lines\n\nbody\n", "subject in two lines", "body"),
        ("s\n\nfirst\n\nsecond  \n", "s", "first\n\nsecond"),
        ("s\n\nbody\n\nSigned-off-by: A <a@example.org>\nCC: b", "s", "body"),
        ("s\n\nNote: this stays\n\nFixes: #1", "s", "Note: this stays\n\nFixes: #1"),
        ("s\n\nStand-by: mode is slow", "s", ""),
        ("s\n\nWe stand-by: it works", "s", "We stand-by: it works"),
        ("s\n\nbody\n(cherry picked from commit abc)", "s", "body"),
        ("", "", ""),
        ("\r\n", "", ""),
        ("s\r\n\r\nbody\r\n", "s", "body"),
    ],
)
def test_a_message_is_divided_and_trailers_are_dropped(
    message: str, subject: str, body: str
) -> None:
    assert split_message(message) == (subject, body)
    assert has_body(entry(message)) is bool(body)


def entry(message: str, parents: int = 1, seconds: int = 0) -> LogEntry:
    return LogEntry("a" * 40, ("b" * 40,) * parents, seconds, "Ada", message)


@pytest.mark.parametrize(
    ("message", "parents", "kind", "reverts"),
    [
        ("s\n\nbody", 1, "commit", None),
        ("s\n\nbody", 0, "commit", None),
        ("s\n\nbody", 3, "merge", None),
        ('Revert "s"\n\nIt broke.', 1, "revert", None),
        ("undo\n\nThis reverts commit 0123abc.", 1, "revert", "0123abc"),
        ("Merge\n\nThis reverts commit 0123abc.", 2, "merge", "0123abc"),
        ("s\n\nThis reverts commit XYZ.", 1, "commit", None),
    ],
)
def test_merges_and_reverts_are_told_apart(
    message: str, parents: int, kind: str, reverts: str | None
) -> None:
    made = prepare(entry(message, parents), Changes(), NOW, str, with_author=False)
    assert (made.kind, made.reverts) == (kind, reverts)


@pytest.mark.parametrize(
    ("seconds", "at"),
    [
        (-5, "1970-01-01T00:00:00.000Z"),
        (1_700_000_000, "2023-11-14T22:13:20.000Z"),
        (10**11, "2026-01-31T00:00:00.000Z"),
    ],
)
def test_dates_stay_within_reason(seconds: int, at: str) -> None:
    made = prepare(entry("s\n\nb", seconds=seconds), Changes(), NOW, str, with_author=False)
    assert made.committed_at == at


def test_chinese_and_japanese_are_searched_by_pairs() -> None:
    made = prepare(entry("接続\n\n切断を防ぐ"), Changes(), NOW, str, with_author=False)
    assert made.pairs is not None
    assert "切断" in made.pairs
