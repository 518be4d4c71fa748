"""Changes of a graph that are chosen by numbers."""

from collections.abc import Callable
from dataclasses import dataclass

from fakes.edited_graph import GraphStore
from intaglio.domain.entity_kinds import ENTITY_TYPES
from intaglio.domain.reader import USER
from intaglio.graph import query_rows
from intaglio.graph.edits.aliases import remove_alias
from intaglio.graph.edits.merge import merge
from intaglio.graph.edits.names import add_alias, rename, retype
from intaglio.graph.edits.split import SplitOff, split
from intaglio.graph.mention_rows import facts
from intaglio.graph.values import Entity

NAMES = ("billing-api", "Billing-API", "ledger-api", "Marco Rossi", "PostgreSQL", "Go", "audit-api")
TEXTS = (
    "`billing-api` stores invoices in Postgres",
    "Marco Rossi owns the `billing-api`",
    "Deploys of the `ledger-api` need an approval by Marco Rossi",
    "We use PostgreSQL 16 for the `ledger-api`, never MySQL",
    "The `audit-api` calls the `billing-api` and the `ledger-api`",
    "Always write the `audit-api` in Go",
    "Marco prefers tabs",
    "The billing-api is slow on Mondays",
)


@dataclass(frozen=True)
class Chooser:
    """Chooses entities, names and memories; ``of`` returns a number below another one."""

    graph: GraphStore
    of: Callable[[int], int]

    def entity(self) -> Entity:
        found = self.graph.entities()
        return found[self.of(len(found))]

    def name(self) -> str:
        return NAMES[self.of(len(NAMES))]

    def text(self) -> str:
        return TEXTS[self.of(len(TEXTS))]

    def merge(self) -> object:
        return merge(self.graph.tx, self.entity(), self.entity(), self.graph.edit)

    def split(self) -> object:
        entity = self.entity()
        known = [each.id for each in facts(self.graph.tx, entity.seq, USER, None, 100)]
        wanted = [each for each in known if self.of(2)]
        if not wanted:
            return None
        type_ = ENTITY_TYPES[self.of(len(ENTITY_TYPES))] if self.of(2) else None
        new = SplitOff(f"{self.name()} (other)", type_, wanted)
        return split(self.graph.tx, entity, new, USER, self.graph.edit)

    def rename(self) -> object:
        return rename(self.graph.tx, self.entity(), self.name(), self.graph.edit)

    def retype(self) -> object:
        type_ = ENTITY_TYPES[self.of(len(ENTITY_TYPES))]
        return retype(self.graph.tx, self.entity(), type_, self.graph.edit)

    def add_alias(self) -> object:
        return add_alias(self.graph.tx, self.entity(), self.name(), self.graph.edit)

    def remove_alias(self) -> object:
        entity = self.entity()
        names = query_rows.aliases(self.graph.tx, entity.seq, USER)
        if not names:
            return None
        return remove_alias(self.graph.tx, entity, names[self.of(len(names))].seq, self.graph.edit)

    def change(self) -> object:
        """Make one of the changes."""
        changes = (
            *(self.merge, self.split, self.rename),
            *(self.retype, self.add_alias, self.remove_alias),
        )
        return changes[self.of(len(changes))]()
