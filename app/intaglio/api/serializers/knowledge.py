"""From values of the graph to the structs of the API."""

from collections.abc import Mapping

from intaglio.api.serializers.convert import convert
from intaglio.base.text import normal_form
from intaglio.graph.values import Aspect, Attribute, Dependency, Entity, EntityCounts
from intaglio.projects.names import display_name
from intaglio.wire import knowledge as wire


def entity_row(entity: Entity) -> wire.EntityRow:
    """Return an entity as the API shows it."""
    return convert(
        entity,
        wire.EntityRow,
        entity_type=entity.type,
        project_name=None if entity.project is None else display_name(entity.project),
    )


def reference(entity: Entity) -> wire.EntityReference:
    """Return an entity by id, name and type."""
    return wire.EntityReference(id=entity.id, name=entity.name, entity_type=entity.type)


def list_item(entity: Entity, counts: EntityCounts) -> wire.EntityListItem:
    """Return an entity with its counts."""
    return wire.EntityListItem(
        entity=entity_row(entity),
        aspect_count=counts.aspects,
        attribute_count=counts.attributes,
        constraint_count=counts.constraints,
        dependency_count=counts.incoming + counts.outgoing,
    )


def entity_detail(entity: Entity, counts: EntityCounts, merged: list[Entity]) -> wire.EntityDetail:
    """Return an entity as its page shows it."""
    item = list_item(entity, counts)
    return convert(
        item,
        wire.EntityDetail,
        structural_density=wire.StructuralDensity(
            aspect_count=item.aspect_count,
            attribute_count=item.attribute_count,
            constraint_count=item.constraint_count,
            dependency_count=item.dependency_count,
        ),
        incoming_dependency_count=counts.incoming,
        outgoing_dependency_count=counts.outgoing,
        merged=[reference(each) for each in merged],
    )


def aspect_item(aspect: Aspect) -> wire.AspectItem:
    """Return an aspect with its counts."""
    return wire.AspectItem(
        aspect=convert(aspect, wire.AspectRow),
        attribute_count=aspect.attributes,
        constraint_count=aspect.constraints,
    )


def attribute_row(attribute: Attribute, marks: Mapping[str | None, str]) -> wire.AttributeRow:
    """Return a fact or constraint of an entity; ``marks`` are those of memories, by id."""
    return convert(
        attribute,
        wire.AttributeRow,
        normalized_content=normal_form(attribute.content),
        mark=marks.get(attribute.memory_id, ""),
    )


def dependency_row(direction: str, dependency: Dependency) -> wire.DependencyRow:
    """Return a dependency as seen from one of its ends."""
    return convert(
        dependency,
        wire.DependencyRow,
        direction="outgoing" if direction == "outgoing" else "incoming",
        dependency_type=dependency.type,
        source_entity_id=dependency.source_id,
        source_entity_name=dependency.source_name,
        target_entity_id=dependency.target_id,
        target_entity_name=dependency.target_name,
    )
