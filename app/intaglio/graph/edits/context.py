"""Who makes a change, when, and how its record is written."""

from dataclasses import dataclass

from intaglio.base.events import Changed
from intaglio.base.ids import NewId
from intaglio.domain.entity_kinds import EntityChangeKind
from intaglio.graph import entity_rows as rows
from intaglio.graph.collection import TOPIC
from intaglio.graph.edits import change_rows as changes
from intaglio.graph.edits.outcomes import EntityEdited
from intaglio.graph.values import Entity
from intaglio.store.tx import WriteTx


@dataclass(frozen=True, slots=True)
class EditContext:
    """The time of a change, the source of ids, and the name of who makes it."""

    at: str
    new_id: NewId
    by: str

    def record(
        self, tx: WriteTx, entity: int, kind: EntityChangeKind, detail: dict[str, object]
    ) -> str:
        """Write the record of a change and return its id."""
        change_id = self.new_id()
        new = changes.NewEntityChange(change_id, entity, kind, detail, self.by)
        changes.insert(tx, new, self.at)
        return change_id


def edited(tx: WriteTx, seq: int, change_id: str | None = None, *others: Entity) -> EntityEdited:
    """Publish a change and return the entity as it is now; ``others`` changed with it."""
    entity = rows.by_seq(tx, (seq,))[seq]
    tx.publish(Changed(TOPIC, "updated", (entity.id, *(each.id for each in others))))
    return EntityEdited(entity, change_id)
