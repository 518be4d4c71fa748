"""How sources, previews and imports are written in a terminal."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from intaglio.base.clock import iso
from intaglio.base.installation import command
from intaglio.cli.output import (
    INDENT,
    cell,
    clipped,
    column,
    counted,
    joined,
    line_width,
    local_date,
    local_time,
    project_names,
)
from intaglio.domain.memory_types import shown_type
from intaglio.fence.characters import visible
from intaglio.wire.history_import import (
    ImportPreview,
    ImportRun,
    ImportSample,
    ImportSource,
    ImportState,
    KeepMode,
)

_STATES: Final[dict[ImportState, str]] = {
    "waiting": "Waiting",
    "running": "Running",
    "cancelling": "Cancelling",
    "cancelled": "Cancelled",
    "done": "Done",
    "failed": "Failed",
}
_SHOWN_PROBLEMS: Final = 10
_MINUTE_S: Final = 60
_HOUR_S: Final = 3_600


def duration(seconds: float) -> str:
    """Write about how long something takes."""
    if seconds < _MINUTE_S:
        return "less than a minute"
    if seconds < _HOUR_S:
        return f"about {counted(round(seconds / _MINUTE_S), 'minute')}"
    return f"about {counted(round(seconds / _HOUR_S), 'hour')}"


def source_lines(sources: Sequence[ImportSource], now: datetime) -> Iterator[str]:
    """Write what there is to import: a source a line, and below it what to know of it."""
    width = column([source.label for source in sources])
    for source in sources:
        yield f"{cell(source.label, width)}  {_source_text(source)}"
        if source.expiring and source.expires_at is not None:
            yield f"{INDENT}{_expiry_text(source, source.expires_at, now)}"
        if source.problem:
            yield f"{INDENT}Can't be read: {visible(source.problem)}"


def _expiry_text(source: ImportSource, first: str, now: datetime) -> str:
    sessions = f"{counted(source.expiring, 'session')} within 7 days"
    # A harness deletes when it starts, so that those that are due are still there.
    is_due = first <= iso(now)
    when = "some as soon as it starts" if is_due else f"the first on {local_date(first)}"
    return f"{visible(source.label)} will delete {sessions}, {when}."


def _source_text(source: ImportSource) -> str:
    parts = [counted(source.sessions, "session")]
    if source.since and source.until:
        first, last = local_date(source.since), local_date(source.until)
        parts.append(first if first == last else f"{first} to {last}")
    projects = sum(each.key is not None for each in source.projects)
    if projects:
        parts.append(counted(projects, "project"))
    if source.sessions:
        parts.append(f"{source.bytes / 1e6:,.1f} MB")
    if source.imported:
        parts.append(f"{source.imported:,} already imported")
    return ", ".join([*parts, visible(source.place)])


def preview_lines(preview: ImportPreview, keep: KeepMode) -> Iterator[str]:
    """Write what an import would keep, and some of it."""
    kept = f"{_about(preview.kept, 'memory', 'memories').capitalize()} would be kept"
    inbox = f"{_about(preview.suggested, 'suggestion')} would wait in the inbox"
    said = kept if keep == "sure" else f"{kept}, and {inbox}"
    yield f"{said} (estimated from {preview.sampled:,} of {counted(preview.sessions, 'session')})."
    shown = [line for line in preview.samples if keep == "review" or line.outcome == "kept"]
    names = project_names(line.project for line in shown)
    for line in shown:
        yield _sample_line(line, names[line.project] if line.project else "no project")


def _about(count: int, one: str, many: str = "") -> str:
    # An estimate of none doesn't say that there is none.
    return f"about {counted(count, one, many)}" if count else f"hardly any {many or one + 's'}"


def _sample_line(line: ImportSample, project: str) -> str:
    outcome = "kept" if line.outcome == "kept" else "inbox"
    day = f"{local_date(line.said_at)}, " if line.said_at else ""
    before = f"{INDENT}{outcome:<5}  {shown_type(line.type).lower():<10}  "
    after = f"  ({day}{project})"
    width = line_width(len(before) + len(after))
    content = clipped(line.content, width or len(line.content) + 1)
    return f"{before}{content}{after}"


def progress_text(run: ImportRun) -> str:
    """Write how far an import is."""
    if run.state == "waiting":
        return "Waiting for the import to begin"
    parts = [
        f"Importing: {run.done:,} of {counted(run.sessions, 'session')}",
        f"{counted(run.kept, 'memory', 'memories')} kept",
    ]
    if run.keep == "review":
        parts.append(counted(run.suggested, "suggestion"))
    if run.remaining_s is not None:
        parts.append(f"{duration(run.remaining_s)} left")
    return ", ".join(parts)


def _imported(run: ImportRun) -> int:
    return run.done - run.skipped - run.failed


def _problems_text(failed: int, *, in_part: bool) -> str:
    if not failed:
        return "Not all could be read:"
    others = ", others only in part" if in_part else ""
    return f"{counted(failed, 'session')} couldn't be read{others}:"


def report_lines(run: ImportRun) -> Iterator[str]:
    """Write what an import that is over has done."""
    if run.state == "failed":
        yield f"The import failed: {visible(run.reason)}"
    verb = "Imported" if run.state != "cancelled" else "The import was cancelled. It imported"
    kept = counted(run.kept, "memory", "memories")
    inbox = f", {counted(run.suggested, 'suggestion')} in the inbox" if run.keep == "review" else ""
    known = f", {run.known:,} known already" if run.known else ""
    yield f"{verb} {counted(_imported(run), 'session')}: {kept} kept{inbox}{known}."
    if run.skipped:
        were = "was" if run.skipped == 1 else "were"
        yield f"{counted(run.skipped, 'session')} {were} imported before, or taken back."
    if run.problems:
        yield _problems_text(run.failed, in_part=len(run.problems) > run.failed)
        for problem in run.problems[:_SHOWN_PROBLEMS]:
            yield f"{INDENT}{visible(problem.place)}: {visible(problem.reason)}"
        if len(run.problems) > _SHOWN_PROBLEMS:
            yield f"{INDENT}and {len(run.problems) - _SHOWN_PROBLEMS:,} more"
    if run.suggested and run.keep == "review":
        yield f"Decide on the suggestions with: {command('inbox')}"
    if run.kept or run.suggested:
        yield f"Take all of it back with: {command('take-back import')} {run.id}"


def _source_name(source_id: str) -> str:
    # The upload is gone by then, and with it its name.
    return "an export" if source_id.startswith("upload-") else visible(source_id)


def import_lines(runs: Sequence[ImportRun]) -> Iterator[str]:
    """List imports: when, what became of it, and what came of it."""
    for run in runs:
        state = "Taken back" if run.removed else _STATES[run.state]
        kept = counted(run.kept, "memory", "memories")
        sessions = f"{_imported(run):,} of {counted(run.sessions, 'session')}"
        sources = joined([_source_name(each) for each in run.sources] or ["all sources"])
        when = local_time(run.created)
        yield f"{when}  {state:<10}  {sessions}, {kept} kept  ({sources})  {run.id}"
