"""`intaglio connect` and `intaglio disconnect`; both work while the daemon isn't running."""

import os
import shlex
import sys
from pathlib import Path

import click

from intaglio.base.errors import ConflictError
from intaglio.base.installation import (
    NOT_YET,
    load_installation,
    read_installation,
)
from intaglio.base.paths import Paths
from intaglio.cli.connection import daemon_client, paths
from intaglio.cli.connection_list import connection_lines
from intaglio.connect.plans import apply
from intaglio.connect.values import (
    ConnectionPlan,
    ConnectionRefused,
)
from intaglio.harness.registry import connection_targets, connector_names

_AGENTS = click.Choice(connector_names())


@click.command()
@click.argument("agent", type=_AGENTS, required=False, metavar="[AGENT]")
@click.option("-y", "--yes", is_flag=True, help="Don't ask for confirmation.")
@click.option("--print", "only_print", is_flag=True, help="Show the changes without making them.")
@click.option(
    "--mcp/--no-mcp",
    "tools",
    default=None,
    help="Register Intaglio's tools with the agent, or don't. The default is the last choice, or "
    "to register them.",
)
@click.option(
    "--test",
    is_flag=True,
    help="Run the agent's hook as its settings have it, and say whether it reaches Intaglio. "
    "Changes and stores nothing. Exit code 1: it doesn't.",
)
def connect(
    *, agent: str | None, yes: bool, only_print: bool, tools: bool | None, test: bool
) -> None:
    """Connect an agent: add Intaglio's hooks to its settings, and register its tools.

    The tools let the agent search and save memories by itself (MCP). The changes are shown before
    they are made. Without AGENT, connect the only agent that is found on this machine; otherwise
    list the agents that can be connected: whether they are, their versions, and what keeps their
    hooks from running.
    """
    if test:
        if agent is None:
            raise click.UsageError("Name the agent to test.")
        _test(agent)
        return
    ours = paths()
    agent = agent or _only_agent(ours)
    if agent is None:
        for line in connection_lines(ours):
            click.echo(line)
        return
    target = connection_targets(ours)[agent]
    install = read_installation(ours) if only_print else load_installation(ours, os.urandom)
    plan = target.plan_connect(install or NOT_YET, tools=tools)
    _carry_out(target.connector.label, plan, "connected", yes=yes, only_print=only_print)


def _only_agent(ours: Paths) -> str | None:
    """Return the only agent on this machine; None if it is connected, or there is another one."""
    install = read_installation(ours) or NOT_YET
    found = {
        name: target for name, target in connection_targets(ours).items() if target.is_installed
    }
    if len(found) != 1:
        return None
    [(name, target)] = found.items()
    missing = target.state(install) in {"not", "partly"} or target.tools_state(install) in {
        "missing",
        "outdated",
    }
    return name if missing else None


def _test(agent: str) -> None:
    with daemon_client() as client:
        found = client.test_harness(agent)
    click.echo(found.text)
    for line in found.lines:
        click.echo(f"  {line}")
    if found.hint:
        click.echo(found.hint)
    if found.outcome not in {"works", "untestable"}:
        sys.exit(1)


@click.command()
@click.argument("agent", type=_AGENTS, metavar="AGENT")
@click.option("-y", "--yes", is_flag=True, help="Don't ask for confirmation.")
@click.option("--print", "only_print", is_flag=True, help="Show the changes without making them.")
def disconnect(*, agent: str, yes: bool, only_print: bool) -> None:
    """Disconnect an agent.

    Removes Intaglio's hooks and tools from the agent's settings and leaves everything else as it
    is.
    """
    target = connection_targets(paths())[agent]
    plan = target.plan_disconnect()
    _carry_out(target.connector.label, plan, "disconnected", yes=yes, only_print=only_print)


def _carry_out(
    label: str,
    plan: ConnectionPlan | ConnectionRefused,
    outcome: str,
    *,
    yes: bool,
    only_print: bool,
) -> None:
    if isinstance(plan, ConnectionRefused):
        raise ConflictError(plan.reason, hint=plan.hint)
    written = _show(label, plan)
    if only_print:
        return
    if written and not yes:
        names = " and ".join(map(str, written))
        click.confirm(f"Write these changes to {names}?", abort=True)
    done = apply(plan)
    if isinstance(done, ConnectionRefused):
        raise ConflictError(done.reason, hint=done.hint)
    for note in done.notes:
        click.echo(f"Note: {note}", err=True)
    if not done.changed:
        click.echo(f"{label} is already {outcome}.")
        return
    click.echo(f"{label} is {outcome}. This takes effect in new sessions.")
    for backup in done.backups:
        click.echo(f"Backup of your settings: {backup}")


def _show(label: str, plan: ConnectionPlan) -> list[Path]:
    """Print the changes and return the user's files that they change."""
    for note in plan.notes:
        click.echo(f"Note: {note}", err=True)
    written = [edit for edit in plan.edits if edit.changes_file]
    for edit in written:
        click.echo(edit.diff)
    for line in plan.tools.commands if plan.tools else ():
        click.echo(f"{label} makes the last change itself: {shlex.join(line)}")
    return [edit.target for edit in written]
