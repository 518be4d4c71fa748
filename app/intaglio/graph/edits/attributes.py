"""Changes of a fact's place in the graph by the user.

The fact's memory stays as it is: an attribute that is superseded or deleted only no longer says
anything about its entity.
"""

from dataclasses import dataclass

from intaglio.base.events import Changed
from intaglio.domain.entity_kinds import AttributeKind, AttributeStatus
from intaglio.domain.reader import Reader
from intaglio.graph import query_rows
from intaglio.graph import structure_rows as structure
from intaglio.graph.collection import TOPIC
from intaglio.graph.edits import change_rows as changes
from intaglio.graph.edits.context import EditContext
from intaglio.graph.edits.outcomes import AttributeEdited, AttributeOutcome, NoSuchAttribute
from intaglio.graph.linking.canonical import canonical_name
from intaglio.store.tx import WriteTx


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeEdit:
    """What to change of an attribute; None leaves it as it is. ``aspect`` is a name."""

    status: AttributeStatus | None = None
    kind: AttributeKind | None = None
    aspect: str | None = None


def edit_attribute(
    tx: WriteTx, attribute_id: str, edit: AttributeEdit, reader: Reader, context: EditContext
) -> AttributeOutcome:
    """Change an attribute that the reader sees; its place is the user's from then on."""
    known = query_rows.attribute(tx, attribute_id, reader)
    if known is None:
        return NoSuchAttribute()
    row = changes.attribute_place(tx, known.seq)
    aspect = row.aspect
    if edit.aspect is not None:
        aspect = structure.aspect(
            tx,
            context.new_id(),
            structure.AspectKey(row.entity, known.agent_id, canonical_name(edit.aspect)),
            edit.aspect,
            context.at,
        )
    wanted = (edit.kind or known.kind, edit.status or known.status, aspect)
    if wanted == (known.kind, known.status, row.aspect):
        return AttributeEdited(known)
    changes.set_attribute(tx, known.seq, *wanted, context.at)
    if row.aspect is not None and row.aspect != aspect:
        changes.drop_empty_aspect(tx, row.aspect)
    tx.publish(Changed(TOPIC, "updated", (known.entity_id,)))
    now = query_rows.attribute(tx, attribute_id, reader)
    return NoSuchAttribute() if now is None else AttributeEdited(now)
