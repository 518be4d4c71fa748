"""How commits, and what was read of them, are shown in a terminal."""

import click
import msgspec
import pytest

from intaglio.cli.commits.output import commit_lines, commit_text, reading_text
from intaglio.wire.commits import CommitDetail, CommitReading, CommitRow

AT = "2026-01-30T12:00:00.000Z"
HASH = "3fa21c0b" + "0" * 32
ROW = CommitRow(
    project="/work/shop", hash=HASH, committed_at=AT, kind="commit", reverts=None, author=None,
    subject="Retry the export", excerpt="",
)  # fmt: skip
READ = CommitReading(
    project="/work/shop", enabled=True, choice=None, commits=1204, forgotten=0, head=HASH,
    read_at=AT, stopped="", reading=False,
)  # fmt: skip


def lines(*rows: CommitRow) -> list[str]:
    return [click.unstyle(line) for line in commit_lines(rows)]


def test_a_commit_is_one_line_and_the_project_is_named_only_beside_others() -> None:
    assert lines(ROW) == ["3fa21c0b  2026-01-30  Retry the export"]
    other = msgspec.structs.replace(ROW, project="/work/bakery", kind="revert")
    assert lines(ROW, other) == [
        "3fa21c0b  2026-01-30  shop    Retry the export",
        "3fa21c0b  2026-01-30  bakery  (revert) Retry the export",
    ]


def test_a_message_cannot_move_the_cursor() -> None:
    hostile = msgspec.structs.replace(ROW, subject="Retry\x1b[2Jthe\u202e export")
    assert lines(hostile) == [line for line in lines(hostile) if "\x1b" not in line]
    assert "\u202e" not in lines(hostile)[0]


def test_a_commit_is_shown_whole() -> None:
    commit = CommitDetail(
        project="/work/shop", hash=HASH, committed_at=AT, kind="revert", reverts="b" * 40,
        author="Ann", subject="Retry the export", excerpt="", body="The gateway\ndrops calls.",
        files=["a.py", "b.py"],
    )  # fmt: skip
    text = click.unstyle("\n".join(commit_text(commit)))
    assert text.startswith(f"Revert    {HASH}\nReverts   {'b' * 40}\nDate      2026-01-30")
    assert "Author    Ann\nProject   /work/shop\n\n    Retry the export\n\n" in text
    assert text.endswith("    The gateway\n    drops calls.\n\n2 files\n    a.py\n    b.py")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"enabled": False}, "The commits of /work/shop aren't read."),
        ({"reading": True}, "of /work/shop are read in the background: 1,204 commits so far"),
        ({"forgotten": 2}, "1,204 commits with a body, 2 forgotten, read 2026-01-30"),
        (
            {"commits": 0, "stopped": "it has no commits yet"},
            "Nothing was read of /work/shop: it has",
        ),
        ({"stopped": "git took too long"}, "up to 3fa21c0b\nIncomplete: git took too long"),
    ],
)
def test_what_was_read_is_said_in_words(change: dict[str, object], expected: str) -> None:
    assert expected in reading_text(msgspec.structs.replace(READ, **change))
