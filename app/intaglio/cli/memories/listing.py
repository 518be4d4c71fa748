"""`intaglio list`: memories, newest first, one line each."""

from collections.abc import Sequence
from typing import Final

import click

from intaglio.cli.connection import daemon_client, read_rows
from intaglio.cli.first_steps import say_how_to_begin
from intaglio.cli.options import (
    all_projects_option,
    as_of_option,
    memory_type_option,
    project_options,
    scope_of,
)
from intaglio.cli.output import (
    cell,
    clipped,
    column,
    line_width,
    local_date,
    print_json,
    project_names,
    short_ids,
    styled_id,
)
from intaglio.domain.memory_types import shown_type
from intaglio.fence.characters import visible
from intaglio.wire.memory import MemoryRow

_GAP: Final = "  "
_DATE_CHARS: Final = 10
_PAGE: Final = 1_000
_MOST: Final = 100_000


@click.command("list")
@project_options("Only memories of this project: a path or a name.")
@all_projects_option("Only memories that apply to all projects.")
@memory_type_option("Only memories of this type.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only with this tag. Repeatable.")
@click.option("--pinned", is_flag=True, help="Only pinned memories.")
@click.option(
    "--status",
    type=click.Choice(["current", "replaced", "disputed"]),
    help="Only memories that hold, were replaced, or are disputed.",
)
@as_of_option
@click.option("--forgotten", is_flag=True, help="Forgotten memories that can still be restored.")
@click.option(
    "-n", "--limit", default=30, show_default=True, type=click.IntRange(1, _MOST), metavar="N"
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array of memories.")
def list_memories(  # noqa: PLR0913 - one for each option
    *,
    project: str | None,
    here: bool,
    everywhere: bool,
    kind: str | None,
    tags: tuple[str, ...],
    pinned: bool,
    status: str | None,
    as_of: str | None,
    forgotten: bool,
    limit: int,
    as_json: bool,
) -> None:
    """List memories, newest first."""
    wanted = scope_of(project, here=here, everywhere=everywhere)
    filters = {
        "project": wanted,
        "globalOnly": "true" if everywhere else None,
        "type": kind,
        "tags": ",".join(tags) or None,
        "pinned": "true" if pinned else None,
        "status": status,
        "as_of": as_of,
        "deleted": "true" if forgotten else None,
    }
    given = {k: v for k, v in filters.items() if v is not None}
    with daemon_client() as client:

        def read_page(size: int, cursor: str | None) -> tuple[list[MemoryRow], str | None]:
            page = client.memories(size, cursor, given)
            return page.memories, page.next_cursor

        rows, more = read_rows(read_page, limit, _PAGE)
    if as_json:
        print_json(rows)
        return
    if not rows:
        click.echo("No memories found.")
        if not given:
            say_how_to_begin()
    for line in lines_of(rows):
        click.echo(line)
    if more:
        click.echo(f"Showing the newest {len(rows)}. Use --limit to see more.", err=True)


def lines_of(rows: Sequence[MemoryRow]) -> list[str]:
    """Write each memory in one line: id, type, project, day and as much text as fits."""
    ids = short_ids([row.id for row in rows])
    projects = project_names(row.project for row in rows)
    widths = (
        max(map(len, ids.values()), default=0),
        column(shown_type(row.type) for row in rows),
        column(projects.values() if rows else ()),
    )
    used = sum(widths) + _DATE_CHARS + 4 * len(_GAP)
    width = line_width(used)
    lines: list[str] = []
    for row in rows:
        text = " ".join(visible(row.content).split())
        cells = (
            styled_id(f"{ids[row.id]:<{widths[0]}}"),
            cell(shown_type(row.type), widths[1]),
            cell(projects[row.project], widths[2]),
            local_date(row.created_at),
            text if width is None else clipped(text, width),
        )
        lines.append(_GAP.join(cells))
    return lines
