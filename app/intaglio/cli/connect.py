"""`intaglio connect` and `intaglio disconnect`: they work with the daemon down."""

import os
import sys

import click

from intaglio.base.errors import ConflictError
from intaglio.base.install import NOT_YET, Install, known_install, load_install
from intaglio.base.paths import Paths, home_folder
from intaglio.cli.reach import paths
from intaglio.connect import claude_code
from intaglio.connect.files import refresh
from intaglio.connect.values import Plan, Refused

_HARNESSES = click.Choice(["claude-code"])


@click.command()
@click.argument("harness", type=_HARNESSES)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--print", "only_print", is_flag=True, help="Show what would change; write nothing.")
def connect(*, harness: str, yes: bool, only_print: bool) -> None:
    """Let HARNESS send its sessions to Intaglio and receive memories."""
    del harness
    ours = paths()
    install = known_install(ours) if only_print else load_install(ours, os.urandom)
    plan = claude_code.plan_connect(
        claude_code.settings_file(home_folder()), ours, install or NOT_YET, sys.executable
    )
    _carry_out(plan, "connected", yes=yes, only_print=only_print)
    if not only_print:
        _follow_port(ours, install or NOT_YET)


def _follow_port(ours: Paths, planned: Install) -> None:
    """Point the hooks at the port that a daemon chose while the user was asked."""
    now = known_install(ours)
    if now is not None and now.port is not None and now.port != planned.port:
        refresh(ours, now, now.port)


@click.command()
@click.argument("harness", type=_HARNESSES)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--print", "only_print", is_flag=True, help="Show what would change; write nothing.")
def disconnect(*, harness: str, yes: bool, only_print: bool) -> None:
    """Take Intaglio's hooks out of HARNESS; everything else stays as it is."""
    del harness
    plan = claude_code.plan_disconnect(claude_code.settings_file(home_folder()), paths())
    _carry_out(plan, "disconnected", yes=yes, only_print=only_print)


def _carry_out(plan: Plan | Refused, word: str, *, yes: bool, only_print: bool) -> None:
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
    done = claude_code.apply(plan)
    if isinstance(done, Refused):
        raise ConflictError(done.reason, hint=done.hint)
    if not done.changed:
        click.echo(f"Claude Code is {word} already.")
        return
    click.echo(f"Claude Code is {word}. New sessions notice it.")
    if done.backup is not None:
        click.echo(f"The settings as they were: {done.backup}")
