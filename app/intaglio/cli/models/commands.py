"""The commands of `intaglio models`."""

import sys
from typing import Final

import click

from intaglio.base.errors import ConfirmationNeededError
from intaglio.cli.connection import daemon_client
from intaglio.cli.models.output import state_lines, test_lines, usage_lines
from intaglio.cli.options import CommandGroup
from intaglio.cli.output import print_json
from intaglio.fence.characters import visible
from intaglio.wire.models import ModelConfirmRequest, ModelRoleName, ModelsReply

_JSON_HELP: Final = "Print the daemon's reply as JSON."
_MOST_DAYS: Final = 3_650


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
@click.pass_context
def models(context: click.Context, *, as_json: bool) -> None:
    """Show the language model and what it costs; try it and agree to it.

    Without a command: which models are configured, their states, and today's use.
    """
    if context.invoked_subcommand is not None:
        return
    with daemon_client() as client:
        reply = client.models()
    _show(reply, as_json=as_json)


def _show(reply: ModelsReply, *, as_json: bool = False) -> None:
    if as_json:
        print_json(reply)
        return
    for line in state_lines(reply):
        click.echo(line)


@models.command("test")
@click.option("--sessions", is_flag=True, help="Try the model for whole sessions.")
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def try_model(*, sessions: bool, as_json: bool) -> None:
    """Ask the model one tiny question, and estimate what a session costs.

    Exit code 1: it didn't answer.
    """
    role: ModelRoleName = "synthesis" if sessions else "extraction"
    with daemon_client() as client:
        reply = client.test_model(role)
    if as_json:
        print_json(reply)
    else:
        for line in test_lines(reply):
            click.echo(line)
    if not reply.answered:
        sys.exit(1)


@models.command()
@click.option("--days", default=30, show_default=True, type=click.IntRange(1, _MOST_DAYS))
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def usage(*, days: int, as_json: bool) -> None:
    """Show what calls cost, by day, stage, project and model."""
    with daemon_client() as client:
        reply = client.model_usage(days)
    if as_json:
        print_json(reply)
        return
    for line in usage_lines(reply):
        click.echo(line)


@models.command()
@click.option("-y", "--yes", is_flag=True, help="Agree without being asked.")
def confirm(*, yes: bool) -> None:
    """Agree to the language model that the settings name.

    Before that, nothing is sent to a model that stands in the settings by hand or by an import.
    """
    with daemon_client() as client:
        reply = client.models()
        waiting = [row for row in reply.models if row.state == "unconfirmed"]
        if not waiting:
            click.echo("Nothing waits for your agreement.")
            _show(reply)
            return
        named = {(row.provider, row.model, row.address): row for row in waiting}
        for (provider, model, address), row in named.items():
            at = f" at {visible(address)}" if address else ""
            text = (
                f"Memories and what is said in your sessions are sent to {visible(row.title)}{at}, "
                "and each call uses tokens."
            )
            if not yes and not sys.stdin.isatty():
                raise ConfirmationNeededError(text, hint="Add --yes to agree.")
            click.echo(text, err=True)
            if not yes:
                click.confirm("Agree?", abort=True, err=True)
            reply = client.confirm_model(
                ModelConfirmRequest(provider=provider, model=model, address=address)
            )
    _show(reply)
