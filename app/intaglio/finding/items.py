"""Finds inbox items: open ones before those that were decided on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.base.text import clip, storage_form
from intaglio.domain.reader import Reader
from intaglio.fence.characters import visible
from intaglio.finding.matching import QuestionMatcher
from intaglio.finding.memories import ScoredMemory
from intaglio.finding.question import parts_of
from intaglio.finding.values import TITLE_CHARS, Found
from intaglio.inbox import search_rows
from intaglio.inbox.kinds import InboxKind, InboxKinds
from intaglio.inbox.values import InboxItem
from intaglio.store.tx import ReadTx

_LOOKED_AT: Final = 24
_LEAST: Final = 0.25
# The memory of an item says more, above all once it is decided on.
_OPEN: Final = 0.85
_DECIDED: Final = 0.6
_OF_MEMORY: Final = 0.9


@dataclass(frozen=True, slots=True)
class ItemSearch:
    """Searches the inbox in one snapshot; without ``projects`` in all but the archived ones."""

    kinds: InboxKinds
    reader: Reader
    projects: tuple[str, ...]
    without_projects: tuple[str, ...]

    def find(
        self,
        tx: ReadTx,
        matcher: QuestionMatcher,
        memories: Sequence[ScoredMemory],
        entities: Mapping[str, float],
    ) -> list[Found]:
        """Return what matches, best first; ``entities`` are those found, with their scores."""
        scores = {each.memory.id: _OF_MEMORY * each.score for each in memories}
        scores.update(entities)
        found = {
            item.id: item
            for item in (
                *search_rows.containing(
                    tx, self.reader, parts_of(matcher.question), self.projects, _LOOKED_AT
                ),
                *search_rows.about_any(
                    tx, self.reader, [each.memory.id for each in memories], entities, _LOOKED_AT
                ),
            )
            if self._is_inside(item)
        }
        shown = (self._shown(tx, item, matcher, scores) for item in found.values())
        return sorted(
            (each for each in shown if each.score >= _LEAST), key=lambda each: -each.score
        )

    def _is_inside(self, item: InboxItem) -> bool:
        if self.projects:
            return item.project in self.projects
        return item.project not in self.without_projects

    def _shown(
        self, tx: ReadTx, item: InboxItem, matcher: QuestionMatcher, scores: Mapping[str, float]
    ) -> Found:
        kind = self.kinds.of(item)
        shown = kind.show(tx, item, self.reader)
        names = " and ".join(each.name for each in shown.entities)
        text = shown.content or names
        match = matcher.measure(text)
        about = (*_about(item), *(each.id for each in shown.memories))
        score = max(match.as_text, *(scores.get(each, 0.0) for each in about), 0.0)
        score *= _OPEN if item.status == "open" else _DECIDED
        line = storage_form(visible(text[:4_000]))
        return Found(
            kind="inbox",
            id=item.id,
            title=clip(line, TITLE_CHARS) or kind.label,
            text=matcher.passage(text) if len(line) > TITLE_CHARS else "",
            detail=_detail(item, kind),
            words=match.words,
            project=item.project,
            at=item.decided_at or item.created_at,
            score=round(score, 3) if text else 0.0,
            state="open" if item.status == "open" else "decided",
        )


def _about(item: InboxItem) -> list[str]:
    every = (item.memory_id, item.older_id, item.entity_id, item.other_entity_id)
    return [each for each in every if each]


def _detail(item: InboxItem, kind: InboxKind) -> str:
    if item.status == "open":
        return kind.label
    action = kind.action(item.action)
    return f"{kind.label} · {action.outcome if action else 'closed'}"
