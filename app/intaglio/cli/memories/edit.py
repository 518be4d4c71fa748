"""`intaglio edit`: change a memory."""

import sys
from typing import Final

import click
from msgspec import UNSET

from intaglio.cli.connection import daemon_client
from intaglio.cli.memories.lookup import find_memory
from intaglio.cli.options import (
    GIVEN_TYPES,
    all_projects_option,
    memory_type_option,
    project_options,
    scope_of,
)
from intaglio.cli.output import short_ids, styled_id
from intaglio.wire.changes import ModifyRequest

_REASON: Final = "edited in the terminal"


@click.command()
@click.argument("id_", metavar="ID")
@click.option("--text", metavar="TEXT", help='The new text. "-" reads it from standard input.')
@memory_type_option(f"{GIVEN_TYPES}.", given=True)
@click.option("--tags", metavar="TAGS", help='All its tags, separated by commas; "" for none.')
@project_options("Move it to this project: a path or a name.")
@all_projects_option("Apply it to all projects.")
@click.option("--pin/--no-pin", default=None, help="Include it in every session, or no longer.")
@click.option("--reason", metavar="REASON", help="Why, for its history.")
def edit(  # noqa: PLR0913 - one for each option
    *,
    id_: str,
    text: str | None,
    kind: str | None,
    tags: str | None,
    project: str | None,
    here: bool,
    everywhere: bool,
    pin: bool | None,
    reason: str | None,
) -> None:
    """Change a memory. Without options, edit its text in your editor.

    ID is a memory's ID, or its start or end. The editor is that of $VISUAL or $EDITOR.
    """
    wanted = scope_of(project, here=here, everywhere=everywhere)
    change = ModifyRequest(
        content=UNSET if text is None else sys.stdin.read() if text == "-" else text,
        type=UNSET if kind is None else kind,
        tags=UNSET if tags is None else tags,
        project=None if everywhere else UNSET if wanted is None else wanted,
        pinned=UNSET if pin is None else pin,
        changed_by="cli",
        reason=reason or _REASON,
    )
    nothing_asked = not everywhere and (text, kind, tags, wanted, pin) == (None,) * 5
    if nothing_asked and not _on_terminal():
        raise click.UsageError("Nothing to change. Use --text, --type, --tags, --project or --pin.")
    with daemon_client() as client:
        memory = find_memory(client, id_, "live")
        if nothing_asked:
            change.content = edited(memory.content)
        # What was changed in between is not overwritten.
        change.if_version = memory.version
        done = client.modify(memory.id, change)
    name = styled_id(short_ids([memory.id])[memory.id])
    click.echo(f"No changes to {name}." if done.status == "no_changes" else f"Updated {name}.")


def _on_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def edited(text: str) -> str:
    """Let the user edit a text; an empty one, or one that was not saved, changes nothing."""
    saved = click.edit(text, extension=".md", require_save=True)
    return text if saved is None or not saved.strip() else saved.strip()
