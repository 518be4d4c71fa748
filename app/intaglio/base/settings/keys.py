"""What each key of ``agent.yaml`` means: a setting in one of its spellings, or one of Signet's.

A key is accepted in camelCase and in snake_case, and one below ``memory.pipelineV2`` also in its
flat form: ``graphEnabled`` is ``graph.enabled``.
"""

import difflib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, cast

from intaglio.base.agent_yaml.roster import KEY as ROSTER
from intaglio.base.agent_yaml.signet_keys import (
    FREE_KEYS,
    OTHER_FLAT_KEYS,
    SIGNET_KEYS,
    SIGNET_SECTIONS,
)
from intaglio.base.settings.declaration import HARNESS, SettingsSection
from intaglio.base.settings.listing import all_settings

_PIPELINE: Final = "memory.pipelineV2."
_FLAT_DEPTH: Final = 2
_MIN_SIMILARITY: Final = 0.6

# Sections that Signet accepts at several places; the longest are first.
_MOVED: Final = (
    ("memory.embeddings", "embedding"),
    ("embeddings", "embedding"),
    ("pipelineV2", "memory.pipelineV2"),
)


def camel(name: str) -> str:
    """Spell a name in camelCase: ``base_url`` becomes ``baseUrl``; anything odd stays as it is."""
    first, *others = name.split("_")
    if not first or not all(others):
        return name
    return first + "".join(word[0].upper() + word[1:] for word in others)


def folded(key: str) -> str:
    """Spell every part of a dotted key in camelCase, and its section where it belongs."""
    key = ".".join(camel(part) for part in key.split("."))
    for place, target in _MOVED:
        if key == place or key.startswith(f"{place}."):
            return target + key.removeprefix(place)
    return key


def flat_form(key: str) -> str | None:
    """Return the flat form of a key below ``memory.pipelineV2``; None if it has none."""
    parts = key.removeprefix(_PIPELINE).split(".")
    if not key.startswith(_PIPELINE) or len(parts) != _FLAT_DEPTH:
        return None
    return f"{_PIPELINE}{parts[0]}{parts[1][0].upper()}{parts[1][1:]}"


def spellings(key: str, others: Collection[str]) -> list[str]:
    """Return the keys under which a setting is found, its own first, all folded."""
    flat = flat_form(key)
    return [folded(one) for one in (key, *others, *([flat] if flat else ()))]


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """A key of a file with its value, as it is spelled there and folded."""

    spelled: str
    key: str
    value: object


@dataclass(frozen=True)
class KnownKeys:
    """The keys of these sections, for the harnesses with these names in camelCase."""

    sections: Sequence[SettingsSection]
    harnesses: Collection[str]

    @cached_property
    def settings(self) -> Mapping[str, str]:
        """The dotted key of each setting, by every spelling of it."""
        found: dict[str, str] = {}
        for info in all_settings(self.sections):
            if info.by_harness:
                found |= {
                    folded(key): key
                    for key in (info.key.replace(HARNESS, name) for name in self.harnesses)
                }
            else:
                found |= dict.fromkeys(spellings(info.key, info.other_keys), info.key)
        return found

    @cached_property
    def signet(self) -> Mapping[str, str]:
        """What the single keys of Signet are for, by every spelling."""
        flat = {form: meaning for key, meaning in SIGNET_KEYS.items() if (form := flat_form(key))}
        every = {**flat, **OTHER_FLAT_KEYS, **SIGNET_KEYS}
        return {folded(key): meaning for key, meaning in every.items()}

    @cached_property
    def headings(self) -> frozenset[str]:
        """The keys below which others are known."""
        known = [*self.settings, *self.signet, *SIGNET_SECTIONS, *FREE_KEYS, ROSTER]
        moved = [target for target, _ in _MOVED]
        return frozenset(
            ".".join(parts[:depth])
            for parts in (key.split(".") for key in known)
            for depth in range(1, len(parts))
        ) | {*moved}

    def unused(self, key: str) -> str:
        """Return what a folded key is for in Signet; empty if it isn't one of Signet's."""
        found = self.signet.get(key)
        if found:
            return found
        for section in sorted(SIGNET_SECTIONS, key=len, reverse=True):
            rest = key.removeprefix(section)
            is_flat = section.startswith(_PIPELINE) and rest[:1].isupper()
            if key.startswith(section) and (rest[:1] in {"", "."} or is_flat):
                return SIGNET_SECTIONS[section]
        return ""

    def is_free(self, key: str) -> bool:
        """Whether a key and anything below it is accepted."""
        return any(key == one or key.startswith(f"{one}.") for one in (*FREE_KEYS, ROSTER))

    def suggestion(self, key: str) -> str:
        """Return the closest key of a setting, if there is one."""
        known = {**self.settings, ROSTER: ROSTER}
        close = difflib.get_close_matches(key, known, n=1, cutoff=_MIN_SIMILARITY)
        return known[close[0]] if close else ""

    def entries(self, tree: Mapping[str, object]) -> Iterator[KeyEntry]:
        """List the keys of a file that are settings, Signet's, or unknown; not the free ones.

        A heading without anything below it is left out.
        """
        yield from self._below(tree, "")

    def _below(self, node: Mapping[str, object], above: str) -> Iterator[KeyEntry]:
        for name, value in node.items():
            spelled = f"{above}{name}"
            key = folded(spelled)
            if self.is_free(key):
                continue
            if key in self.headings and key not in self.settings:
                if isinstance(value, Mapping):
                    yield from self._below(cast("Mapping[str, object]", value), f"{spelled}.")
                    continue
                if value is None:
                    continue
            yield KeyEntry(spelled, key, value)


@lru_cache(maxsize=4)
def known_keys(sections: tuple[SettingsSection, ...], harnesses: frozenset[str]) -> KnownKeys:
    """Return the keys of these sections; spelling them takes longer than reading a file."""
    return KnownKeys(sections, harnesses)
