"""What happened to something, and the telemetry that stays on this machine."""

from typing import Final

import click
import msgspec

from intaglio.base.errors import NotFoundError
from intaglio.base.installation import command
from intaglio.cli.analytics.output import stats_lines, timeline_lines
from intaglio.cli.connection import daemon_client
from intaglio.cli.output import print_json

_JSON_HELP: Final = "Print the daemon's reply as JSON."
_SWITCH: Final = "config set memory.pipelineV2.telemetryEnabled true"


@click.command()
@click.argument("subject", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def timeline(*, subject: str, as_json: bool) -> None:
    """Show what happened to a memory, an entity, in a session or in a request.

    ID is that of a memory, an entity or a request, or a session's number or its agent's id of it.
    """
    with daemon_client() as client:
        found = client.timeline(subject)
    if as_json:
        print_json(found)
        return
    if found.entity_type == "unknown":
        raise NotFoundError(
            f"Nothing is known of {subject}.", hint="It may have been erased, or never existed."
        )
    for line in timeline_lines(found):
        click.echo(line)


@click.command()
@click.option("--events", is_flag=True, help="List events as JSON lines, newest first.")
@click.option("--event", metavar="NAME", help="With --events: only those of this name.")
@click.option(
    "--limit",
    type=click.IntRange(1, 1_000),
    default=100,
    show_default=True,
    help="With --events: how many.",
)
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def telemetry(*, events: bool, event: str | None, limit: int, as_json: bool) -> None:
    """Show what telemetry was recorded on this machine; nothing is ever sent anywhere."""
    with daemon_client() as client:
        if events or event:
            for each in client.telemetry_events(event, limit).events:
                click.echo(msgspec.json.encode(each).decode())
            return
        found = client.telemetry_stats()
    if as_json:
        print_json(found)
    elif found.enabled:
        for line in stats_lines(found):
            click.echo(line)
    else:
        click.echo(f"Telemetry is off. Switch it on: {command(_SWITCH)}")
