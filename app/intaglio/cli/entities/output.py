"""How entities are shown in a terminal."""

from collections.abc import Iterator, Sequence
from typing import Final

from intaglio.cli.output import (
    ANY_PROJECT,
    cell,
    clipped,
    column,
    counted,
    line_width,
    local_date,
    local_time,
    paragraph,
    project_names,
    styled_id,
)
from intaglio.fence.characters import visible
from intaglio.projects.names import display_name
from intaglio.wire.knowledge import (
    AliasRow,
    AspectItem,
    AttributeRow,
    DependencyRow,
    EntityChangeRow,
    EntityDetail,
    EntityListItem,
    EntityMemory,
    EntityRow,
    KnowledgeStats,
)

_GAP: Final = "  "
_LABEL: Final = 12
_COUNT_CHARS: Final = 6


def entity_lines(items: Sequence[EntityListItem]) -> Iterator[str]:
    """Write each entity in one line: how many memories, type, project, name, its state."""
    entities = [item.entity for item in items]
    projects = project_names(each.project for each in entities)
    widths = (
        column(each.entity_type for each in entities),
        column(projects.values() if entities else ()),
    )
    width = line_width(sum(widths) + _COUNT_CHARS + 3 * len(_GAP))
    for each in entities:
        name = visible(each.name) + _state(each)
        yield _GAP.join(
            (
                f"{each.mentions:>{_COUNT_CHARS},}",
                cell(each.entity_type, widths[0]),
                cell(projects[each.project], widths[1]),
                name if width is None else clipped(name, width),
            )
        )


def graph_line(counts: KnowledgeStats) -> str:
    """Write how much there is in the whole graph."""
    return "In all: " + ", ".join(
        (
            counted(counts.entity_count, "entity", "entities"),
            counted(counts.aspect_count, "aspect"),
            counted(counts.attribute_count, "fact"),
            f"{counts.constraint_count:,} always told",
            counted(counts.dependency_count, "dependency", "dependencies"),
        )
    )


def entity_line(entity: EntityRow) -> str:
    """Write an entity in one line: name, type, project."""
    project = ANY_PROJECT if entity.project is None else visible(display_name(entity.project))
    return f"{clipped(entity.name, 60)} ({entity.entity_type}, {project})"


def _state(entity: EntityRow) -> str:
    if entity.pinned:
        return " (pinned)"
    return " (suppressed)" if entity.suppressed else ""


def entity_text(
    detail: EntityDetail, aliases: Sequence[AliasRow], last_named_at: str | None
) -> Iterator[str]:
    """Write what is known of an entity itself."""
    entity = detail.entity
    yield visible(entity.name)
    if entity.description:
        yield paragraph(entity.description)
    yield ""
    yield f"{'ID':<{_LABEL}}{styled_id(entity.id)}"
    for label, value in _details(detail, aliases, last_named_at):
        yield f"{label:<{_LABEL}}{visible(value)}"


def _details(
    detail: EntityDetail, aliases: Sequence[AliasRow], last_named_at: str | None
) -> Iterator[tuple[str, str]]:
    entity = detail.entity
    yield "Type", entity.entity_type
    yield "Project", ANY_PROJECT if entity.project is None else entity.project
    names = [each.alias for each in aliases if each.alias != entity.name]
    if names:
        yield "Also named", ", ".join(names)
    if detail.merged:
        yield "Merged", ", ".join(each.name for each in detail.merged)
    yield "Memories", f"{entity.mentions:,}"
    if last_named_at is not None:
        yield "Last named", local_date(last_named_at)
    if entity.pinned:
        reason = f": {entity.pin_reason}" if entity.pin_reason else ""
        yield "Pinned", f"{local_time(entity.pinned_at)}{reason}"
    if entity.suppressed:
        yield "Suppressed", "yes"
    if entity.weight_override is not None:
        yield "Weight", f"{entity.weight_override:.2f}"


def constraint_lines(constraints: Sequence[AttributeRow]) -> Iterator[str]:
    """Write what is always told of an entity, most important first."""
    yield from _section("Always told", [each.content for each in constraints])


def aspect_lines(aspects: Sequence[AspectItem]) -> Iterator[str]:
    """Write the aspects of an entity with the number of their statements."""
    yield from _section(
        "Aspects",
        [
            f"{each.aspect.name} ({each.attribute_count + each.constraint_count})"
            for each in aspects
        ],
    )


def dependency_lines(dependencies: Sequence[DependencyRow]) -> Iterator[str]:
    """Write what an entity depends on, and what depends on it."""
    yield from _section(
        "Dependencies",
        [
            f"{each.source_entity_name} {each.dependency_type.replace('_', ' ')} "
            f"{each.target_entity_name}"
            for each in dependencies
        ],
    )


def memory_lines(memories: Sequence[EntityMemory]) -> Iterator[str]:
    """Write the newest memories of an entity."""
    yield from _section(
        "Newest memories",
        [f"{local_date(each.created_at)}{_GAP}{each.content}" for each in memories],
    )


def change_lines(changes: Sequence[EntityChangeRow]) -> Iterator[str]:
    """Write the user's changes of an entity with the ids by which they are undone."""
    yield from _section(
        "Your changes",
        [
            f"{each.id}{_GAP}{local_date(each.created_at)}{_GAP}{each.summary}"
            + (" (undone)" if each.undone_at else "")
            for each in changes
        ],
    )


def _section(title: str, texts: Sequence[str]) -> Iterator[str]:
    if not texts:
        return
    yield ""
    yield title
    for text in texts:
        yield paragraph(" ".join(text.split()), "  ")
