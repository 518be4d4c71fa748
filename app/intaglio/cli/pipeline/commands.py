"""The commands of `intaglio pipeline`."""

from typing import Final

import click

from intaglio.base.errors import ConfirmationNeededError
from intaglio.base.installation import command
from intaglio.cli.confirmation import confirmed_change
from intaglio.cli.connection import daemon_client
from intaglio.cli.options import CommandGroup, moment_option_value
from intaglio.cli.output import print_json
from intaglio.cli.pipeline.output import redo_text, status_lines
from intaglio.cli.pipeline.show_prompts import show_prompts
from intaglio.wire.pipeline import RedoReply, RedoRequest

_JSON_HELP: Final = "Print the daemon's reply as JSON."


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.pass_context
def pipeline(context: click.Context) -> None:
    """See and steer what a language model does with memories and sessions.

    STAGE is a kind of work, as `intaglio pipeline status` lists them. Without a command: the same.
    """
    if context.invoked_subcommand is None:
        context.invoke(status, as_json=False)


pipeline.add_command(show_prompts)


@pipeline.command()
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def status(*, as_json: bool) -> None:
    """Show what each stage is doing, what waits, and what was used today."""
    with daemon_client() as client:
        found = client.pipeline_stages()
    if as_json:
        print_json(found)
        return
    for line in status_lines(found):
        click.echo(line)


@pipeline.command()
@click.argument("stage")
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def pause(*, stage: str, as_json: bool) -> None:
    """Pause a stage: it asks no model until you resume it, and its work waits."""
    _pause(stage, paused=True, as_json=as_json)


@pipeline.command()
@click.argument("stage")
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def resume(*, stage: str, as_json: bool) -> None:
    """Resume a stage."""
    _pause(stage, paused=False, as_json=as_json)


@pipeline.command()
@click.option("--stage", required=True, metavar="STAGE", help="What is done again.")
@click.option(
    "--since",
    required=True,
    metavar="TIME",
    help="All that was made since a day or a time: 2026-01-31, 2026-01-31T14:00.",
)
@click.option("--dry-run", is_flag=True, help="Only say how much that is and what it will use.")
@click.option("--yes", is_flag=True, help="Don't ask.")
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def redo(*, stage: str, since: str, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Do a stage's work again, such as with a better model or after an update.

    It says first how much that is, and what it will use.
    """
    moment = moment_option_value("--since", since)
    with daemon_client() as client:

        def change(confirmed: bool) -> RedoReply:  # noqa: FBT001 - as `confirmed_change` calls it
            if not confirmed:
                request = RedoRequest(stage=stage, since=moment, dry_run=True)
                estimate = client.redo_stage(request)
                if dry_run or not estimate.count:
                    return estimate
                raise ConfirmationNeededError(redo_text(estimate))
            return client.redo_stage(RedoRequest(stage=stage, since=moment))

        found = confirmed_change(change, yes=yes and not dry_run)
    if as_json:
        print_json(found)
    elif found.dry_run:
        click.echo(redo_text(found))
    else:
        click.echo(f"Queued {found.queued:,}. See how far it is: {command('pipeline status')}")


def _pause(stage: str, *, paused: bool, as_json: bool) -> None:
    with daemon_client() as client:
        found = client.pause_stage(stage, paused=paused)
    if as_json:
        print_json(found)
    else:
        click.echo(f"{'Paused' if found.paused else 'Resumed'} {found.stage}.")
