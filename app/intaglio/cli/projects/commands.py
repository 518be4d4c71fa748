"""The commands of `intaglio projects`."""

import sys
from pathlib import Path
from typing import Final, Literal

import click
import msgspec

from intaglio.base.installation import command
from intaglio.cli.connection import daemon_client, read_rows
from intaglio.cli.options import ListFirstGroup
from intaglio.cli.output import counted, print_json, project_names
from intaglio.cli.projects.arguments import project_argument
from intaglio.cli.projects.output import (
    change_line,
    preview_text,
    project_lines,
    transfer_text,
)
from intaglio.cli.projects.project_settings import project_settings
from intaglio.fence.characters import visible
from intaglio.wire.projects import ProjectChangeReply, ProjectChangeRequest, ProjectRow

_PAGE: Final = 200
_MOST: Final = 10_000
_CHANGES: Final = 20
_JSON_HELP: Final = "Print the daemon's reply as JSON."


@click.group(cls=ListFirstGroup, context_settings={"help_option_names": ["-h", "--help"]})
def projects() -> None:
    """List and change whole projects: move, merge, rename, archive, settings.

    `intaglio projects TEXT` is short for `intaglio projects list TEXT`. PROJECT is a path or a
    name; its directory may be gone.
    """


projects.add_command(project_settings)


@projects.command("list")
@click.argument("text", default="")
@click.option("--archived", is_flag=True, help="List the archived projects.")
@click.option(
    "-n", "--limit", default=50, show_default=True, type=click.IntRange(1, _MOST), metavar="N"
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array of projects.")
def list_projects(*, text: str, archived: bool, limit: int, as_json: bool) -> None:
    """List projects that have TEXT in their name or path, the latest active first."""
    filters = {"q": text, "archived": "true" if archived else ""}
    given = {name: value for name, value in filters.items() if value}
    with daemon_client() as client:

        def read_page(size: int, cursor: str | None) -> tuple[list[ProjectRow], str | None]:
            page = client.projects(size, cursor, given)
            return page.projects, page.cursor

        rows, more = read_rows(read_page, limit, _PAGE)
    if as_json:
        print_json(rows)
        return
    if not rows:
        click.echo("No projects found.")
    for line in project_lines(rows):
        click.echo(line)
    if more:
        click.echo(f"Showing the latest {len(rows)}. Use --limit to see more.", err=True)


@projects.command()
@click.argument("old")
@click.argument("new")
@click.option("-y", "--yes", is_flag=True, help="Don't ask for confirmation.")
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def move(*, old: str, new: str, yes: bool, as_json: bool) -> None:
    """Tell Intaglio that project OLD is now in the directory NEW.

    Its memories, sessions, inbox items and entities come along. No files are moved.
    """
    _transfer("move", old, new, yes=yes, as_json=as_json)


@projects.command()
@click.argument("project")
@click.argument("into")
@click.option("-y", "--yes", is_flag=True, help="Don't ask for confirmation.")
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def merge(*, project: str, into: str, yes: bool, as_json: bool) -> None:
    """Merge PROJECT into the project INTO, if both are the same."""
    _transfer("merge", project, into, yes=yes, as_json=as_json)


def _transfer(
    kind: Literal["move", "merge"], project: str, target: str, *, yes: bool, as_json: bool
) -> None:
    request = ProjectChangeRequest(
        kind=kind,
        project=project_argument(project),
        target=project_argument(target),
        preview=True,
        changed_by="cli",
    )
    with daemon_client() as client:
        preview = client.change_project(request)
        if not yes and sys.stdin.isatty():
            click.echo(preview_text(preview), err=as_json)
            click.confirm("Continue?", abort=True, err=as_json)
        done = client.change_project(msgspec.structs.replace(request, preview=False))
    count = counted(done.contents.memories, "memory", "memories")
    _report(done, transfer_text(kind, count, done.target or ""), as_json=as_json)
    if kind == "move" and not Path(done.target or "").is_dir():
        click.echo(f"There is no directory {visible(done.target or '')} yet.", err=True)


@projects.command()
@click.argument("project")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def rename(*, project: str, name: str | None, as_json: bool) -> None:
    """Show PROJECT as NAME, or without NAME as its directory is called. No directory is renamed."""
    if name is not None and not name.strip():
        raise click.UsageError("NAME can't be empty. Omit it to show the directory's name.")
    with daemon_client() as client:
        request = ProjectChangeRequest(
            kind="rename", project=project_argument(project), name=name, changed_by="cli"
        )
        done = client.change_project(request)
    shown = visible(done.name or project_names([done.project])[done.project])
    _report(done, f"{visible(done.project)} is now shown as {shown}", as_json=as_json)


@projects.command()
@click.argument("project")
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def archive(*, project: str, as_json: bool) -> None:
    """Hide PROJECT and its memories from lists and searches. Nothing is deleted.

    The next session that starts in it brings it back.
    """
    _set_archived("archive", project, as_json=as_json)


@projects.command()
@click.argument("project")
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def unarchive(*, project: str, as_json: bool) -> None:
    """List an archived project again."""
    _set_archived("unarchive", project, as_json=as_json)


def _set_archived(kind: Literal["archive", "unarchive"], project: str, *, as_json: bool) -> None:
    with daemon_client() as client:
        done = client.change_project(
            ProjectChangeRequest(kind=kind, project=project_argument(project), changed_by="cli")
        )
    word = "Archived" if kind == "archive" else "No longer archived:"
    _report(done, f"{word} {visible(done.project)}", as_json=as_json)


@projects.command()
@click.option(
    "-n", "--limit", default=_CHANGES, show_default=True, type=click.IntRange(1, 500), metavar="N"
)
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def changes(*, limit: int, as_json: bool) -> None:
    """List the latest changes of whole projects, with the ids that undo them."""
    with daemon_client() as client:
        found = client.project_changes(limit).changes
    if as_json:
        print_json(found)
        return
    if not found:
        click.echo("No changes yet.")
    for change in found:
        click.echo(change_line(change))


@projects.command()
@click.argument("change", metavar="[CHANGE_ID]", required=False)
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def undo(*, change: str | None, as_json: bool) -> None:
    """Undo a change of a whole project; without CHANGE_ID, the latest one.

    The beginning or the end of the id is enough. What was moved goes back. What has been added
    since stays where it is.
    """
    with daemon_client() as client:
        undone = client.undo_project_change(change.strip() if change else None, "cli")
    if as_json:
        print_json(undone)
        return
    click.echo(f"Undone: {change_line(undone)}")


def _report(done: ProjectChangeReply, text: str, *, as_json: bool) -> None:
    if as_json:
        print_json(done)
    elif done.id is None:
        click.echo(f"Nothing to change: {visible(done.project)}")
    else:
        click.echo(text)
        click.echo(f"Undo with: {command(f'projects undo {done.id}')}")
