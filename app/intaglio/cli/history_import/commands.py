"""The command `intaglio import`."""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from intaglio.base.clock import system_clock
from intaglio.base.errors import InvalidInputError, NotFoundError
from intaglio.base.installation import command
from intaglio.cli.connection import daemon_client
from intaglio.cli.history_import.output import (
    duration,
    import_lines,
    preview_lines,
    progress_text,
    report_lines,
    source_lines,
)
from intaglio.cli.history_import.progress import ProgressLine
from intaglio.cli.history_import.uploading import upload_export
from intaglio.cli.options import project_of, project_options, refuse_empty_project
from intaglio.cli.output import counted, print_json
from intaglio.client.daemon_client import DaemonClient
from intaglio.wire.history_import import (
    ImportRequest,
    ImportRun,
    ImportSource,
    ImportSources,
    KeepMode,
)

_LOOK_S: Final = 0.5
_OVER: Final = frozenset({"done", "cancelled", "failed"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choices:
    """What the options say of an import that is to be started."""

    keep: KeepMode
    project: str | None
    yes: bool
    as_json: bool


@click.command(name="import")
@click.argument(
    "files",
    metavar="[FILE...]",
    nargs=-1,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@click.option(
    "--source",
    "names",
    metavar="SOURCE",
    multiple=True,
    help="Only sessions of this source, as --list names it; may be repeated.",
)
@click.option("--sure", is_flag=True, help="Keep only what is sure; nothing goes to the inbox.")
@project_options("Where sessions without a directory belong: a path or a name.")
@click.option("-y", "--yes", is_flag=True, help="Don't show what would be kept, and don't ask.")
@click.option("--list", "is_list", is_flag=True, help="List what can be imported, and the imports.")
@click.option("--cancel", is_flag=True, help="Cancel the import that is running.")
@click.option("--json", "as_json", is_flag=True, help="Print the import, or the list, as JSON.")
def import_history(  # noqa: PLR0913 - one for each option
    *,
    files: tuple[Path, ...],
    names: tuple[str, ...],
    sure: bool,
    project: str | None,
    here: bool,
    yes: bool,
    is_list: bool,
    cancel: bool,
    as_json: bool,
) -> None:
    """Import sessions that you had before, or exports of ChatGPT and Claude.

    Without FILE, sessions that your agents have kept on this machine. First it shows what there is
    and some of what would be kept, and asks. FILE is the zip file of an export. Ctrl-C leaves the
    import running; the same command shows it again.
    """
    refuse_empty_project(project)
    if (is_list or cancel) and (files or names or sure or yes or (is_list and cancel)):
        raise click.UsageError(f"Use {'--list' if is_list else '--cancel'} by itself.")
    if files and names:
        raise click.UsageError("Use --source or files, not both.")
    with daemon_client() as client:
        if is_list:
            _list(client, as_json=as_json)
        elif cancel:
            _cancel(client, as_json=as_json)
        else:
            keep: KeepMode = "sure" if sure else "review"
            chosen = project_of(project, here=here)
            choices = _Choices(keep=keep, project=chosen, yes=yes, as_json=as_json)
            _import(client, files, names, choices)


def _list(client: DaemonClient, *, as_json: bool) -> None:
    found, runs = client.import_sources(), client.imports().imports
    if as_json:
        print_json({"sources": found.sources, "imports": runs, "running": found.running})
        return
    lines = [*source_lines(found.sources, system_clock())]
    for line in lines or ["There are no sessions to import."]:
        click.echo(line)
    if runs:
        click.echo()
    for line in import_lines(runs):
        click.echo(line)


def _cancel(client: DaemonClient, *, as_json: bool) -> None:
    running = _running(client)
    if running is None:
        raise NotFoundError("No import is running.")
    client.cancel_import(running)
    follow_import(client, running, as_json=as_json)


def _running(client: DaemonClient) -> str | None:
    """Return the id of the import that isn't over, without looking for sessions."""
    return next((run.id for run in client.imports().imports if run.state not in _OVER), None)


def _import(
    client: DaemonClient, files: Sequence[Path], names: Sequence[str], choices: _Choices
) -> None:
    running = _running(client)
    if running is not None:
        if files or names:
            raise InvalidInputError(
                "An import is running.",
                hint=f"Run `{command('import')}` to see it, or `{command('import --cancel')}`.",
            )
        follow_import(client, running, as_json=choices.as_json)
        return
    line = ProgressLine(sys.stderr, quiet=choices.as_json)
    uploads: list[ImportSource] = []
    run: ImportRun | None = None
    try:
        for file in files:
            uploads.append(upload_export(client, file, line))  # noqa: PERF401 - all are deleted if one fails
        run = _start(client, uploads or _chosen(client.import_sources(), names), choices, line)
    finally:
        # Once an import reads them, they are deleted at its end.
        if run is None:
            _delete(client, uploads)
    if run is not None:
        follow_import(client, run.id, as_json=choices.as_json)


def _delete(client: DaemonClient, uploads: Sequence[ImportSource]) -> None:
    for source in uploads:
        client.delete_upload(source.id.removeprefix("upload-"))


def _chosen(found: ImportSources, names: Sequence[str]) -> list[ImportSource]:
    """Return the sources with these ids or labels; all of them without any."""
    chosen: list[ImportSource] = []
    for name in names:
        fitting = [each for each in found.sources if name.casefold() in _names(each)]
        if not fitting:
            known = ", ".join(each.id for each in found.sources) or "none"
            raise NotFoundError(f"There is no source {name!r}.", hint=f"Sources: {known}.")
        chosen += fitting
    return chosen if names else list(found.sources)


def _names(source: ImportSource) -> set[str]:
    return {source.id.casefold(), source.label.casefold()}


def _start(
    client: DaemonClient, sources: Sequence[ImportSource], choices: _Choices, line: ProgressLine
) -> ImportRun | None:
    """Start an import from sources; None if there is nothing to import."""
    sessions = sum(source.sessions for source in sources)
    if not choices.as_json:
        for text in source_lines(sources, system_clock()):
            click.echo(text)
    if sessions == 0:
        if choices.as_json:
            print_json(None)
        else:
            click.echo("There is nothing to import.")
        return None
    ids = [source.id for source in sources]
    if not choices.yes:
        _confirm(client, ids, sessions, choices, line)
    request = ImportRequest(sources=ids, keep=choices.keep, project=choices.project)
    return client.start_import(request)


def _confirm(
    client: DaemonClient,
    ids: Sequence[str],
    sessions: int,
    choices: _Choices,
    line: ProgressLine,
) -> None:
    """Show what would be kept and ask; where nobody can answer, say how to go on."""
    line.show("Looking at the newest sessions")
    preview = client.preview_import(ids, choices.project)
    line.clear()
    if not choices.as_json:
        click.echo()
        for text in preview_lines(preview, choices.keep):
            click.echo(text)
    if not sys.stdin.isatty():
        raise InvalidInputError("Nothing is imported yet.", hint="Add --yes to start the import.")
    click.echo(err=True)
    takes = duration(preview.estimated_s)
    click.confirm(f"Import {counted(sessions, 'session')}? It takes {takes}.", abort=True, err=True)


def follow_import(client: DaemonClient, import_id: str, *, as_json: bool) -> None:
    """Show the progress of an import until it is over, and what it has done."""
    line = ProgressLine(sys.stderr, quiet=as_json)
    try:
        run = client.import_run(import_id)
        while run.state not in _OVER:
            line.show(progress_text(run))
            time.sleep(_LOOK_S)
            run = client.import_run(import_id)
    except KeyboardInterrupt:
        line.clear()
        click.echo("The import goes on in the background.", err=True)
        click.echo(
            f"See it with `{command('import')}`, cancel it with `{command('import --cancel')}`.",
            err=True,
        )
        return
    line.clear()
    _report(run, as_json=as_json)


def _report(run: ImportRun, *, as_json: bool) -> None:
    if as_json:
        print_json(run)
    else:
        for text in report_lines(run):
            click.echo(text)
    if run.state == "failed":
        sys.exit(1)
