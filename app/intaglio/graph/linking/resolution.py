"""Decides which entity each draft means: a known one, a new one, or the project itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from intaglio.base.entity_kinds import EntityType
from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.linking.detection.drafts import Draft
from intaglio.graph.linking.values import (
    Existing,
    FoundMention,
    KnownName,
    NewEntity,
    ProjectItself,
    Target,
)

_CLASSES: Final[Mapping[EntityType, str]] = {
    "person": "person",
    "organization": "organization",
    "project": "project",
}


def choose(names: Sequence[KnownName], type_: EntityType) -> KnownName | None:
    """Return what is most likely meant: in the project, then shared, then another project."""
    fitting = [name for name in names if fits(name.type, type_)]
    if not fitting:
        return None
    return min(fitting, key=lambda name: _preference(name, type_))


def _preference(name: KnownName, type_: EntityType) -> tuple[int, bool, bool, int, int]:
    scope = 1 if name.project is None else 2 if name.type == "project" else 0
    return (scope, name.type != type_, not name.by_user, -name.mentions, name.entity)


def fits(known: EntityType, found: EntityType) -> bool:
    """Tell whether what is known may be of the type that the text shows."""
    if "unknown" in {known, found}:
        return True
    return _CLASSES.get(known, "thing") == _CLASSES.get(found, "thing")


@dataclass(slots=True)
class _Group:
    """The drafts that mean the same."""

    drafts: list[Draft] = field(default_factory=list[Draft])
    aliases: dict[str, str] = field(default_factory=dict[str, str])


def resolve(
    drafts: Sequence[Draft],
    same: Mapping[str, str],
    known: Mapping[str, Sequence[KnownName]],
    project: str | None,
) -> list[FoundMention]:
    """Return the mentions of these drafts; ``same`` maps introduced names to the entity's own."""
    groups: dict[str, _Group] = {}
    for draft in drafts:
        key = same.get(draft.canonical, draft.canonical)
        if draft.type == "person" and f"{key}\0person" in same:
            key = same[f"{key}\0person"]
        groups.setdefault(key, _Group()).drafts.append(draft)
    for introduced, key in same.items():
        if key in groups and "\0" not in introduced:
            groups[key].aliases.setdefault(introduced, introduced)
    mentions: list[FoundMention] = []
    own = canonical_name(project) if project else None
    for key, group in groups.items():
        target = _target(key, group, known, own)
        mentions.extend(
            FoundMention(draft.start, draft.end, "", target, draft.confidence)
            for draft in group.drafts
        )
    return mentions


def _target(
    key: str, group: _Group, known: Mapping[str, Sequence[KnownName]], own: str | None
) -> Target:
    types: list[EntityType] = [draft.type for draft in group.drafts if draft.type != "unknown"]
    type_: EntityType = types[0] if types else "unknown"
    if own is not None and own in {key, *group.aliases} and type_ not in {"person", "organization"}:
        return ProjectItself()
    aliases = _aliases(key, group)
    for draft in group.drafts:
        for name in (*draft.keys, key):
            found = choose(known.get(name, ()), draft.type if draft.type != "unknown" else type_)
            if found is not None:
                upgraded = type_ if found.type == "unknown" != type_ else None
                new = tuple(
                    alias
                    for alias in aliases
                    if all(
                        each.entity != found.entity for each in known.get(canonical_name(alias), ())
                    )
                )
                return Existing(found.entity, upgraded, new)
    first = _known_by_first_name(key, known) if type_ == "person" else None
    if first is not None:
        return Existing(first.entity, None, (group.drafts[0].name, *aliases))
    main = next((draft for draft in group.drafts if draft.canonical == key), group.drafts[0])
    return NewEntity(name=main.name, canonical=key, type=type_, aliases=aliases)


def _known_by_first_name(
    canonical: str, known: Mapping[str, Sequence[KnownName]]
) -> KnownName | None:
    """Return the only person who is known by the first name of this full name and nothing else."""
    first, _, rest = canonical.partition(" ")
    people = [name for name in known.get(first, ()) if name.type == "person"]
    if not rest or len(people) != 1:
        return None
    return people[0] if canonical_name(people[0].name) == first else None


def _aliases(key: str, group: _Group) -> tuple[str, ...]:
    named: dict[str, str] = {}
    for draft in group.drafts:
        for alias in draft.aliases:
            named.setdefault(canonical_name(alias), alias)
        if draft.canonical != key:
            named.setdefault(draft.canonical, draft.name)
    return tuple(alias for canonical, alias in named.items() if canonical and canonical != key)
