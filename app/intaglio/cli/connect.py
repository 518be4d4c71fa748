"""`intaglio connect` and `intaglio disconnect`: they work with the daemon down."""

import os
import sys
from pathlib import Path

import click

from intaglio.base.errors import ConflictError
from intaglio.base.install import NOT_YET, Install, known_install, load_install
from intaglio.base.paths import Paths, home_folder
from intaglio.cli.reach import paths
from intaglio.connect.connector import Connector
from intaglio.connect.plans import apply
from intaglio.connect.values import Plan, Refused, State
from intaglio.harness.registry import connector_names, connectors, refresh_hook_files

_HARNESSES = click.Choice(connector_names())


@click.command()
@click.argument("harness", type=_HARNESSES, required=False, metavar="[HARNESS]")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--print", "only_print", is_flag=True, help="Show what would change; write nothing.")
def connect(*, harness: str | None, yes: bool, only_print: bool) -> None:
    """Let HARNESS send its sessions to Intaglio and receive memories.

    Without HARNESS, list what can be connected and what is.
    """
    if harness is None:
        _list(paths())
        return
    connector, ours = connectors()[harness], paths()
    install = known_install(ours) if only_print else load_install(ours, os.urandom)
    plan = connector.plan_connect(_settings(connector), ours, install or NOT_YET, sys.executable)
    _carry_out(connector, plan, "connected", yes=yes, only_print=only_print)
    if not only_print:
        _follow_port(connector, ours, install or NOT_YET)


def _list(ours: Paths) -> None:
    install = known_install(ours) or NOT_YET
    for connector in connectors().values():
        file = _settings(connector)
        words = _words(connector.state(file, ours, install, sys.executable))
        click.echo(f"{connector.name}: {words} ({connector.label}, {file})")


def _words(state: State | Refused) -> str:
    match state:
        case Refused(reason):
            return f"cannot be connected: {reason}"
        case "connected":
            return "connected"
        case "partly":
            return "connected in part"
        case "not":
            return "not connected"


def _follow_port(connector: Connector, ours: Paths, planned: Install) -> None:
    """Point the hooks at the port that a daemon chose while the user was asked."""
    now = known_install(ours)
    if now is not None and now.port is not None and now.port != planned.port:
        refresh_hook_files([connector], ours, now, now.port)


@click.command()
@click.argument("harness", type=_HARNESSES, metavar="HARNESS")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--print", "only_print", is_flag=True, help="Show what would change; write nothing.")
def disconnect(*, harness: str, yes: bool, only_print: bool) -> None:
    """Take Intaglio's hooks out of HARNESS; everything else stays as it is."""
    connector = connectors()[harness]
    plan = connector.plan_disconnect(_settings(connector), paths())
    _carry_out(connector, plan, "disconnected", yes=yes, only_print=only_print)


def _settings(connector: Connector) -> Path:
    return connector.settings_file(home_folder(), os.environ)


def _carry_out(
    connector: Connector, plan: Plan | Refused, word: str, *, yes: bool, only_print: bool
) -> None:
    if isinstance(plan, Refused):
        raise ConflictError(plan.reason, hint=plan.hint)
    for note in plan.notes:
        click.echo(f"Note: {note}", err=True)
    if plan.changes_settings:
        click.echo(plan.diff)
    if only_print:
        return
    if plan.changes_settings and not yes:
        click.confirm(f"Write this to {plan.target}?", abort=True)
    done = apply(plan)
    if isinstance(done, Refused):
        raise ConflictError(done.reason, hint=done.hint)
    if not done.changed:
        click.echo(f"{connector.label} is {word} already.")
        return
    click.echo(f"{connector.label} is {word}. New sessions notice it.")
    if done.backup is not None:
        click.echo(f"The settings as they were: {done.backup}")
