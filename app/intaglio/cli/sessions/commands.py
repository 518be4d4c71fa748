"""The command `intaglio sessions`."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Final

import click
from click.core import ParameterSource

from intaglio.base.errors import NotFoundError
from intaglio.base.installation import command
from intaglio.cli.connection import daemon_client, read_rows
from intaglio.cli.first_steps import say_how_to_begin
from intaglio.cli.options import (
    agent_option,
    moment_option_value,
    project_of,
    project_options,
    refuse_empty_project,
)
from intaglio.cli.output import print_json
from intaglio.cli.sessions.output import checkpoint_lines, session_lines, session_text
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
@click.option("--checkpoints", is_flag=True, help="With ID, show where the session stood at times.")
@click.option(
    "--off/--on",
    "is_off",
    default=None,
    help="With ID, switch the session off, so that nothing is told or kept in it, or on again.",
)
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
    checkpoints: bool,
    is_off: bool | None,
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
        if is_off is not None:
            _switch(id_, is_off=is_off, as_json=as_json)
        elif checkpoints:
            _show_checkpoints(id_, as_json=as_json)
        else:
            _show(id_, left_out=left_out, as_json=as_json)
        return
    _check_list(left_out=left_out, checkpoints=checkpoints, is_off=is_off)
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
        if not filters:
            say_how_to_begin()
    for line in session_lines(rows):
        click.echo(line)
    if more:
        click.echo(f"Showing the latest {len(rows)}. Use --limit to see more.", err=True)


def _check_list(*, left_out: bool, checkpoints: bool, is_off: bool | None) -> None:
    """Raise a usage error for options of one session, for which an ID is needed."""
    switch = "--off" if is_off else "--on"
    options = {"--left-out": left_out, "--checkpoints": checkpoints, switch: is_off is not None}
    for option, is_given in options.items():
        if is_given:
            raise click.UsageError(f"{option} needs the ID of a session.")


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


def _switch(id_: str, *, is_off: bool, as_json: bool) -> None:
    with daemon_client() as client, _hinting():
        found = client.bypass_session(id_, enabled=is_off)
    if as_json:
        print_json(found)
    elif found.bypassed:
        click.echo(f"Switched off: nothing is told or kept in session {id_}.")
    else:
        click.echo(f"Switched on: session {id_} is told and captured again.")


def _show_checkpoints(id_: str, *, as_json: bool) -> None:
    with daemon_client() as client, _hinting():
        found = client.checkpoints(client.session(id_)).checkpoints
    if as_json:
        print_json(found)
        return
    if not found:
        click.echo("No checkpoints found.")
    for line in checkpoint_lines(found):
        click.echo(line)


@contextmanager
def _hinting() -> Generator[None]:
    """Say where the ids of sessions are, if there is none with this one."""
    try:
        yield
    except NotFoundError as error:
        hint = f"`{command('sessions')}` lists them."
        raise NotFoundError(error.detail, hint=hint) from error


def _show(id_: str, *, left_out: bool, as_json: bool) -> None:
    with daemon_client() as client, _hinting():
        session = client.session(id_)
    if as_json:
        print_json(session)
        return
    for line in session_text(session, left_out=left_out):
        click.echo(line)
