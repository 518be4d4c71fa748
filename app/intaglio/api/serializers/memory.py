"""Converts domain values to the structs of the API."""

from collections.abc import Mapping, Sequence

import msgspec

from intaglio.api.serializers.convert import convert
from intaglio.domain.context_groups import ConstraintBasis
from intaglio.memory.decay import Aging
from intaglio.memory.values import HistoryEntry, Memory
from intaglio.recall.values import Answer, Hit
from intaglio.sessions.transcript_excerpts import TranscriptExcerpt
from intaglio.wire.memory import HistoryEvent as WireEvent
from intaglio.wire.memory import (
    MemoryRow,
    RecallExplain,
    RecallReply,
    RecallResult,
    ResultExplain,
    ResultTranscript,
    TranscriptLine,
)


def tags_text(tags: Sequence[str]) -> str | None:
    """Return tags as the contract shows them: comma-separated, or null."""
    return ",".join(tags) or None


def memory_row(memory: Memory, aging: Aging, basis: ConstraintBasis | None) -> MemoryRow:
    """Return a memory in full, with its current effective importance."""
    return convert(
        memory,
        MemoryRow,
        effective_importance=round(aging.effective_importance(memory), 4),
        tags=tags_text(memory.tags),
        pinned=int(memory.pinned),
        source_id=memory.source.id,
        source_type=memory.source.type,
        source_path=memory.source.path,
        project=memory.scope.project,
        agent_id=memory.scope.agent_id,
        visibility=memory.scope.visibility,
        is_deleted=int(memory.is_deleted),
        basis=basis,
    )


def recall_reply(
    answer: Answer,
    query: str,
    cut: int,
    said: Mapping[str, TranscriptExcerpt],
    bases: Mapping[str, ConstraintBasis],
    *,
    explain: bool,
) -> RecallReply:
    """Return an answer; contents are truncated at ``cut`` characters.

    ``said`` is what was said around memories, ``bases`` why they are always told, by id.
    """
    plan = answer.plan
    return RecallReply(
        results=[
            _result(
                found,
                cut,
                said.get(found.memory.id),
                bases.get(found.memory.id),
                explain=explain,
            )
            for found in answer.hits
        ],
        query=query,
        method=answer.method,
        weaker=len(answer.near_misses),
        keywords_only=answer.keywords_only,
        explain=convert(plan, RecallExplain) if explain else None,
    )


def _result(
    hit: Hit,
    cut: int,
    said: TranscriptExcerpt | None,
    basis: ConstraintBasis | None,
    *,
    explain: bool,
) -> RecallResult:
    memory, signals = hit.memory, hit.signals
    truncated = len(memory.content) > cut
    return convert(
        memory,
        RecallResult,
        content=memory.content[:cut] + " [truncated]" if truncated else memory.content,
        content_length=len(memory.content),
        truncated=truncated,
        score=round(hit.score, 2),
        source=hit.source,
        tags=tags_text(memory.tags),
        project=memory.scope.project,
        agent_id=memory.scope.agent_id,
        visibility=memory.scope.visibility,
        basis=basis,
        explain=ResultExplain(
            bm25=round(signals.bm25, 4),
            coverage=round(signals.coverage, 4),
            cosine=None if signals.cosine is None else round(signals.cosine, 4),
            meaning=None if signals.meaning is None else round(signals.meaning, 4),
            matched=list(signals.matched),
            shares=dict(signals.shares),
            reasons=list(signals.reasons),
            answers=hit.answers,
        )
        if explain
        else None,
        transcript=_transcript(said) if said is not None else None,
    )


def _transcript(said: TranscriptExcerpt) -> ResultTranscript:
    return ResultTranscript(
        harness=said.harness,
        session_id=said.session_id,
        messages=[
            TranscriptLine(
                role=each.role,
                said_at=each.said_at,
                text=each.text,
                is_source=each.message_id == said.source,
            )
            for each in said.messages
        ],
    )


def history_row(event: HistoryEntry) -> WireEvent:
    """Return one change of a memory."""
    return convert(
        event,
        WireEvent,
        metadata=(
            msgspec.json.decode(event.metadata, type=dict[str, object]) if event.metadata else None
        ),
    )
