"""The commands of `intaglio entities`."""

from typing import Final

import click
import msgspec

from intaglio.base.errors import NotFoundError
from intaglio.base.installation import command
from intaglio.cli.connection import daemon_client
from intaglio.cli.entities.lookup import find_entity
from intaglio.cli.entities.output import (
    aspect_lines,
    change_lines,
    constraint_lines,
    dependency_lines,
    entity_line,
    entity_lines,
    entity_text,
    graph_line,
    memory_lines,
)
from intaglio.cli.memories.lookup import find_memory
from intaglio.cli.options import ListFirstGroup, project_of, project_options, type_option
from intaglio.cli.output import print_json
from intaglio.domain.entity_kinds import ENTITY_TYPES, LONGEST_NAME, EntityType, entity_type
from intaglio.wire.knowledge import (
    AliasRow,
    AspectItem,
    AttributeRow,
    DependencyRow,
    EntityChangeReply,
    EntityChangeRow,
    EntityDetail,
    EntityListItem,
    EntityMemory,
    EntityPatch,
    SplitRequest,
)

_PAGE: Final = 200
_MOST: Final = 100_000
_SHOWN: Final = 5
_TYPES: Final = ", ".join(ENTITY_TYPES)


class _Shown(msgspec.Struct, kw_only=True, rename="camel"):
    entity: EntityDetail
    last_named_at: str | None
    aliases: list[AliasRow]
    aspects: list[AspectItem]
    constraints: list[AttributeRow]
    dependencies: list[DependencyRow]
    memories: list[EntityMemory]
    changes: list[EntityChangeRow]


@click.group(cls=ListFirstGroup, context_settings={"help_option_names": ["-h", "--help"]})
def entities() -> None:
    """Show and change what your memories are about.

    `intaglio entities TEXT` is short for `intaglio entities list TEXT`. NAME is an entity's name,
    another name of it, the start of one that no other entity's name has, or its ID.
    """


@entities.command("list")
@click.argument("text", default="")
@type_option(f"Only entities of this type: {_TYPES}.")
@project_options("Only entities of this project and of all projects: a path or a name.")
@click.option("--pinned", is_flag=True, help="Only pinned entities.")
@click.option(
    "-n", "--limit", default=30, show_default=True, type=click.IntRange(1, _MOST), metavar="N"
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array of entities.")
def list_entities(  # noqa: PLR0913 - one for each option
    *,
    text: str,
    kind: str | None,
    project: str | None,
    here: bool,
    pinned: bool,
    limit: int,
    as_json: bool,
) -> None:
    """List entities whose name begins with TEXT, the most mentioned first.

    Without a TEXT or filter, the last line counts what there is in all.
    """
    filters = {
        "q": text,
        "type": None if kind is None else _type_of(kind),
        "project": project_of(project, here=here),
        "pinned": "true" if pinned else None,
    }
    given = {k: v for k, v in filters.items() if v}
    items: list[EntityListItem] = []
    total = 1
    with daemon_client() as client:
        while len(items) < min(limit, total):
            page = client.entities(min(_PAGE, limit - len(items)), len(items), given)
            if not page.items:
                break
            items += page.items
            total = page.total
        counts = client.knowledge_stats() if items and not given and not as_json else None
    if as_json:
        print_json(items)
        return
    if not items:
        click.echo("No entities found.")
    for line in entity_lines(items):
        click.echo(line)
    if counts is not None:
        click.echo(graph_line(counts))
    if total > len(items) > 0:
        click.echo(f"Showing {len(items)} of {total:,}. Use --limit to see more.", err=True)


def _type_of(name: str, parameter: str = "--type") -> EntityType:
    found = entity_type(name)
    if found is None:
        message = f"{name!r} isn't a type. Use {_TYPES}."
        raise click.BadParameter(message, param_hint=f"'{parameter}'")
    return found


def _checked_name(_: click.Context, parameter: click.Parameter, name: str) -> str:
    if not name.strip():
        raise click.BadParameter("A name can't be empty.", param=parameter)
    if len(name) > LONGEST_NAME:
        message = f"A name can have at most {LONGEST_NAME} characters."
        raise click.BadParameter(message, param=parameter)
    return name


@entities.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print the entity as JSON.")
def show(*, name: str, as_json: bool) -> None:
    """Show an entity: its names, what is always told, aspects, dependencies and newest memories."""
    with daemon_client() as client:
        entity_id = find_entity(client, name).id
        below = client.aspects(entity_id)
        bearing = [each.aspect.id for each in below.items if each.constraint_count]
        if below.unclassified:
            bearing.append("unclassified")
        # They come in the order in which they were stored; imported ones are older than that.
        memories = client.entity_memories(entity_id, _PAGE).items
        shown = _Shown(
            entity=client.entity(entity_id),
            last_named_at=max((each.created_at for each in memories), default=None),
            aliases=client.aliases(entity_id).items,
            aspects=below.items,
            constraints=[
                fact for each in bearing for fact in client.constraints(entity_id, each).items
            ],
            dependencies=client.dependencies(entity_id).items,
            memories=memories[:_SHOWN],
            changes=client.entity_changes(entity_id, _SHOWN).items,
        )
    if as_json:
        print_json(shown)
        return
    for line in (
        *entity_text(shown.entity, shown.aliases, shown.last_named_at),
        *constraint_lines(shown.constraints),
        *aspect_lines(shown.aspects),
        *dependency_lines(shown.dependencies),
        *memory_lines(shown.memories),
        *change_lines(shown.changes),
    ):
        click.echo(line)


@entities.command()
@click.argument("name")
@click.option("--reason", metavar="TEXT", help="Why; shown where the entity is.")
def pin(*, name: str, reason: str | None) -> None:
    """Pin an entity: sessions are always told about it."""
    with daemon_client() as client:
        entity = find_entity(client, name)
        client.pin_entity(entity.id, reason)
    click.echo(f"Pinned {entity_line(entity)}")


@entities.command()
@click.argument("name")
def unpin(*, name: str) -> None:
    """Unpin an entity."""
    with daemon_client() as client:
        entity = find_entity(client, name)
        client.unpin_entity(entity.id)
    click.echo(f"Unpinned {entity_line(entity)}")


@entities.command()
@click.argument("name")
def suppress(*, name: str) -> None:
    """Suppress an entity: it isn't used to choose what sessions are told."""
    with daemon_client() as client:
        entity = find_entity(client, name)
        client.suppress_entity(entity.id)
    click.echo(f"Suppressed {entity_line(entity)}")


@entities.command()
@click.argument("name")
def unsuppress(*, name: str) -> None:
    """Let a suppressed entity count again."""
    with daemon_client() as client:
        entity = find_entity(client, name)
        client.unsuppress_entity(entity.id)
    click.echo(f"No longer suppressed: {entity_line(entity)}")


@entities.command()
@click.argument("name")
@click.argument("new_name", callback=_checked_name)
def rename(*, name: str, new_name: str) -> None:
    """Rename an entity; the old name still finds it."""
    with daemon_client() as client:
        entity = find_entity(client, name)
        changed = client.change_entity(entity.id, EntityPatch(name=new_name))
    _report(f"Renamed to {entity_line(changed.entity)}", changed)


@entities.command()
@click.argument("name")
@click.argument("type_", metavar="TYPE")
def retype(*, name: str, type_: str) -> None:
    """Change what an entity is: a tool, a service, a person and so on."""
    wanted = _type_of(type_, "TYPE")
    with daemon_client() as client:
        entity = find_entity(client, name)
        changed = client.change_entity(entity.id, EntityPatch(entity_type=wanted))
    _report(f"Changed to {entity_line(changed.entity)}", changed)


@entities.command()
@click.argument("name")
@click.argument("into")
def merge(*, name: str, into: str) -> None:
    """Merge an entity INTO another one, if both are the same thing."""
    with daemon_client() as client:
        entity, other = find_entity(client, name), find_entity(client, into)
        changed = client.merge_entity(entity.id, other.id)
    _report(f"Merged {entity_line(entity)} into {entity_line(changed.entity)}", changed)


@entities.command()
@click.argument("name")
@click.argument("new_name", callback=_checked_name)
@click.argument("memories", metavar="MEMORY_ID...", nargs=-1, required=True)
@type_option(f"The type of the new entity: {_TYPES}.")
def split(*, name: str, new_name: str, memories: tuple[str, ...], kind: str | None) -> None:
    """Split off memories that are about something else, as NEW_NAME."""
    wanted = None if kind is None else _type_of(kind)
    with daemon_client() as client:
        entity = find_entity(client, name)
        ids = [find_memory(client, each, "live").id for each in memories]
        request = SplitRequest(name=new_name, entity_type=wanted, memory_ids=ids)
        changed = client.split_entity(entity.id, request)
    _report(f"Split off {entity_line(changed.entity)}", changed)


@entities.command()
@click.argument("name")
@click.argument("alias_", metavar="ALIAS", callback=_checked_name)
@click.option("--remove", is_flag=True, help="Remove the name instead.")
def alias(*, name: str, alias_: str, remove: bool) -> None:
    """Add another name to an entity, or remove one."""
    with daemon_client() as client:
        entity = find_entity(client, name)
        if not remove:
            changed = client.add_alias(entity.id, alias_)
        else:
            same = [
                each.id
                for each in client.aliases(entity.id).items
                if each.alias.casefold() == alias_.casefold()
            ]
            if not same:
                raise NotFoundError(
                    f"“{alias_}” isn't a name of {entity_line(entity)}.",
                    hint=f"Run `{command(f'entities show {entity.id}')}` to see its names.",
                )
            changed = client.remove_alias(entity.id, same[0])
    _report(f"{'Removed' if remove else 'Added'} “{alias_}”: {entity_line(entity)}", changed)


@entities.command()
@click.argument("change", metavar="CHANGE_ID")
def undo(*, change: str) -> None:
    """Undo a merge, a split, or a change of names or type.

    `intaglio entities show NAME` lists the changes with their IDs.
    """
    with daemon_client() as client:
        changed = client.undo_entity_change(change.strip())
    click.echo(f"Undone: {entity_line(changed.entity)}")


def _report(text: str, changed: EntityChangeReply) -> None:
    if changed.change_id is None:
        click.echo(f"Nothing to change: {entity_line(changed.entity)}")
        return
    click.echo(text)
    click.echo(f"Undo with: {command(f'entities undo {changed.change_id}')}")
