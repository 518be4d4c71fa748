"""The commands of `intaglio map`."""

import sys
import time
from collections.abc import Callable
from typing import Any, Final, Literal, TypeVar

import click

from intaglio.cli.connection import daemon_client
from intaglio.cli.history_import.progress import ProgressLine
from intaglio.cli.map.output import run_text, state_lines
from intaglio.cli.options import (
    StatusFirstGroup,
    agent_option,
    project_of,
    project_options,
    refuse_empty_project,
)
from intaglio.cli.output import print_json
from intaglio.client.daemon_client import DaemonClient
from intaglio.wire.projection import MapRunRequest, ProjectionState

F = TypeVar("F", bound=Callable[..., Any])

_JSON: Final = click.option(
    "--json", "as_json", is_flag=True, help="Print the daemon's reply as JSON."
)
_POLL_S: Final = 0.5


def _scope_options(function: F) -> F:
    project = project_options("The map of a project: a path or a name.")
    return project(agent_option("The map of an agent's memories.")(function))


@click.group("map", cls=StatusFirstGroup, context_settings={"help_option_names": ["-h", "--help"]})
def map_group() -> None:
    """Show or compute the map of memories, the constellation.

    Without a command: the state of the map of all memories, or of a project's or an agent's.
    """


@map_group.command()
@_scope_options
@_JSON
def status(*, project: str | None, here: bool, agent: str | None, as_json: bool) -> None:
    """Show when a map was computed, what was placed since, and what is running."""
    with daemon_client() as client:
        _show(client.map_state(_scope(project, agent, here=here)), as_json=as_json)


@map_group.command()
@_scope_options
@click.option("--3d", "solid", is_flag=True, help="Compute it in three dimensions, too.")
@click.option("--wait", is_flag=True, help="Wait until it is computed.")
@_JSON
def run(
    *, project: str | None, here: bool, agent: str | None, solid: bool, wait: bool, as_json: bool
) -> None:
    """Compute a map anew, in the background.

    Intaglio does that by itself when you open the constellation and a tenth of it has changed.
    With --wait, exit code 1: it failed.
    """
    scope = _scope(project, agent, here=here)
    dimensions: list[Literal[2, 3]] = [2, 3] if solid else [2]
    with daemon_client() as client:
        state = client.run_map(
            MapRunRequest(
                project=scope.get("project"), agent=scope.get("agent"), dimensions=dimensions
            )
        )
        if wait:
            state = _wait(client, scope)
    _show(state, as_json=as_json)
    if wait and state.failure is not None:
        sys.exit(1)


@map_group.command()
@_scope_options
@_JSON
def cancel(*, project: str | None, here: bool, agent: str | None, as_json: bool) -> None:
    """Stop computing a map; the one that was there stays."""
    with daemon_client() as client:
        _show(client.cancel_map(_scope(project, agent, here=here)), as_json=as_json)


def _scope(project: str | None, agent: str | None, *, here: bool) -> dict[str, str]:
    refuse_empty_project(project)
    wanted = project_of(project, here=here)
    if wanted is not None and agent is not None:
        raise click.UsageError("Use a project or --agent, not both.")
    named = {"project": wanted, "agent": agent}
    return {name: value for name, value in named.items() if value is not None}


def _wait(client: DaemonClient, scope: dict[str, str]) -> ProjectionState:
    line = ProgressLine(sys.stderr)
    try:
        while (state := client.map_state(scope)).run is not None:
            line.show(run_text(state.run))
            time.sleep(_POLL_S)
    finally:
        line.clear()
    return state


def _show(state: ProjectionState, *, as_json: bool) -> None:
    if as_json:
        print_json(state)
        return
    for line in state_lines(state):
        click.echo(line)
