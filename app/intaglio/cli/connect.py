"""`intaglio connect` and `intaglio disconnect`; both work while the daemon isn't running."""

import os

import click

from intaglio.base.errors import ConflictError
from intaglio.base.installation import (
    NOT_YET,
    command,
    load_installation,
    read_installation,
)
from intaglio.base.paths import Paths
from intaglio.cli.connection import paths
from intaglio.connect.plans import apply
from intaglio.connect.values import ConnectionPlan, ConnectionRefused, ConnectionState
from intaglio.harness.registry import connection_targets, connector_names

_AGENTS = click.Choice(connector_names())


@click.command()
@click.argument("agent", type=_AGENTS, required=False, metavar="[AGENT]")
@click.option("-y", "--yes", is_flag=True, help="Don't ask for confirmation.")
@click.option("--print", "only_print", is_flag=True, help="Show the changes without making them.")
def connect(*, agent: str | None, yes: bool, only_print: bool) -> None:
    """Connect an agent: add Intaglio's hooks to its settings.

    The changes are shown before they are made. Without AGENT, list the agents that can be
    connected, and whether they are.
    """
    if agent is None:
        _list(paths())
        return
    ours = paths()
    target = connection_targets(ours)[agent]
    install = read_installation(ours) if only_print else load_installation(ours, os.urandom)
    plan = target.plan_connect(install or NOT_YET)
    _carry_out(target.connector.label, plan, "connected", yes=yes, only_print=only_print)


def _list(ours: Paths) -> None:
    install = read_installation(ours) or NOT_YET
    unconnected: list[str] = []
    for name, target in connection_targets(ours).items():
        state = target.state(install)
        click.echo(f"{name}: {_words(state)} ({target.connector.label}, {target.settings})")
        if state in {"not", "partly"}:
            unconnected.append(name)
    for name in unconnected:
        click.echo(f"Connect it with `{command(f'connect {name}')}`.")


def _words(state: ConnectionState | ConnectionRefused) -> str:
    match state:
        case ConnectionRefused(reason):
            return f"can't be connected: {reason}"
        case "connected":
            return "connected"
        case "partly":
            return "partly connected"
        case "not":
            return "not connected"


@click.command()
@click.argument("agent", type=_AGENTS, metavar="AGENT")
@click.option("-y", "--yes", is_flag=True, help="Don't ask for confirmation.")
@click.option("--print", "only_print", is_flag=True, help="Show the changes without making them.")
def disconnect(*, agent: str, yes: bool, only_print: bool) -> None:
    """Disconnect an agent.

    Removes Intaglio's hooks from the agent's settings and leaves everything else as it is.
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
    for note in plan.notes:
        click.echo(f"Note: {note}", err=True)
    if plan.changes_settings:
        click.echo(plan.diff)
    if only_print:
        return
    if plan.changes_settings and not yes:
        click.confirm(f"Write these changes to {plan.target}?", abort=True)
    done = apply(plan)
    if isinstance(done, ConnectionRefused):
        raise ConflictError(done.reason, hint=done.hint)
    if not done.changed:
        click.echo(f"{label} is already {outcome}.")
        return
    click.echo(f"{label} is {outcome}. This takes effect in new sessions.")
    if done.backup is not None:
        click.echo(f"Backup of your settings: {done.backup}")
