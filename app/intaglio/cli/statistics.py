"""`intaglio stats`: what was learned, told and used."""

from collections.abc import Iterator, Sequence
from typing import Final, get_args

import click

from intaglio.cli.connection import daemon_client
from intaglio.cli.options import project_of, project_options, refuse_empty_project
from intaglio.cli.output import cell, clipped, column, counted, print_json
from intaglio.domain.statistics_ranges import StatisticsRange
from intaglio.wire.statistics import CountedFigures, Statistics, StatisticsGroup

_COLUMNS: Final = ("learned", "forgotten", "told", "tokens", "sessions", "entities")
_WIDTH: Final = 9
_DAY: Final = 10
_SHOWN: Final = 5
_STEPS: Final = {"day": "Day", "week": "Week from", "month": "Month from"}


@click.command()
@click.option(
    "--range",
    "range_",
    default="7",
    show_default=True,
    type=click.Choice(get_args(StatisticsRange)),
    help="The last days, or all that are kept.",
)
@project_options("Only of this project: a path or a name.")
@click.option("--json", "as_json", is_flag=True, help="Print the daemon's reply as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print all counts as CSV.")
def stats(*, range_: str, project: str | None, here: bool, as_json: bool, as_csv: bool) -> None:
    """Show what was learned, told to agents and used, by day."""
    refuse_empty_project(project)
    if as_json and as_csv:
        raise click.UsageError("Use --json or --csv, not both.")
    wanted = project_of(project, here=here)
    with daemon_client() as client:
        if as_csv:
            click.echo(client.statistics_csv(range_, wanted), nl=False)
            return
        found = client.statistics(range_, wanted)
    if as_json:
        print_json(found)
        return
    for line in _lines(found):
        click.echo(line)


def _lines(found: Statistics) -> Iterator[str]:
    yield clipped(found.summary, len(found.summary))
    if found.pending_days:
        yield f"{counted(found.pending_days, 'earlier day')} still to be counted."
    if found.is_empty:
        return
    yield ""
    yield f"{_STEPS[found.step]:<{_DAY}}{_row(_COLUMNS)}"
    for point in found.points:
        yield f"{point.day:<{_DAY}}{_row(_figures(point))}"
    yield f"{'Total':<{_DAY}}{_row(_figures(found.totals))}"
    totals = found.totals
    yield ""
    now = counted(found.memories, "memory", "memories")
    yield f"Now        {now}, {counted(found.entities, 'entity', 'entities')}"
    gone = f"{totals.forgotten:,} by you, {totals.retired:,} by agents or capture"
    yield f"Forgotten  {gone}, {totals.restored:,} restored"
    learned = f"of {totals.learned:,} learned"
    yield f"Used       {totals.used_told:,} told, {totals.used_found:,} found by tools, {learned}"
    kept = f"{totals.kept:,} kept, {totals.suggested:,} suggested, {totals.dropped:,} dropped"
    yield f"Capture    {kept} in {counted(totals.sessions, 'session')}"
    yield from _groups("Projects", found.projects)
    yield from _groups("Types", found.types)
    yield from _groups("Origins", found.origins)
    if found.top_entities:
        named = [f"{each.name} ({each.memories:,})" for each in found.top_entities[:_SHOWN]]
        text = ", ".join(named)
        yield ""
        yield f"Named most  {clipped(text, len(text))}"


def _groups(title: str, groups: Sequence[StatisticsGroup]) -> Iterator[str]:
    shown = [each for each in groups if each.learned or each.told][:_SHOWN]
    if not shown:
        return
    width = column([each.label for each in shown])
    yield ""
    yield title
    for each in shown:
        yield f"  {cell(each.label, width)}  {each.learned:>7,} learned  {each.told:>7,} told"


def _figures(figures: CountedFigures) -> tuple[str, ...]:
    numbers = (
        *(figures.learned, figures.forgotten, figures.told),
        *(figures.told_tokens, figures.sessions, figures.entities),
    )
    return tuple(f"{each:,}" for each in numbers)


def _row(texts: Sequence[str]) -> str:
    return "".join(f"{text:>{_WIDTH + 2}}" for text in texts)
