"""The names of a graph in memory, which applies what the linker finds as the daemon does."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from intaglio.domain.entity_kinds import SHARED_TYPES, EntityType
from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.linking.link import link
from intaglio.graph.linking.values import (
    Existing,
    KnownName,
    LinkedText,
    NewEntity,
    ProjectItself,
    Target,
    TextToLink,
)


@dataclass(slots=True)
class NamedEntity:
    """An entity: ``project`` is None for one that all projects share."""

    name: str
    type: EntityType
    project: str | None
    mentions: int = 0
    aliases: set[str] = field(default_factory=set[str])


@dataclass(slots=True)
class GraphNames:
    """Entities and their aliases, written by the texts that are linked in turn."""

    entities: list[NamedEntity] = field(default_factory=list[NamedEntity])
    asked: int = 0

    def link(self, text: TextToLink) -> LinkedText:
        """Link a text and write what it names."""
        found = link(text, lambda names: self.find(names, text.project_name))
        for mention in found.mentions:
            entity = self.entities[self.number(mention.target, text.project_name)]
            entity.aliases.add(canonical_name(mention.surface))
        for target in {mention.target for mention in found.mentions}:
            self.entities[self.number(target, text.project_name)].mentions += 1
        return found

    def find(
        self, names: Collection[str], project: str | None
    ) -> Mapping[str, Sequence[KnownName]]:
        """Return what the names mean in a project, in others as far as they name projects."""
        self.asked += 1
        known: defaultdict[str, list[KnownName]] = defaultdict(list)
        wanted = set(names)
        for number, entity in enumerate(self.entities):
            if entity.project in {None, project} or entity.type == "project":
                for alias in sorted(entity.aliases & wanted):
                    known[alias].append(
                        KnownName(
                            entity=number,
                            canonical=alias,
                            type=entity.type,
                            project=entity.project,
                            mentions=entity.mentions,
                            name=entity.name,
                        )
                    )
        return known

    def number(self, target: Target, project: str | None) -> int:
        """Return the number of a target's entity, which is made if there is none."""
        match target:
            case Existing(entity=number, type=type_, aliases=aliases):
                entity = self.entities[number]
                entity.type = type_ or entity.type
                entity.aliases |= {canonical_name(alias) for alias in aliases}
                return number
            case NewEntity(name=name, canonical=canonical, type=type_, aliases=aliases):
                number = self.keyed(name, canonical, type_, project)
                self.entities[number].aliases |= {canonical_name(alias) for alias in aliases}
                return number
            case ProjectItself() if project is not None:
                return self.keyed(project, canonical_name(project), "project", project)
            case _:
                return self.keyed("You", "you", "person", None)

    def keyed(self, name: str, canonical: str, type_: EntityType, project: str | None) -> int:
        """Return the entity with this key."""
        scope = None if type_ in SHARED_TYPES else project
        for number, entity in enumerate(self.entities):
            if (canonical_name(entity.name), entity.type, entity.project) == (
                canonical,
                type_,
                scope,
            ):
                return number
        self.entities.append(
            NamedEntity(name, type_, scope, aliases={canonical, canonical_name(name)})
        )
        return len(self.entities) - 1
