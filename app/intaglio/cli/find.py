"""`intaglio find`: searches everything at once."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import click

from intaglio.cli.connection import daemon_client
from intaglio.cli.options import project_of, project_options, refuse_empty_project
from intaglio.cli.output import (
    INDENT,
    clipped,
    line_width,
    local_date,
    print_json,
    project_names,
    short_ids,
    styled_id,
)
from intaglio.cli.settings.matching import matching_facts, matching_settings
from intaglio.cli.settings.output import value_text
from intaglio.domain.found_kinds import FoundKind
from intaglio.domain.short_hash import SHORT_HASH
from intaglio.fence.characters import visible
from intaglio.wire.finding import FindReply, FoundGroup, FoundItem
from intaglio.wire.settings import SettingsReply

_HEADINGS: Final[Mapping[FoundKind, str]] = {
    "memory": "Memories",
    "entity": "Entities",
    "session": "Sessions",
    "inbox": "Inbox",
    "project": "Projects",
    "commit": "Commits",
}
_MOST: Final = 20
_SETTINGS: Final = 3


@click.command()
@click.argument("words", nargs=-1, required=True)
@project_options("Search this project and what applies to all projects: a path or a name.")
@click.option(
    "-n",
    "--limit",
    default=5,
    show_default=True,
    type=click.IntRange(1, _MOST),
    metavar="N",
    help="The most of a kind.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the daemon's reply as JSON.")
def find(
    *, words: tuple[str, ...], project: str | None, here: bool, limit: int, as_json: bool
) -> None:
    """Find memories, entities, sessions, inbox items, projects and commits by WORDS.

    The last word may be the beginning of one. "who is Priya" and "the session about the outage"
    put the kind that they name first. Settings with the words stand at the end.
    """
    refuse_empty_project(project)
    with daemon_client() as client:
        reply = client.find(" ".join(words), limit, project_of(project, here=here))
        if as_json:
            print_json(reply)
            return
        settings = [*_settings_lines(client.settings(), " ".join(words).split())]
    if not reply.groups and not settings:
        click.echo("Nothing found.")
    for line in found_lines(reply):
        click.echo(line)
    if reply.groups and settings:
        click.echo()
    for line in settings:
        click.echo(line)


def _settings_lines(reply: SettingsReply, words: Sequence[str]) -> Iterator[str]:
    """Write the first settings that have the words, after what isn't a setting, such as a path."""
    facts, rows = matching_facts(reply, words), matching_settings(reply, words)
    found = [f"{fact.label}: {visible(fact.value)}" for fact in facts]
    found += [f"{row.label}: {value_text(row)}  {styled_id(row.key)}" for row in rows]
    if found:
        yield f"Settings{' (there are more)' if len(found) > _SETTINGS else ''}"
        yield from (f"  {line}" for line in found[:_SETTINGS])


def found_lines(reply: FindReply) -> Iterator[str]:
    """Write each group below its heading: an item's title, what it is, and why it matches."""
    names = project_names(item.project for group in reply.groups for item in group.items)
    for number, group in enumerate(reply.groups):
        if number:
            yield ""
        yield f"{_HEADINGS[group.kind]}{' (there are more)' if group.more else ''}"
        ids = _shown_ids(group)
        for item in group.items:
            yield from _item_lines(item, ids[item.id], names)


def _shown_ids(group: FoundGroup) -> Mapping[str, str]:
    ids = [item.id for item in group.items]
    if group.kind in {"memory", "entity", "inbox"}:
        return short_ids(ids)
    if group.kind == "commit":
        return {each: each[:SHORT_HASH] for each in ids}
    return {each: each if group.kind == "session" else "" for each in ids}


def _item_lines(item: FoundItem, shown_id: str, names: Mapping[str | None, str]) -> Iterator[str]:
    parts = [
        styled_id(shown_id) if shown_id else "",
        visible(item.detail) if item.kind != "commit" else "",
        names[item.project] if item.project and item.kind != "project" else "",
        local_date(item.at) if item.at and item.kind != "session" else "",
    ]
    width = line_width(len(INDENT))
    yield f"  {_fitted(item.title, width)}"
    yield f"{INDENT}{'  '.join(filter(None, parts))}"
    if item.text:
        yield f"{INDENT}{_fitted(item.text, width)}"


def _fitted(text: str, width: int | None) -> str:
    return clipped(text, width) if width else visible(text)
