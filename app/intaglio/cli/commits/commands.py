"""The commands of `intaglio commits`."""

from typing import Final

import click

from intaglio.base.errors import ConflictError, NotFoundError
from intaglio.base.installation import command
from intaglio.cli.commits.output import commit_lines, commit_text, reading_text
from intaglio.cli.connection import daemon_client, read_rows
from intaglio.cli.options import (
    ListFirstGroup,
    project_of,
    project_options,
    refuse_empty_project,
)
from intaglio.cli.output import print_json
from intaglio.client.daemon_client import DaemonClient
from intaglio.domain.short_hash import SHORT_HASH
from intaglio.fence.characters import visible
from intaglio.wire.commits import CommitReading, CommitRow

_PAGE: Final = 200
_MOST: Final = 100_000
_MOST_NAMED: Final = 5
_JSON_HELP: Final = "Print the daemon's reply as JSON."
_OWN_PROJECT: Final = "The project: a path or a name; without it, that of this directory."
_ANY_PROJECT: Final = "Only commits of this project: a path or a name."


@click.group(cls=ListFirstGroup, context_settings={"help_option_names": ["-h", "--help"]})
def commits() -> None:
    """List the commits that were read of projects, and switch reading them on or off.

    `intaglio commits TEXT` is short for `intaglio commits list TEXT`. HASH may be its first digits,
    at least four.
    """


@commits.command("list")
@click.argument("text", default="")
@project_options(_ANY_PROJECT)
@click.option(
    "-n", "--limit", default=50, show_default=True, type=click.IntRange(1, _MOST), metavar="N"
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array of commits.")
def list_commits(*, text: str, project: str | None, here: bool, limit: int, as_json: bool) -> None:
    """List commits, newest first.

    With TEXT, list those that contain its words, best first, at most 200.
    """
    filters = _filters(text, project, here=here)
    with daemon_client() as client:

        def read_page(size: int, cursor: str | None) -> tuple[list[CommitRow], str | None]:
            page = client.commits(size, cursor, filters)
            return page.commits, page.cursor

        rows, more = read_rows(read_page, limit, _PAGE)
    if as_json:
        print_json(rows)
        return
    if not rows:
        click.echo("No commits found.")
    for line in commit_lines(rows):
        click.echo(line)
    if more:
        click.echo(f"Showing the latest {len(rows)}. Use --limit to see more.", err=True)


@commits.command()
@click.argument("hash_", metavar="HASH")
@project_options(_ANY_PROJECT)
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def show(*, hash_: str, project: str | None, here: bool, as_json: bool) -> None:
    """Show a commit: its message, and the files that it changed."""
    with daemon_client() as client:
        row = _find(client, hash_, project, here=here)
        found = client.commit(row.project, row.hash)
    if as_json:
        print_json(found)
        return
    for line in commit_text(found):
        click.echo(line)


@commits.command()
@click.argument("hash_", metavar="HASH")
@project_options(_ANY_PROJECT)
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def forget(*, hash_: str, project: str | None, here: bool, as_json: bool) -> None:
    """Forget a commit: it is deleted from Intaglio, and isn't read again."""
    with daemon_client() as client:
        row = _find(client, hash_, project, here=here)
        done = client.forget_commit(row.project, row.hash)
    if as_json:
        print_json(done)
        return
    click.echo(f"Forgot {row.hash[:SHORT_HASH]}: {visible(row.subject)}")
    click.echo(f"Undo with: {command(f'commits restore {row.hash} --project {row.project}')}")


@commits.command()
@click.argument("hash_", metavar="HASH")
@project_options(_OWN_PROJECT)
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def restore(*, hash_: str, project: str | None, here: bool, as_json: bool) -> None:
    """Read a forgotten commit again."""
    with daemon_client() as client:
        done = client.restore_commit(_own_project(project, here=here), hash_)
    if as_json:
        print_json(done)
    else:
        click.echo(f"Restored {done.hash[:SHORT_HASH]}")


@commits.command()
@project_options(_OWN_PROJECT)
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def read(*, project: str | None, here: bool, as_json: bool) -> None:
    """Read the commits that are new since a project's commits were read last."""
    with daemon_client() as client:
        done = client.read_commits(_own_project(project, here=here))
    _report(done, as_json=as_json)


@commits.command()
@project_options(_OWN_PROJECT)
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def on(*, project: str | None, here: bool, as_json: bool) -> None:
    """Read the commits of a project, whatever `commits.enabled` says."""
    _switch(project, here=here, enabled=True, as_json=as_json)


@commits.command()
@project_options(_OWN_PROJECT)
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def off(*, project: str | None, here: bool, as_json: bool) -> None:
    """Don't read the commits of a project, and delete those that were read."""
    _switch(project, here=here, enabled=False, as_json=as_json)


def _switch(project: str | None, *, here: bool, enabled: bool, as_json: bool) -> None:
    with daemon_client() as client:
        done = client.switch_commits(_own_project(project, here=here), enabled=enabled)
    _report(done, as_json=as_json)


def _report(reading: CommitReading, *, as_json: bool) -> None:
    if as_json:
        print_json(reading)
    else:
        click.echo(reading_text(reading))


def _find(client: DaemonClient, hash_: str, project: str | None, *, here: bool) -> CommitRow:
    """Return the one commit whose hash begins so; a word that stands in a message isn't a hash."""
    rows = client.commits(_MOST_NAMED, None, _filters(hash_, project, here=here)).commits
    found = [row for row in rows if row.hash.startswith(hash_.strip().lower())]
    match found:
        case [row]:
            return row
        case []:
            hint = f"`{command('commits')}` lists those that were read."
            raise NotFoundError(f"there is no commit {visible(hash_)}", hint=hint)
        case several:
            named = ", ".join(f"{row.hash} in {visible(row.project)}" for row in several)
            hint = "Use more digits, or name the project with --project."
            raise ConflictError(
                f"more than one commit begins with {visible(hash_)}: {named}", hint=hint
            )


def _filters(text: str, project: str | None, *, here: bool) -> dict[str, str]:
    refuse_empty_project(project)
    given = {"q": text.strip(), "project": project_of(project, here=here)}
    return {name: value for name, value in given.items() if value}


def _own_project(project: str | None, *, here: bool) -> str:
    refuse_empty_project(project)
    return project_of(project, here=here or project is None) or ""
