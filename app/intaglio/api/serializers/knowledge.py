"""From values of the graph to the structs of the API."""

from intaglio.base.text import normal_form
from intaglio.graph.values import Aspect, Attribute, Dependency, Entity, EntityCounts
from intaglio.projects.names import display_name
from intaglio.wire import knowledge as wire


def entity_row(entity: Entity) -> wire.EntityRow:
    """Return an entity as the API shows it."""
    return wire.EntityRow(
        id=entity.id,
        name=entity.name,
        canonical_name=entity.canonical_name,
        entity_type=entity.type,
        agent_id=entity.agent_id,
        description=entity.description,
        mentions=entity.mentions,
        pinned=entity.pinned,
        pinned_at=entity.pinned_at,
        created_at=entity.created_at,
        updated_at=entity.updated_at,
        project=entity.project,
        project_name=None if entity.project is None else display_name(entity.project),
        origin=entity.origin,
        suppressed=entity.suppressed,
        weight_override=entity.weight_override,
        pin_reason=entity.pin_reason,
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
    return wire.EntityDetail(
        entity=item.entity,
        aspect_count=item.aspect_count,
        attribute_count=item.attribute_count,
        constraint_count=item.constraint_count,
        dependency_count=item.dependency_count,
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
        aspect=wire.AspectRow(
            id=aspect.id,
            entity_id=aspect.entity_id,
            agent_id=aspect.agent_id,
            name=aspect.name,
            canonical_name=aspect.canonical_name,
            weight=aspect.weight,
            created_at=aspect.created_at,
            updated_at=aspect.updated_at,
        ),
        attribute_count=aspect.attributes,
        constraint_count=aspect.constraints,
    )


def attribute_row(attribute: Attribute) -> wire.AttributeRow:
    """Return a fact or constraint of an entity."""
    return wire.AttributeRow(
        id=attribute.id,
        aspect_id=attribute.aspect_id,
        agent_id=attribute.agent_id,
        memory_id=attribute.memory_id,
        kind=attribute.kind,
        content=attribute.content,
        normalized_content=normal_form(attribute.content),
        confidence=attribute.confidence,
        importance=attribute.importance,
        status=attribute.status,
        superseded_by=attribute.superseded_by,
        created_at=attribute.created_at,
        updated_at=attribute.updated_at,
        origin=attribute.origin,
    )


def dependency_row(direction: str, dependency: Dependency) -> wire.DependencyRow:
    """Return a dependency as seen from one of its ends."""
    return wire.DependencyRow(
        id=dependency.id,
        direction="outgoing" if direction == "outgoing" else "incoming",
        dependency_type=dependency.type,
        strength=dependency.strength,
        aspect_id=dependency.aspect_id,
        source_entity_id=dependency.source_id,
        source_entity_name=dependency.source_name,
        target_entity_id=dependency.target_id,
        target_entity_name=dependency.target_name,
        created_at=dependency.created_at,
        updated_at=dependency.updated_at,
    )
