"""Writes what a text says of named things: triples that a language model read in it.

A model names things that aren't there, so a triple counts only where both ends are names in the
text itself, found by the same rules as those of the linker, or known in its scope.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from intaglio.base.events import Changed
from intaglio.base.text import clip
from intaglio.graph import entity_rows as rows
from intaglio.graph import relation_rows as relations
from intaglio.graph.collection import TOPIC
from intaglio.graph.entity_writer import EntityWriter
from intaglio.graph.link_memory import text_of
from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.linking.lexicon.ordinary_words import FUNCTION_WORDS, is_ordinary
from intaglio.graph.linking.link import link
from intaglio.graph.linking.relation_names import relation_name
from intaglio.graph.linking.resolution import choose
from intaglio.graph.linking.values import (
    Existing,
    LinkedText,
    NewEntity,
    Target,
    TextToLink,
)
from intaglio.graph.name_lookup import NameLookup
from intaglio.graph.settings import GraphSettings
from intaglio.memory.operations import ChangeContext
from intaglio.memory.values import Memory, Scope
from intaglio.projects.names import display_name
from intaglio.store.tx import WriteTx

MOST_TRIPLES: Final = 50
_LONGEST_NAME: Final = 80
_MOST_WORDS: Final = 4
_MOST_PLACES: Final = 20
_SURE_OF_PHRASE: Final = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Triple:
    """Something that a text says of two things; the confidence is 0 to 1."""

    source: str
    relationship: str
    target: str
    confidence: float


@dataclass(frozen=True, slots=True)
class OfMemory:
    """The triples stand in a memory, which was read in this transaction and is live."""

    memory: Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class OfMessage:
    """The triples stand in a message of a transcript, by its row number, in this scope."""

    message: int
    text: str
    scope: Scope


TripleSource: TypeAlias = OfMemory | OfMessage


@dataclass(frozen=True, slots=True)
class StatedRelations:
    """How many triples of a text are relations now, and why the others aren't."""

    written: int
    rejected: tuple[str, ...] = ()


class _End(NamedTuple):
    """What a name means, and where it stands if the linker didn't find it there."""

    target: Target
    place: tuple[int, int] | None = None
    confidence: float = 1.0


def state_relations(
    tx: WriteTx, triples: Sequence[Triple], source: TripleSource, context: ChangeContext
) -> StatedRelations:
    """Write the triples that a text states; what it has stated before is not counted again.

    Entities that a memory didn't name so far get a mention. Those that only messages name aren't
    shown before a memory names them. While the graph is off, nothing is written.
    """
    if not triples or not context.settings().of(GraphSettings).enabled:
        return StatedRelations(0)
    writing = _Writing.of(tx, source, context)
    rejected = [
        f"{clip(each.source, 40)} {clip(each.relationship, 40)} {clip(each.target, 40)}: {reason}"
        for each in triples[:MOST_TRIPLES]
        if (reason := writing.write(each))
    ]
    writing.finish()
    return StatedRelations(min(len(triples), MOST_TRIPLES) - len(rejected), tuple(rejected))


@dataclass(slots=True)
class _Writing:
    """Writes the triples of one text."""

    source: TripleSource
    text: TextToLink
    linked: LinkedText
    names: NameLookup
    writer: EntityWriter
    _targets: dict[str, Target]
    _before: set[int] = field(default_factory=set[int])
    _mentioned: set[int] = field(default_factory=set[int])

    @classmethod
    def of(cls, tx: WriteTx, source: TripleSource, context: ChangeContext) -> "_Writing":
        """Read what the text names by the linker's rules."""
        if isinstance(source, OfMemory):
            text, scope = text_of(source.memory), source.memory.scope
            before = set(rows.linked(tx, source.memory.seq))
        else:
            text, scope, before = _text_of_message(source), source.scope, set[int]()
        names = NameLookup(tx, scope)
        linked = link(text, names.find)
        written = frozenset(canonical_name(mention.surface) for mention in linked.mentions)
        writer = EntityWriter(
            tx, scope, context.new_id, context.now, names, written, origin="classifier"
        )
        targets = {canonical_name(each.surface): each.target for each in linked.mentions}
        return cls(source, text, linked, names, writer, targets, before)

    def write(self, triple: Triple) -> str:
        """Write a triple; return why not, empty if it was."""
        relation = relation_name(triple.relationship)
        if relation is None:
            return "it has no relationship"
        ends: list[_End] = []
        for name in (triple.source, triple.target):
            end = self._resolve(name)
            if isinstance(end, str):
                return end
            ends.append(end)
        source, target = (self._entity(end, triple.confidence) for end in ends)
        if source == target:
            return "both ends are the same"
        tx, new_id = self.writer.tx, self.writer.new_id()
        if relation.is_reversed:
            source, target = target, source
        key = relations.RelationKey(
            source, target, relation.name, self.writer.scope.agent_id, relation.edge_type
        )
        edge = relations.state(tx, new_id, key, triple.confidence, self.writer.at)
        match self.source:
            case OfMemory(memory=memory):
                relations.add_memory(tx, edge, memory.seq)
            case OfMessage(message=message):
                relations.add_message(tx, edge, message)
        return ""

    def finish(self) -> None:
        """Count the memory of the entities that it didn't name before."""
        tx, writer = self.writer.tx, self.writer
        if self._mentioned:
            named = {each for seq in self._mentioned for each in (seq, rows.root_of(tx, seq))}
            rows.count_new_memory(tx, named, writer.at, writer.fresh & named)
        if writer.made:
            tx.publish(Changed(TOPIC, "added", tuple(writer.made)))
        elif self._mentioned:
            tx.publish(Changed(TOPIC, "updated", ()))

    def _entity(self, end: _End, confidence: float) -> int:
        """Return the row number of an end's entity; a memory that names it anew mentions it."""
        tx = self.writer.tx
        seq = self.writer.entity(end.target)
        if end.place is None or not isinstance(self.source, OfMemory):
            return seq
        start, end_ = end.place
        alias = self.writer.alias(seq, self.text.text[start:end_])
        sure = min(end.confidence, confidence)
        rows.add_mention(tx, self.source.memory.seq, start, end_, alias, sure)
        if seq not in self._before:
            self._mentioned.add(seq)
            self._before.add(seq)
        return seq

    def _resolve(self, name: str) -> _End | str:
        """Return what a name means, or why it means nothing."""
        bare = " ".join(name.split()).strip("\"'`*")
        canonical = canonical_name(bare) if len(bare) <= _LONGEST_NAME else ""
        if not canonical or not any(map(str.isalpha, canonical)) or canonical in FUNCTION_WORDS:
            return f"{clip(name, 40)!r} is no name"
        if canonical in self._targets:
            return _End(self._targets[canonical])
        target = self._named_alone(bare)
        if target is not None and (own := self._same_in_text(target)) is not None:
            return _End(own)
        place = _place_of(bare, self.text.text)
        if place is None:
            return f"{clip(name, 40)!r} isn't in the text"
        self.writer.written |= {canonical}
        end = _End(target, place) if target is not None else self._phrase(canonical, place)
        return end or f"{clip(name, 40)!r} is no name"

    def _phrase(self, canonical: str, place: tuple[int, int]) -> _End | None:
        """Return what words mean that no rule takes for a name; None if they name nothing."""
        known = choose(self.names.find((canonical,)).get(canonical, ()), "unknown")
        if known is not None:
            return _End(Existing(known.entity), place)
        if not _may_be_name(canonical):
            return None
        new = NewEntity(name=self.text.text[slice(*place)], canonical=canonical, type="unknown")
        return _End(new, place, _SURE_OF_PHRASE)

    def _named_alone(self, name: str) -> Target | None:
        """Return what the linker takes a name for that stands alone."""
        found = link(
            TextToLink(
                text=name,
                memory_type="fact",
                importance=0.5,
                by_user=False,
                project_name=self.text.project_name,
            ),
            self.names.find,
        )
        whole = [each for each in found.mentions if each.start == 0 and each.end == len(name)]
        return whole[0].target if whole else None

    def _same_in_text(self, target: Target) -> Target | None:
        """Return the target of the text that means the same, under whatever name."""
        for each in self._targets.values():
            match target, each:
                case Existing(entity=one), Existing(entity=other) if one == other:
                    return each
                case Existing(entity=one), _ if one == self.writer.known(each):
                    return each
                case NewEntity(canonical=one), NewEntity(canonical=other) if one == other:
                    return each
                case _ if target == each:
                    return each
                case _:
                    pass
        return None


def _text_of_message(source: OfMessage) -> TextToLink:
    project = source.scope.project
    return TextToLink(
        text=source.text,
        memory_type="fact",
        importance=0.5,
        by_user=False,
        project_name=None if project is None else display_name(project),
    )


def _may_be_name(canonical: str) -> bool:
    """Tell whether some words may name something that no list and no rule knows."""
    words = canonical.split()
    if not 1 < len(words) <= _MOST_WORDS:
        return False
    if words[0] in FUNCTION_WORDS or words[-1] in FUNCTION_WORDS:
        return False
    return not all(map(is_ordinary, words))


def _place_of(name: str, text: str) -> tuple[int, int] | None:
    """Return where a name stands in a text as whole words, in any casing."""
    low, wanted = text.lower(), name.lower()
    if len(low) != len(text):
        low, wanted = text, name
    start = -1
    for _ in range(_MOST_PLACES):
        start = low.find(wanted, start + 1)
        if start < 0:
            return None
        end = start + len(wanted)
        if not (low[start - 1 : start].isalnum() or low[end : end + 1].isalnum()):
            return start, end
    return None
