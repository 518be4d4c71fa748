"""Finds what names may mean in a memory's scope, and the entities that a text's targets are."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from intaglio.domain.entity_kinds import SHARED_TYPES, EntityType
from intaglio.graph import entity_rows as rows
from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.linking.values import (
    Existing,
    KnownName,
    NewEntity,
    ProjectItself,
    Target,
    UserThemself,
)
from intaglio.memory.values import Scope
from intaglio.projects.names import display_name
from intaglio.store.tx import ReadTx

USER_NAME: Final = "You"
"""The name of the entity that stands for the user."""


@dataclass(slots=True)
class NameLookup:
    """Looks up names for the texts of a scope.

    ``aliases`` are the row numbers of those that were found, by entity and canonical name;
    ``owners`` the entities that have them, which may have been merged into those.
    """

    tx: ReadTx
    scope: Scope
    aliases: dict[tuple[int, str], int] = field(default_factory=dict[tuple[int, str], int])
    owners: dict[int, int] = field(default_factory=dict[int, int])

    def find(self, canonicals: Collection[str]) -> Mapping[str, Sequence[KnownName]]:
        """Return what these names may mean in the scope."""
        known: defaultdict[str, list[KnownName]] = defaultdict(list)
        for match in rows.find_aliases(
            self.tx, canonicals, self.scope.agent_id, self.scope.project
        ):
            self.aliases.setdefault((match.entity, match.canonical), match.alias)
            self.owners[match.alias] = match.owner
            known[match.canonical].append(
                KnownName(
                    entity=match.entity,
                    canonical=match.canonical,
                    type=match.type,
                    project=match.project,
                    mentions=match.mentions,
                    by_user=match.origin == "user",
                    name=match.name,
                )
            )
        return known


def entity_key(scope: Scope, canonical: str, type_: EntityType) -> rows.EntityKey:
    """Return the key of an entity that a memory of this scope names."""
    return rows.EntityKey(
        agent_id=scope.agent_id,
        project=None if type_ in SHARED_TYPES else scope.project,
        canonical=canonical,
        type=type_,
    )


def subject_of(scope: Scope, target: ProjectItself | UserThemself) -> tuple[str, EntityType]:
    """Return the name and type of what a text without another subject is about."""
    if isinstance(target, ProjectItself) and scope.project is not None:
        return display_name(scope.project), "project"
    return USER_NAME, "person"


def find_target(tx: ReadTx, scope: Scope, target: Target) -> int | None:
    """Return the row number of the entity that a target counts as, None if there is none."""
    if isinstance(target, Existing):
        return rows.root_of(tx, target.entity) if rows.by_seq(tx, (target.entity,)) else None
    if isinstance(target, NewEntity):
        canonical, type_ = target.canonical, target.type
    else:
        name, type_ = subject_of(scope, target)
        canonical = canonical_name(name)
    known = rows.with_key(tx, entity_key(scope, canonical, type_))
    return None if known is None else rows.root_of(tx, known)
