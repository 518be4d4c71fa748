"""How projects and their changes are shown in a terminal."""

from collections.abc import Iterator, Sequence
from typing import Final

from intaglio.cli.output import cell, column, counted, local_date, styled_id
from intaglio.fence.characters import visible
from intaglio.wire.projects import ProjectChangeReply, ProjectChangeRow, ProjectRow

_GAP: Final = "  "
_DONE: Final = {
    "move": "Moved",
    "merge": "Merged",
    "rename": "Renamed",
    "archive": "Archived",
    "unarchive": "No longer archived",
    "keep_apart": "Kept apart",
}
_BEFORE_TARGET: Final = {"merge": "into", "keep_apart": "and"}


def project_lines(rows: Sequence[ProjectRow]) -> Iterator[str]:
    """Write a line for each project, and its directory below."""
    width = column([visible(row.name) for row in rows])
    for row in rows:
        facts = [counted(row.memories, "memory", "memories"), counted(row.sessions, "session")]
        if row.open:
            facts.append(f"{row.open:,} in the inbox")
        if row.last_active:
            facts.append(f"active {local_date(row.last_active)}")
        yield f"{cell(row.name, width)}{_GAP}{', '.join(facts)}"
        if row.is_directory:
            gone = "" if row.exists else "  (not found)"
            yield f"    {visible(row.key)}{gone}"


def preview_text(preview: ProjectChangeReply) -> str:
    """Say what a move or a merge takes along."""
    has = preview.contents
    parts = [
        counted(has.memories, "memory", "memories"),
        counted(has.sessions, "session"),
        counted(has.open, "open inbox item"),
        counted(has.entities, "entity", "entities"),
    ]
    if has.forgotten:
        parts.insert(1, counted(has.forgotten, "forgotten memory", "forgotten memories"))
    twins = ""
    if has.twins:
        twins = (
            f" {counted(has.twins, 'memory', 'memories')} that it has already "
            f"{'is' if has.twins == 1 else 'are'} forgotten."
        )
    verb, to = ("Move", "to") if preview.kind == "move" else ("Merge", "into")
    still = "\nThe old directory is still there." if preview.exists else ""
    return (
        f"{verb} {visible(preview.project)} {to} {visible(preview.target or '')}: "
        f"{', '.join(parts)}.{twins}{still}"
    )


def transfer_text(kind: str, what: str, target: str) -> str:
    """Say what was moved or merged, and where it is now."""
    return f"{_DONE[kind]} {what} {_BEFORE_TARGET.get(kind, 'to')} {visible(target)}"


def change_line(change: ProjectChangeRow) -> str:
    """Write a recorded change with the id that undoes it."""
    what = f"{_DONE[change.kind]} {visible(change.project)}"
    if change.target is not None:
        what += f" {_BEFORE_TARGET.get(change.kind, 'to')} {visible(change.target)}"
    if change.kind == "rename":
        what += f" to {visible(change.name)!r}" if change.name else " to the directory's name"
    if change.kind in {"move", "merge"}:
        what += f" ({counted(change.memories, 'memory', 'memories')})"
    notes = [*(["detected"] if change.detected else []), *(["undone"] if change.undone_at else [])]
    suffix = f" ({', '.join(notes)})" if notes else ""
    return f"{styled_id(change.id)}{_GAP}{local_date(change.created_at)}{_GAP}{what}{suffix}"
