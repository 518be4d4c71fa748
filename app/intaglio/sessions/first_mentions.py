"""Finds what holds about something that a session names for the first time.

A later prompt may go on to a tool, a service or a file that nobody has spoken of in the session. If
a rule or a decision is about it, that is worth one line.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from operator import attrgetter
from typing import Final

from intaglio.graph.entity_rows import aliases_of
from intaglio.graph.linking.lexicon.ordinary_words import is_ordinary
from intaglio.graph.name_lookup import USER_NAME
from intaglio.graph.traversal.focal import named_entities
from intaglio.graph.traversal.focal_rows import groups
from intaglio.graph.traversal.walk_rows import constraints, naming
from intaglio.graph.values import Entity
from intaglio.language.topics import topic_words
from intaglio.memory import rows as memories
from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.sessions import rows
from intaglio.sessions.selection.focal_memories import shown_name
from intaglio.sessions.selection.later_sessions import later_sessions
from intaglio.sessions.values import ContextCandidate, SessionRef
from intaglio.store.tx import ReadTx

NAMED_FIRST: Final = "about {}, which the session names for the first time"
_SETTLES: Final = frozenset({"decision", "rule"})
# Of an entity's constraints, and of the memories that name it, so many are read.
_MOST: Final = 10
_WORD: Final = re.compile(r"\w+")


def first_mention(
    tx: ReadTx, session: SessionRef, filters: Filter, prompt: str, seen: Mapping[str, str]
) -> ContextCandidate | None:
    """Return the strongest rule or decision about what a prompt names for the first time.

    What an earlier prompt of the session named, or something that it was told, is known to it.
    ``seen`` are the memories in the session's context.
    """
    found = [each for each in named_entities(tx, filters, prompt) if _is_telling(each)]
    if not found:
        return None
    names = _names(tx, found)
    earlier = _said_before(tx, session)
    said = topic_words(prompt)
    for entity in found:
        if any(map(earlier.names, names[entity.seq])):
            continue
        about = [each for each in _about(tx, entity, filters, said) if each.id not in seen]
        if about:
            strongest = max(about, key=_strength)
            later = later_sessions(tx, (strongest,), filters, session).get(strongest.id)
            reason = NAMED_FIRST.format(shown_name(entity.name))
            score = round(strongest.importance, 4)
            return ContextCandidate(strongest, reason, score, replaced_on=later)
    return None


def _is_telling(entity: Entity) -> bool:
    """Whether an entity's name says what a prompt is about: not the project, no ordinary word."""
    if entity.type == "project" or entity.name == USER_NAME:
        return False
    return entity.pinned or entity.origin == "user" or not is_ordinary(entity.canonical_name)


def _names(tx: ReadTx, found: Sequence[Entity]) -> dict[int, list[str]]:
    members = groups(tx, [each.seq for each in found])
    root = {member: seq for seq, each in members.items() for member in each}
    names = {each.seq: [each.name] for each in found}
    for alias in aliases_of(tx, sorted(root)):
        names[root[alias.entity]] += [alias.alias, alias.canonical]
    return names


def _about(tx: ReadTx, entity: Entity, filters: Filter, said: frozenset[str]) -> Iterator[Memory]:
    """Yield constraints of an entity, and rules and decisions on what the prompt says of it."""
    members = groups(tx, [entity.seq])[entity.seq]
    binding = constraints(tx, members, filters)
    own = {each.memory for each in nlargest(_MOST, binding, key=attrgetter("importance", "seq"))}
    known = memories.by_seq(tx, sorted({*own, *naming(tx, members, _MOST, filters)}))
    name = topic_words(entity.name)
    for seq, memory in known.items():
        shares = (topic_words(memory.content) & said) - name
        if seq in own or (memory.type in _SETTLES and shares):
            yield memory


def _strength(memory: Memory) -> tuple[bool, float, str, int]:
    return memory.pinned, memory.importance, memory.worded_at, memory.seq


@dataclass(frozen=True, slots=True)
class _Earlier:
    """The words of a session's prompts, and the lines of what it was told."""

    prompts: Sequence[frozenset[str]]
    told: Sequence[str]

    def names(self, name: str) -> bool:
        """Whether one of them has a name; a prompt has its words in any order."""
        words = _words(name)
        line = _line(name)
        return any(map(frozenset(words).issubset, self.prompts)) or any(
            line in each for each in self.told
        )


def _said_before(tx: ReadTx, session: SessionRef) -> _Earlier:
    found = rows.said_before(tx, session)
    prompts = [frozenset(_words(" ".join(terms))) for terms, _ in found]
    return _Earlier(prompts, [_line(text) for _, text in found if text])


def _line(text: str) -> str:
    return f" {' '.join(_words(text))} "


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
