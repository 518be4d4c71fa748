"""`intaglio connect` and `intaglio disconnect`: they work with the daemon down."""

import os
import sys
from pathlib import Path

import click

from intaglio.base.errors import ConflictError
from intaglio.base.install import load_install
from intaglio.cli.reach import paths
from intaglio.connect import claude_code
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
    plan = claude_code.plan_connect(
        claude_code.settings_file(Path.home()),
        ours,
        load_install(ours, os.urandom),
        sys.executable,
    )
    _carry_out(plan, "connected", yes=yes, only_print=only_print)


@click.command()
@click.argument("harness", type=_HARNESSES)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--print", "only_print", is_flag=True, help="Show what would change; write nothing.")
def disconnect(*, harness: str, yes: bool, only_print: bool) -> None:
    """Take Intaglio's hooks out of HARNESS; everything else stays as it is."""
    del harness
    plan = claude_code.plan_disconnect(claude_code.settings_file(Path.home()), paths())
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
