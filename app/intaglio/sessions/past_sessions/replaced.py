"""Tells what agents go on saying after it was replaced: "Done, installs run at night"."""

from dataclasses import dataclass, field, replace
from typing import Final

from intaglio.language.relations import Relation, Wording, relate
from intaglio.language.topics import topic_words
from intaglio.memory import rows as memories
from intaglio.memory.filters import Filter
from intaglio.store.tx import ReadTx

_SAYS_SO: Final[frozenset[Relation]] = frozenset({"duplicate", "refines"})
_MOST: Final = 60
_LONGEST_CHAIN: Final = 10
# Before two statements are compared: so much of the older one's words, and more than one.
_MIN_SHARED: Final = 2
_SHARE: Final = 0.4


@dataclass(frozen=True, slots=True)
class ReplacedStatement:
    """What was replaced, its topic words, and what holds in the end instead."""

    older: str
    words: frozenset[str]
    newer: str

    def is_stated_in(self, sentence: Wording, words: frozenset[str]) -> bool:
        """Whether a sentence says this, and not what holds instead."""
        return (
            len(self.words & words) >= max(_MIN_SHARED, _SHARE * len(self.words))
            and relate(sentence, Wording(self.older)) in _SAYS_SO
            and relate(sentence, Wording(self.newer)) not in _SAYS_SO
        )


@dataclass(frozen=True, slots=True)
class ReplacedStatements:
    """What was replaced in a project, the latest first."""

    statements: tuple[ReplacedStatement, ...] = ()
    _known: dict[str, bool] = field(default_factory=dict[str, bool])

    def are_stated_in(self, text: str) -> bool:
        """Whether a sentence says one of them as if it still held."""
        if not self.statements:
            return False
        known = self._known.get(text)
        if known is None:
            sentence, words = Wording(text), topic_words(text)
            known = any(each.is_stated_in(sentence, words) for each in self.statements)
            self._known[text] = known
        return known


NOTHING_REPLACED: Final = ReplacedStatements()


def replaced_statements(tx: ReadTx, filters: Filter) -> ReplacedStatements:
    """Read the memories of a project, and of all projects, that newer ones replaced."""
    found = memories.superseded(tx, replace(filters, memory_status="replaced"), _MOST)
    known = {each.id: each for each in found}
    ends = {each.id: each.superseded_by or "" for each in found}
    for _ in range(_LONGEST_CHAIN):
        missing = {end for end in ends.values() if end not in known}
        known |= memories.by_ids(tx, sorted(missing)) if missing else {}
        onward = {
            older: known[end].superseded_by or ""
            for older, end in ends.items()
            if end in known and known[end].superseded_by
        }
        if not onward:
            break
        ends |= onward
    return ReplacedStatements(
        tuple(
            ReplacedStatement(each.content, topic_words(each.content), known[end].content)
            for each in found
            if (end := ends[each.id]) in known
        )
    )
