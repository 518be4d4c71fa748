"""`intaglio remember`: save a memory."""

import sys

import click

from intaglio.cli.connection import daemon_client
from intaglio.cli.options import GIVEN_TYPES, memory_type_option, project_of, project_options
from intaglio.cli.output import ANY_PROJECT
from intaglio.domain.memory_types import shown_type
from intaglio.fence.characters import visible
from intaglio.wire.memory import RememberRequest


@click.command()
@click.argument("text", nargs=-1, required=True)
@memory_type_option(f"{GIVEN_TYPES}. Detected if left out.", given=True)
@click.option("--tags", metavar="TAGS", help="Tags, separated by commas.")
@project_options("Save it for this project: a path or a name. Default: all projects.")
@click.option("--pin", is_flag=True, help="Include it in every session.")
def remember(
    *,
    text: tuple[str, ...],
    kind: str | None,
    tags: str | None,
    project: str | None,
    here: bool,
    pin: bool,
) -> None:
    """Save TEXT as a memory. Use "-" to read it from standard input."""
    content = sys.stdin.read() if text == ("-",) else " ".join(text)
    request = RememberRequest(
        content=content,
        who="cli",
        type=kind,
        tags=tags,
        project=project_of(project, here=here),
        pinned=True if pin else None,
        source_type="cli",
    )
    with daemon_client() as client:
        saved = client.remember(request)
    outcome = "Already remembered" if saved.deduped else "Remembered"
    # Without a project it is easy to save for all of them without meaning to.
    scope = f" for {ANY_PROJECT.lower()}" if request.project is None else ""
    click.echo(f"{outcome}{scope} ({visible(shown_type(saved.type))}): {visible(saved.content)}")
    if saved.redacted:
        count = "1 secret was" if saved.redacted == 1 else f"{saved.redacted} secrets were"
        click.echo(f"{count} removed from the text.")
    click.echo(saved.id)
