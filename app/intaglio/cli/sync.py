"""`intaglio sync`: the workspace's files and what they are written to."""

import sys
from collections.abc import Iterator
from typing import Final

import click

from intaglio.base.installation import command
from intaglio.cli.connection import daemon_client
from intaglio.cli.options import CommandGroup
from intaglio.cli.output import cell, column, local_time, print_json
from intaglio.fence.characters import visible
from intaglio.wire.workspace import SyncTarget, WorkspaceState

_JSON_HELP: Final = "Print the daemon's reply as JSON."
_HIDDEN: Final = "disconnected"


@click.group(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"]})
def sync() -> None:
    """Write the workspace's files to the files of instructions that agents read."""


@sync.command()
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def status(*, as_json: bool) -> None:
    """Show the workspace's files, and the files that they are written to."""
    with daemon_client() as client:
        state = client.workspace()
    if as_json:
        print_json(state)
        return
    for line in _lines(state):
        click.echo(line)


@sync.command()
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def now(*, as_json: bool) -> None:
    """Sync now, and say what was written. Exit code 1: a file was refused."""
    with daemon_client() as client:
        done = client.sync_workspace()
    if as_json:
        print_json(done)
    else:
        click.echo(visible(done.message))
        for line in done.output.splitlines():
            click.echo(f"  {visible(line)}")
    if not done.success:
        sys.exit(1)


def _lines(state: WorkspaceState) -> Iterator[str]:
    told = [each.name for each in state.files if each.exists and "memory/" not in each.name]
    yield f"Workspace  {visible(state.path)}"
    yield f"Files      {', '.join(map(visible, told)) or 'none'}"
    if not state.enabled:
        yield f"Sync is off. Switch it on: {command('config set workspace.sync true')}"
    last = "not yet" if state.synced is None else local_time(state.synced)
    yield f"Synced     {last}{'' if state.watching else ', and not watching at the moment'}"
    shown = [each for each in state.targets if each.state != _HIDDEN]
    if not shown:
        yield f"No agent is connected. {command('connect')} lists those that can be."
        return
    yield ""
    width = column(each.label for each in shown)
    for each in shown:
        yield from _target_lines(each, width)


def _target_lines(target: SyncTarget, width: int) -> Iterator[str]:
    yield f"{cell(target.label, width)}  {target.state:<8}  {visible(target.path)}"
    if target.reason:
        yield f"  {visible(f'{target.reason} {target.hint}'.strip())}"
    if target.item is not None:
        yield f"  {command('inbox show')} {target.item}"
