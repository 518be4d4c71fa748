"""What a model proposed of memories, and what became of it: the list of the Pipeline page."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from intaglio.domain.reader import USER, Reader, may_read
from intaglio.inbox import rows as inbox_rows
from intaglio.inbox.values import InboxItem, ItemStatus
from intaglio.memory import history_rows as history
from intaglio.memory import rows as memories
from intaglio.memory.history_rows import NoteEntry
from intaglio.memory.values import Memory
from intaglio.pipeline.extraction.history_entries import ProposalResult
from intaglio.pipeline.extraction.values import PIPELINE_ACTOR, SHADOW_ACTOR
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx

RESULTS: Final[tuple[ProposalResult, ...]] = ("applied", "blocked", "shadow", "skipped")
_ACTORS: Final = (PIPELINE_ACTOR, SHADOW_ACTOR)


@dataclass(frozen=True, slots=True)
class ShownMemory:
    """A memory beside a proposal, as it is now."""

    id: str
    content: str
    is_deleted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineProposal:
    """What a model proposed for one fact, and what became of it.

    ``source`` is the memory that was read, ``evidence`` what was quoted of it; ``target`` the
    memory that the proposal is about, ``created`` the one that it made. ``confidence`` is that of
    the decision, ``fact_confidence`` that of the fact; both 0 to 1. Without a ``content``, replies
    of the model were unusable, and ``reason`` says how. In shadow mode, ``blocked`` and ``skipped``
    say what would have kept it from being applied. ``position`` is where it is in the list.
    """

    id: str
    position: int
    at: str
    result: ProposalResult
    action: str
    content: str
    type: str
    fact_confidence: float | None
    evidence: str
    said_by_user: bool
    confidence: float | None
    reason: str
    skipped: str
    blocked: str
    contradiction_risk: bool
    review_needed: bool
    model: str
    prompts: Mapping[str, int]
    source: ShownMemory | None
    target: ShownMemory | None
    created: ShownMemory | None
    item_id: str | None
    item_state: ItemStatus | None
    item_action: str | None


@dataclass(frozen=True, slots=True)
class ProposalPage:
    """A page of proposals, newest first, and where the next page begins; None at the end."""

    proposals: tuple[PipelineProposal, ...]
    before: int | None


@dataclass(frozen=True, slots=True)
class PipelineProposals:
    """Reads what the history says of proposals."""

    db: Database

    async def page(
        self,
        result: ProposalResult | None = None,
        *,
        before: int | None = None,
        limit: int = 50,
        reader: Reader = USER,
    ) -> ProposalPage:
        """Return proposals of one result or all, older than a position."""
        return await self.db.read(lambda tx: _page(tx, result, before, limit, reader))

    async def counts(self, since: str) -> dict[ProposalResult, int]:
        """Count the proposals since a time, by result."""
        found = await self.db.read(lambda tx: history.count_notes(tx, _ACTORS, since))
        return {result: found.get(result, 0) for result in RESULTS}


def _page(
    tx: ReadTx, result: ProposalResult | None, before: int | None, limit: int, reader: Reader
) -> ProposalPage:
    entries = history.notes(tx, _ACTORS, result, before, limit + 1)
    more = len(entries) > limit
    entries = entries[:limit]
    told = [
        (each, json.loads(each.metadata))
        for each in entries
        if may_read(reader, each.agent_id, each.visibility)
    ]
    ids = {
        name
        for each, data in told
        for name in (each.memory_id, data.get("targetMemoryId"), data.get("createdMemoryId"))
        if name
    }
    found = memories.by_ids(tx, ids)
    readable = {
        key: each
        for key, each in found.items()
        if may_read(reader, each.scope.agent_id, each.scope.visibility)
    }
    items = inbox_rows.by_ids(
        tx, {data["inboxItemId"] for _, data in told if "inboxItemId" in data}
    )
    proposals = [
        _proposal(each, data, readable, items.get(data.get("inboxItemId", "")))
        for each, data in told
    ]
    return ProposalPage(tuple(proposals), entries[-1].seq if more else None)


def _proposal(
    entry: NoteEntry, data: Mapping[str, Any], found: Mapping[str, Memory], item: InboxItem | None
) -> PipelineProposal:
    fact: Mapping[str, Any] = data.get("fact", {})
    created = _shown(found.get(data.get("createdMemoryId", "")))
    return PipelineProposal(
        id=entry.id,
        position=entry.seq,
        at=entry.created_at,
        result=data.get("outcome", "skipped"),
        action=data.get("proposedAction", "none"),
        content=fact.get("content") or (created.content if created else ""),
        type=fact.get("type", ""),
        fact_confidence=fact.get("confidence"),
        evidence=fact.get("evidence", ""),
        said_by_user=fact.get("saidByUser", False),
        confidence=data.get("confidence"),
        reason=entry.reason,
        skipped=data.get("skippedReason", ""),
        blocked=data.get("blockedReason", ""),
        contradiction_risk=data.get("contradictionRisk", False),
        review_needed=data.get("reviewNeeded", False),
        model=data.get("model", ""),
        prompts=data.get("prompts", {}),
        source=_shown(found.get(entry.memory_id)),
        target=_shown(found.get(data.get("targetMemoryId", ""))),
        created=created,
        item_id=data.get("inboxItemId"),
        item_state=item.status if item else None,
        item_action=item.action if item else None,
    )


def _shown(memory: Memory | None) -> ShownMemory | None:
    if memory is None:
        return None
    return ShownMemory(memory.id, memory.content, memory.is_deleted)
