"""How commits are shown in a terminal."""

from collections.abc import Iterator, Sequence
from typing import Final

from intaglio.cli.output import (
    cell,
    clipped,
    column,
    counted,
    line_width,
    local_date,
    local_time,
    paragraph,
    project_names,
    styled_id,
)
from intaglio.domain.short_hash import SHORT_HASH
from intaglio.fence.characters import visible
from intaglio.wire.commits import CommitDetail, CommitReading, CommitRow

_GAP: Final = "  "
_LABEL: Final = 10


def commit_lines(rows: Sequence[CommitRow]) -> Iterator[str]:
    """Write each commit in one line: hash, date, project if they differ, subject."""
    names = project_names(row.project for row in rows)
    width = column(names[row.project] for row in rows) if len(names) > 2 else 0  # noqa: PLR2004 - one of them is that of no project
    for row in rows:
        start = f"{row.hash[:SHORT_HASH]}{_GAP}{local_date(row.committed_at)}{_GAP}"
        if width:
            start += f"{cell(names[row.project], width)}{_GAP}"
        kind = "" if row.kind == "commit" else f"({row.kind}) "
        room = line_width(len(start))
        subject = visible(f"{kind}{row.subject}")
        shown = subject if room is None else clipped(subject, room)
        yield f"{styled_id(start[:SHORT_HASH])}{start[SHORT_HASH:]}{shown}"


def commit_text(commit: CommitDetail) -> Iterator[str]:
    """Write a commit as git does: its facts, its message and its files."""
    kind = "Commit" if commit.kind == "commit" else commit.kind.capitalize()
    yield f"{kind:<{_LABEL}}{styled_id(commit.hash)}"
    if commit.reverts is not None:
        yield f"{'Reverts':<{_LABEL}}{commit.reverts}"
    yield f"{'Date':<{_LABEL}}{local_time(commit.committed_at)}"
    if commit.author is not None:
        yield f"{'Author':<{_LABEL}}{visible(commit.author)}"
    yield f"{'Project':<{_LABEL}}{visible(commit.project)}"
    yield ""
    yield paragraph(commit.subject)
    if commit.body:
        yield ""
        yield paragraph(commit.body)
    if commit.files:
        yield ""
        yield counted(len(commit.files), "file")
    for path in commit.files:
        yield f"    {visible(path)}"


def reading_text(reading: CommitReading) -> str:
    """Say what was read of a project's commits, or that they aren't read."""
    name = visible(reading.project)
    if not reading.enabled:
        return f"The commits of {name} aren't read."
    if reading.reading or reading.read_at is None:
        count = counted(reading.commits, "commit")
        return f"The commits of {name} are read in the background: {count} so far"
    if reading.stopped and not reading.commits:
        return f"Nothing was read of {name}: {visible(reading.stopped)}"
    forgotten = f", {reading.forgotten:,} forgotten" if reading.forgotten else ""
    head = f" up to {reading.head[:SHORT_HASH]}" if reading.head else ""
    stopped = f"\nIncomplete: {visible(reading.stopped)}" if reading.stopped else ""
    what = f"{counted(reading.commits, 'commit')} with a body{forgotten}"
    return f"{what}, read {local_time(reading.read_at)}{head}{stopped}"
