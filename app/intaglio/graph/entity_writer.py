"""Writes the entities that a text names, and their aliases."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from intaglio.base.ids import NewId
from intaglio.domain.entity_kinds import AliasOrigin, EntityOrigin, EntityType
from intaglio.graph import entity_rows as rows
from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.linking.values import (
    Existing,
    NewEntity,
    ProjectItself,
    Target,
    UserThemself,
)
from intaglio.graph.name_lookup import NameLookup, entity_key, subject_of
from intaglio.memory.values import Scope
from intaglio.store.tx import WriteTx


@dataclass(slots=True)
class EntityWriter:
    """Writes the entities of one text; equal targets become one entity.

    ``written`` are the canonical names that occur in the text; ``named`` collects the entities that
    it names or is about, also those that were merged into one of them; ``fresh`` the new ones that
    it names, ``made`` the ids of all new ones. ``origin`` says who makes them.
    """

    tx: WriteTx
    scope: Scope
    new_id: NewId
    at: str
    names: NameLookup
    written: frozenset[str]
    origin: EntityOrigin = "linker"
    made: list[str] = field(default_factory=list[str])
    named: set[int] = field(default_factory=set[int])
    fresh: set[int] = field(default_factory=set[int])
    _entities: dict[Target, int] = field(default_factory=dict[Target, int])

    def entity(self, target: Target) -> int:
        """Return the row number of a target's entity, which is made if there is none."""
        known = self._entities.get(target)
        if known is None:
            known = self._entities[target] = self._find_or_make(target)
        return known

    def known(self, target: Target) -> int | None:
        """Return the row number of a target that was written already."""
        return self._entities.get(target)

    def _find_or_make(self, target: Target) -> int:
        match target:
            case Existing(entity=seq, type=type_, aliases=aliases):
                if type_ is not None:
                    rows.set_type(self.tx, seq, type_, self.at)
                self._introduce(seq, aliases)
                return seq
            case NewEntity(name=name, canonical=canonical, type=type_, aliases=aliases):
                origin: AliasOrigin = "text" if canonical in self.written else "lexicon"
                before = len(self.made)
                seq = self._keyed(name, canonical, type_, origin)
                if len(self.made) > before:
                    self.fresh.add(seq)
                self._introduce(seq, aliases)
                return seq
            case ProjectItself() | UserThemself():
                # A project's key tells projects of the same name apart.
                name, type_ = subject_of(self.scope, target)
                return self._keyed(name, canonical_name(name), type_, "lexicon")

    def _introduce(self, seq: int, aliases: Sequence[str]) -> None:
        for alias in aliases:
            self.alias(seq, alias)

    def _keyed(self, name: str, canonical: str, type_: EntityType, origin: AliasOrigin) -> int:
        key = entity_key(self.scope, canonical, type_)
        known = rows.with_key(self.tx, key)
        if known is not None:
            return rows.root_of(self.tx, known)
        entity_id = self.new_id()
        seq = rows.insert(self.tx, entity_id, key, name, self.origin, self.at)
        self.made.append(entity_id)
        self.alias(seq, name, origin)
        return seq

    def alias(self, seq: int, surface: str, origin: AliasOrigin = "text") -> int:
        """Return the row number of a name of the entity, which is added if it is new."""
        canonical = canonical_name(surface)
        known = self.names.aliases.get((seq, canonical))
        self.named |= {seq, self.names.owners.get(known or 0, seq)}
        if known is None:
            known = rows.add_alias(self.tx, seq, surface, canonical, origin, self.at)
            self.names.aliases[seq, canonical] = known
        return known
