"""The command `intaglio sessions`."""

from collections.abc import Mapping
from typing import Final

import click
from click.core import ParameterSource

from intaglio.base.errors import NotFoundError
from intaglio.base.installation import command
from intaglio.cli.connection import daemon_client, read_rows
from intaglio.cli.options import (
    agent_option,
    moment_option_value,
    project_of,
    project_options,
    refuse_empty_project,
)
from intaglio.cli.output import print_json
from intaglio.cli.sessions.output import session_lines, session_text
from intaglio.wire.sessions import SessionRow

_PAGE: Final = 200
_MOST: Final = 100_000


@click.command()
@click.argument("id_", metavar="[ID]", required=False)
@project_options("Only sessions of this project: a path or a name.")
@click.option("--harness", metavar="HARNESS", help="Only sessions of this harness.")
@agent_option("Only sessions of this agent id; without it, of all.")
@click.option(
    "--since",
    metavar="TIME",
    help="Only sessions active since a day or a time: 2026-01-31, 2026-01-31T14:00.",
)
@click.option(
    "--until", metavar="TIME", help="Only sessions whose last activity is before a day or a time."
)
@click.option("--search", metavar="WORDS", help="Only sessions about this, best match first.")
@click.option(
    "-n", "--limit", default=30, show_default=True, type=click.IntRange(1, _MOST), metavar="N"
)
@click.option("--left-out", is_flag=True, help="With ID, also show what wasn't told, and why.")
@click.option("--json", "as_json", is_flag=True, help="Print the sessions, or the one, as JSON.")
def sessions(  # noqa: PLR0913 - one for each option
    *,
    id_: str | None,
    project: str | None,
    here: bool,
    harness: str | None,
    agent: str | None,
    since: str | None,
    until: str | None,
    search: str | None,
    limit: int,
    left_out: bool,
    as_json: bool,
) -> None:
    """List sessions, the latest first; with ID, show what one was told and led to."""
    refuse_empty_project(project)
    wanted = {
        "project": project_of(project, here=here),
        "harness": harness,
        "agent": agent,
        "since": None if since is None else moment_option_value("--since", since),
        "until": None if until is None else moment_option_value("--until", until),
        "q": search,
    }
    filters = {name: value for name, value in wanted.items() if value is not None}
    if id_ is not None:
        _check_id(id_, filters)
        _show(id_, left_out=left_out, as_json=as_json)
        return
    if left_out:
        raise click.UsageError("--left-out needs the ID of a session.")
    with daemon_client() as client:

        def read_page(size: int, cursor: str | None) -> tuple[list[SessionRow], str | None]:
            page = client.sessions(size, cursor, filters)
            return page.sessions, page.cursor

        # A search has one page.
        rows, more = read_rows(read_page, min(limit, _PAGE) if search else limit, _PAGE)
    if as_json:
        print_json(rows)
        return
    if not rows:
        click.echo("No sessions found.")
    for line in session_lines(rows):
        click.echo(line)
    if more:
        click.echo(f"Showing the latest {len(rows)}. Use --limit to see more.", err=True)


def _check_id(id_: str, filters: Mapping[str, str]) -> None:
    """Raise a usage error for what is no ID, and for options of the list."""
    if filters:
        raise click.UsageError("Use ID or filters, not both.")
    limit = click.get_current_context().get_parameter_source("limit")
    if limit is ParameterSource.COMMANDLINE:
        raise click.UsageError("Use ID or --limit, not both.")
    if not (id_.isascii() and id_.isdecimal()):
        raise click.UsageError(
            f"{id_!r} isn't a session's ID, which is a number. `{command('sessions')}` lists them."
        )


def _show(id_: str, *, left_out: bool, as_json: bool) -> None:
    with daemon_client() as client:
        try:
            session = client.session(id_)
        except NotFoundError as error:
            hint = f"`{command('sessions')}` lists them."
            raise NotFoundError(error.detail, hint=hint) from error
    if as_json:
        print_json(session)
        return
    for line in session_text(session, left_out=left_out):
        click.echo(line)
