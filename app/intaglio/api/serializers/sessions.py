"""Converts sessions and previews to the structs of the API."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final

from intaglio.api.serializers.convert import convert
from intaglio.base.clock import iso
from intaglio.domain.told_lines import SPEAKERS
from intaglio.graph.traversal.values import FocalEntity
from intaglio.harness.asked_prompts import PromptsRead
from intaglio.memory.values import NOTED_BY_MODEL, Memory
from intaglio.session_notes.values import SessionSummary
from intaglio.sessions.context import marks_of, words_of
from intaglio.sessions.continuity.in_play_values import InPlay
from intaglio.sessions.overview.descriptions import SessionDescription
from intaglio.sessions.overview.preview import PreviewedContext
from intaglio.sessions.overview.values import (
    LedgerCall,
    LedgerLine,
    SessionEvents,
    SessionOverview,
    StatementOutcome,
    SuggestionOutcome,
)
from intaglio.sessions.reminders.values import RecordedReminder
from intaglio.sessions.rows import ERASED
from intaglio.sessions.selection.constraints import is_constraint
from intaglio.sessions.values import ContextEntry, SessionCandidate
from intaglio.transcripts.values import TranscriptSize
from intaglio.wire import sessions as wire

_OPEN_FOR: Final = timedelta(hours=1)
_INBOX_RESULTS: Final[Mapping[str | None, wire.StatementResult]] = MappingProxyType(
    {
        "keep": "suggestion_kept",
        "said_again": "suggestion_said_again",
        "drop": "suggestion_dropped",
        "withdrawn": "suggestion_withdrawn",
        "expired": "suggestion_expired",
    }
)


def session_row(
    session: SessionOverview,
    described: SessionDescription,
    now: datetime,
    passage: str = "",
    words: Sequence[str] = (),
    *,
    summary: str,
) -> wire.SessionRow:
    """Return a session with its counts; ``passage`` and ``words`` show why a search found it."""
    return convert(
        session,
        wire.SessionRow,
        id=str(session.number),
        key=session.id,
        agent=session.agent_id,
        claimed_at=session.started_at,
        bypassed=session.bypassed_by is not None,
        start=session.started_at,
        last_active=session.last_seen_at,
        end=session.ended_at,
        open=session.ended_at is None and session.last_seen_at > iso(now - _OPEN_FOR),
        title=described.title,
        first_prompt=described.first_prompt,
        messages=described.messages,
        kept=list(described.kept),
        summary=summary,
        passage=passage,
        words=list(words),
    )


def session_detail(  # noqa: PLR0913, PLR0917 - each is a part of the reply
    session: SessionOverview,
    described: SessionDescription,
    events: SessionEvents,
    prompts: PromptsRead,
    stored: TranscriptSize,
    summaries: Sequence[SessionSummary],
    in_play: InPlay,
    now: datetime,
) -> wire.SessionDetail:
    """Return a session with everything that happened in it."""
    row = session_row(session, described, now, summary=" ".join(each.text for each in summaries))
    return wire.SessionDetail(
        **{name: getattr(row, name) for name in row.__struct_fields__},
        injections=[_injection(call) for call in events.calls],
        more_injections=events.has_more_calls,
        memories={line.memory_id: _told(line) for call in events.calls for line in call.lines},
        prompts=[
            wire.AskedPrompt(
                message_id=each.message_id, at=iso(each.time) if each.time else None, text=each.text
            )
            for each in prompts.prompts
        ],
        more_prompts=prompts.has_more,
        transcript=prompts.state,
        stored=convert(stored, wire.StoredTranscript),
        statements=[_statement(each) for each in events.statements],
        more_statements=events.has_more_statements,
        saved=[
            wire.SavedMemory(
                memory_id=memory.id,
                by_agent=memory.source.is_agent and memory.why != NOTED_BY_MODEL,
                by_model=memory.why == NOTED_BY_MODEL,
                content=memory.content,
                type=memory.type,
                state=_presence(memory),
                at=memory.created_at,
            )
            for memory in events.saved
        ],
        more_saved=events.has_more_saved,
        replaced=[
            wire.ReplacedMemory(
                memory_id=each.older.id,
                content=each.older.content,
                by_memory_id=each.newer.id,
                by_content=each.newer.content,
                at=each.at,
            )
            for each in events.replaced
        ],
        claims=[_claim(each) for each in events.claims],
        more_claims=events.has_more_claims,
        considered=[
            convert(said, wire.ConsideredStatement, id=said.seq, at=said.said_at)
            for said in events.considered
        ],
        reminders=[_reminder(each, is_over=row.end is not None) for each in events.reminders],
        reminder_tokens=sum(each.tokens for each in events.reminders),
        topics=[topic for each in summaries for topic in each.topics],
        decisions=[decision for each in summaries for decision in each.decisions],
        in_play=wire.SessionInPlay(
            entities=[convert(each, wire.InPlayEntityRow) for each in in_play.entities],
            aspects=[convert(each, wire.InPlayAspectRow) for each in in_play.aspects],
        ),
    )


def _reminder(given: RecordedReminder, *, is_over: bool) -> wire.SessionReminder:
    # A harness that was killed reports no end of its last turn.
    outcome = "nothing" if given.outcome == "waiting" and is_over else given.outcome
    return wire.SessionReminder(
        id=given.seq,
        prompt_id=given.prompt_id,
        at=given.at,
        wording=given.wording,
        tokens=given.tokens,
        confidence=given.confidence,
        outcome=outcome,
        results=[
            wire.ReminderResult(result=each.kind, memory_id=each.memory_id, inbox_id=each.inbox_id)
            for each in given.results
        ],
    )


def _injection(call: LedgerCall) -> wire.SessionInjection:
    return convert(
        call,
        wire.SessionInjection,
        id=call.seq,
        text_state=_text_state(call),
        sessions=[
            convert(each, wire.ComparedSession, id=str(each.number)) for each in call.sessions
        ],
        commits=[convert(each, wire.ComparedCommit) for each in call.commits],
        lines=[
            convert(line, wire.InjectionLine, constraint=is_constraint(line.reason))
            for line in call.lines
        ],
        more=max(call.candidates - len(call.lines), 0),
    )


def _text_state(call: LedgerCall) -> wire.TextState:
    if call.text is not None:
        return "kept"
    shown = [each.shown for each in call.sessions] + [each.shown for each in call.commits]
    if not (call.injected or any(shown)) or call.event == "recall":
        return "none"
    return "erased" if any(line.reason == ERASED for line in call.lines) else "expired"


def _told(line: LedgerLine) -> wire.ToldMemory:
    memory = line.memory
    return wire.ToldMemory(
        content=memory.content if memory else None,
        type=memory.type if memory else None,
        version=memory.version if memory else None,
        changed=memory.updated_at if memory and memory.version > 1 else None,
        valid_until=memory.valid_until if memory else None,
        pinned=memory.pinned if memory else False,
        project=memory.scope.project if memory else None,
        state="erased" if line.is_erased else _presence(memory),
    )


def _presence(memory: Memory | None) -> wire.MemoryPresence:
    return "forgotten" if memory is not None and memory.is_deleted else "live"


def _statement(outcome: StatementOutcome) -> wire.SessionStatement:
    said = outcome.statement
    return convert(
        said,
        wire.SessionStatement,
        at=said.said_at,
        memory_state=_memory_state(said.memory_id, is_forgotten=outcome.is_forgotten),
        inbox_status=outcome.inbox_status,
        inbox_action=outcome.inbox_action,
        result=statement_result(outcome),
    )


def _memory_state(
    memory_id: str | None, *, is_forgotten: bool | None
) -> wire.MemoryPresence | None:
    if memory_id is None:
        return None
    if is_forgotten is None:
        return "erased"
    return "forgotten" if is_forgotten else "live"


def _claim(outcome: SuggestionOutcome) -> wire.SessionClaim:
    item = outcome.item
    return wire.SessionClaim(
        inbox_id=item.id,
        content=item.content,
        type=item.type,
        at=item.created_at,
        inbox_status=item.status,
        memory_id=item.memory_id,
        memory_state=_memory_state(item.memory_id, is_forgotten=outcome.is_forgotten),
        result=_INBOX_RESULTS.get(item.action, "suggested"),
    )


def statement_result(outcome: StatementOutcome) -> wire.StatementResult:
    """Return what became of something that the user said: what happened last decides."""
    said = outcome.statement
    state = _memory_state(said.memory_id, is_forgotten=outcome.is_forgotten)
    if said.state == "erased" or state == "erased":
        return "erased"
    if said.outcome == "withdrawal":
        return "withdrawal"
    if said.state != "live":
        return said.state
    if state == "forgotten":
        return "forgotten"
    if outcome.inbox_status == "open":
        return "suggested"
    unreviewed: wire.StatementResult = "captured" if said.memory_id is not None else "suggested"
    return _INBOX_RESULTS.get(outcome.inbox_action, unreviewed)


def preview_of(found: PreviewedContext) -> wire.ContextPreview:
    """Return what would be sent, line by line."""
    return wire.ContextPreview(
        text=found.context.text,
        tokens=found.tokens,
        budget=found.budget.tokens,
        characters=found.chars,
        max_characters=found.budget.chars,
        sessions=[_compared(each) for each in found.context.sessions],
        commits=[convert(each, wire.PreviewCommit) for each in found.context.commits],
        lines=_lines(found.shown_alone),
        left_out=_lines(found.left_out),
        held_back=found.context.held_back,
    )


def _compared(session: SessionCandidate) -> wire.PreviewSession:
    return convert(
        session,
        wire.PreviewSession,
        id=str(session.number),
        lines=[
            convert(line, wire.PreviewSessionLine, speaker=SPEAKERS[line.kind])
            for line in session.lines
        ],
    )


def focal_rows(found: Sequence[FocalEntity]) -> list[wire.FocalEntityRow]:
    """Return the entities that a session is about."""
    return [
        wire.FocalEntityRow(
            id=each.entity.id,
            name=each.entity.name,
            entity_type=each.entity.type,
            source=each.source,
        )
        for each in found
    ]


def _lines(entries: Sequence[ContextEntry]) -> list[wire.PreviewLine]:
    return [
        convert(
            entry.candidate.memory,
            wire.PreviewLine,
            memory_id=entry.candidate.memory.id,
            line=entry.line,
            by_agent=entry.candidate.memory.is_of_agent,
            words=(
                words_of(entry.candidate, entry.line)
                if entry.line
                else entry.candidate.memory.content
            ),
            marks=marks_of(entry.candidate),
            group=entry.candidate.group,
            constraint=entry.candidate.constraint,
            basis=entry.candidate.basis,
            project=entry.candidate.memory.scope.project,
            reason=entry.reason,
            score=entry.candidate.score,
            tokens=entry.tokens,
        )
        for entry in entries
    ]
