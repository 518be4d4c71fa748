"""Decides which entity each draft means: a known one, a new one, or the project itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from intaglio.domain.entity_kinds import EntityType
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


_MET: Final = 0.6


@dataclass(slots=True)
class SameNames:
    """The entity's own canonical name for each other name that the text gives it.

    First names and surnames stand apart, for they may be those of tools, too.
    """

    names: dict[str, str] = field(default_factory=dict[str, str])
    people: dict[str, str] = field(default_factory=dict[str, str])

    def key_of(self, draft: Draft) -> str:
        """Return the canonical name of the entity that a draft means."""
        key = self.names.get(draft.canonical, draft.canonical)
        return self.people.get(key, key) if draft.type == "person" else key


def resolve(
    drafts: Sequence[Draft],
    same: SameNames,
    known: Mapping[str, Sequence[KnownName]],
    project: str | None,
) -> list[FoundMention]:
    """Return the mentions of these drafts; those of one name and class mean the same."""
    keys = [same.key_of(draft) for draft in drafts]
    people = {key for key, draft in zip(keys, drafts, strict=True) if draft.type == "person"}
    groups: dict[tuple[str, bool], list[Draft]] = {}
    for key, draft in zip(keys, drafts, strict=True):
        person = draft.type == "person" or (draft.type == "unknown" and key in people)
        groups.setdefault((key, person), []).append(draft)
    mentions: list[FoundMention] = []
    own = canonical_name(project) if project else None
    for (key, person), group in groups.items():
        introduced = {name for name, meant in same.names.items() if meant == key}
        is_own = own is not None and not person and own in {key, *introduced}
        target = _target(key, group, known, is_own=is_own)
        least = _MET if _is_met(target, group, known) else 0.0
        mentions.extend(
            FoundMention(draft.start, draft.end, "", target, max(least, draft.confidence))
            for draft in group
        )
    return mentions


def _is_met(
    target: Target, group: Sequence[Draft], known: Mapping[str, Sequence[KnownName]]
) -> bool:
    """Tell whether another memory names this entity, or the user."""
    return isinstance(target, Existing) and any(
        name.entity == target.entity and (name.mentions > 0 or name.by_user)
        for draft in group
        for key in draft.keys
        for name in known.get(key, ())
    )


def _target(
    key: str,
    group: Sequence[Draft],
    known: Mapping[str, Sequence[KnownName]],
    *,
    is_own: bool,
) -> Target:
    """Return what a group of drafts means; ``is_own`` if it bears the project's name."""
    types: list[EntityType] = [draft.type for draft in group if draft.type != "unknown"]
    type_: EntityType = types[0] if types else "unknown"
    if is_own and type_ != "organization":
        return ProjectItself()
    aliases = _aliases(key, group)
    for draft in group:
        for name in (*draft.keys, key):
            found = choose(known.get(name, ()), draft.type if draft.type != "unknown" else type_)
            if found is not None:
                upgraded = type_ if found.type == "unknown" != type_ else None
                return Existing(found.entity, upgraded, _new_names(aliases, found.entity, known))
    shorter = _known_by_shorter_name(key, type_, aliases, known)
    if shorter is not None:
        fuller: EntityType | None = type_ if shorter.type == "unknown" else None
        return Existing(shorter.entity, fuller, (group[0].name, *aliases))
    main = next((draft for draft in group if draft.canonical == key), group[0])
    return NewEntity(name=main.name, canonical=key, type=type_, aliases=aliases)


def _new_names(
    aliases: Sequence[str], entity: int, known: Mapping[str, Sequence[KnownName]]
) -> tuple[str, ...]:
    """Return the aliases that an entity doesn't have yet."""
    return tuple(
        alias
        for alias in aliases
        if all(each.entity != entity for each in known.get(canonical_name(alias), ()))
    )


def _known_by_shorter_name(
    canonical: str,
    type_: EntityType,
    aliases: Sequence[str],
    known: Mapping[str, Sequence[KnownName]],
) -> KnownName | None:
    """Return the only one known by nothing but the first name, or the name without "Ltd"."""
    if type_ == "person":
        first, _, rest = canonical.partition(" ")
        names = [first] if rest else []
    elif type_ == "organization":
        names = [canonical_name(alias) for alias in aliases]
    else:
        return None
    for name in names:
        allowed = {type_, "unknown"} if type_ == "organization" else {type_}
        found = [each for each in known.get(name, ()) if each.type in allowed]
        if len(found) == 1 and canonical_name(found[0].name) == name:
            return found[0]
    return None


def _aliases(key: str, group: Sequence[Draft]) -> tuple[str, ...]:
    """Return the other names that a group of drafts gives its entity."""
    named: dict[str, str] = {}
    for draft in group:
        for alias in draft.aliases:
            named.setdefault(canonical_name(alias), alias)
        if draft.canonical != key:
            named.setdefault(draft.canonical, draft.name)
    return tuple(alias for canonical, alias in named.items() if canonical and canonical != key)
