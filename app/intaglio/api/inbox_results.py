"""Turns inbox items and the outcomes of decisions into the replies of the API."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from intaglio.api.serializers.convert import convert
from intaglio.base.clock import iso, parse_moment
from intaglio.base.errors import ConflictError, IntaglioError, InvalidInputError, NotFoundError
from intaglio.base.settings.values import Settings
from intaglio.capture.settings import CaptureSettings
from intaglio.inbox.kinds import InboxKind, InboxKinds, ItemDetail
from intaglio.inbox.settings import InboxSettings
from intaglio.inbox.values import Evidence, InboxItem, NoSuchItem, NotOpen, ProposedChange
from intaglio.lifecycle.decisions.inbox_decisions import (
    Decided,
    DecisionOutcome,
    DecisionRefused,
    InvalidDecision,
    NotDecided,
    UndoOutcome,
    WrongAction,
)
from intaglio.memory.values import Memory
from intaglio.wire import inbox as wire

_CLOSED: Final[dict[str | None, str]] = {
    "said_again": "kept, because it was said again",
    "withdrawn": "taken back in its session",
    "obsolete": "closed, because it no longer applies",
    "expired": "expired",
    "memory_gone": "closed, because a memory of it is forgotten",
    "memory_changed": "closed, because its memory was changed",
}


def evidence_row(evidence: Evidence, session: int | None = None) -> wire.InboxEvidence:
    """Return what was said, for a reply; ``session`` is the number of its session."""
    number = None if session is None else str(session)
    return convert(evidence, wire.InboxEvidence, session=number)


def kind_row(kind: InboxKind) -> wire.InboxKindRow:
    """Return a kind as the API describes it."""
    return wire.InboxKindRow(
        kind=kind.name,
        label=kind.label,
        plural=kind.plural,
        actions=[
            wire.InboxActionRow(
                action=each.name,
                label=each.label,
                report=each.report,
                outcome=each.outcome,
                command=each.command or each.name.replace("_", "-"),
            )
            for each in kind.actions
        ],
        confidence=kind.confidence_label,
        memories=list(kind.memory_labels),
        claimable=kind.claimable,
    )


def item_row(
    item: InboxItem, kind: InboxKind, shown: ItemDetail, settings: Settings, session_title: str = ""
) -> wire.InboxRow:
    """Return an item as the API shows it."""
    return wire.InboxRow(
        id=item.id,
        kind=item.kind,
        status=item.status,
        content=shown.content,
        type=item.type,
        project=item.project,
        agent=item.agent_id,
        confidence=item.confidence,
        keep_at=settings.of(CaptureSettings).keep_at,
        evidence=[evidence_row(each) for each in item.evidence],
        origin=item.origin,
        source=item.source.type,
        created=item.created_at,
        expires=_expires(item, settings.of(InboxSettings).suggestion_days)
        if kind.expires
        else None,
        decided=item.decided_at,
        action=item.action,
        memory_id=shown.memory_id,
        memories=[_memory(each) for each in shown.memories],
        entities=[convert(each, wire.InboxEntity) for each in shown.entities],
        change=None if item.change is None else _change(item.change),
        session_title=session_title,
    )


def _change(change: ProposedChange) -> wire.InboxChange:
    return wire.InboxChange(
        forget=change.forget,
        content=change.content,
        type=change.type,
        importance=change.importance,
        tags=None if change.tags is None else list(change.tags),
    )


def _expires(item: InboxItem, days: int) -> str | None:
    created = parse_moment(item.created_at)
    if item.status == "done" or days == 0 or created is None:
        return None
    return iso(created + timedelta(days=days))


def _memory(memory: Memory) -> wire.InboxMemory:
    return wire.InboxMemory(
        id=memory.id,
        content=memory.content,
        type=memory.type,
        created=memory.created_at,
        forgotten=memory.is_deleted,
    )


def decision_of(
    item_id: str, outcome: DecisionOutcome | UndoOutcome, kinds: InboxKinds
) -> wire.ItemDecision:
    """Return the result for one item of several."""
    if isinstance(outcome, Decided):
        item = outcome.item
        return wire.ItemDecision(
            id=item_id, status=item.status, action=item.action, memory_id=item.memory_id
        )
    problem, status = _problem(item_id, outcome, kinds)
    done = outcome.item if isinstance(outcome, NotOpen) else None
    return wire.ItemDecision(
        id=item_id,
        status=status,
        action=done.action if done else None,
        memory_id=done.memory_id if done else None,
        error=problem.detail,
        hint=problem.hint,
    )


def problem_of(item_id: str, outcome: DecisionOutcome, kinds: InboxKinds) -> IntaglioError:
    """Return the error for a decision that wasn't carried out."""
    problem, status = _problem(item_id, outcome, kinds)
    problem.extra.setdefault("id", item_id)
    problem.extra.setdefault("reason", status)
    return problem


def _problem(
    item_id: str, outcome: DecisionOutcome | UndoOutcome, kinds: InboxKinds
) -> tuple[IntaglioError, str]:
    match outcome:
        case NoSuchItem():
            return no_such_item(), "not_found"
        case NotOpen(item=item):
            return _already_done(item, kinds), "already_done"
        case NotDecided(item=item):
            return _not_decided(item), "not_done"
        case WrongAction(item=item, actions=actions):
            hint = f"Choose {_listed(actions)}."
            label = kinds.of(item).label.lower()
            detail = f"That decision doesn't fit this item ({label})"
            return InvalidInputError(detail, hint=hint), "wrong_action"
        case DecisionRefused(reason=reason, hint=hint):
            return ConflictError(reason, hint=hint), "refused"
        case InvalidDecision(error=error):
            return error, "invalid"
        case Decided():
            raise LookupError(f"{item_id} was decided on")


def no_such_item() -> NotFoundError:
    """Return the error for an unknown item."""
    return NotFoundError("No such inbox item", hint="GET /api/inbox lists the items.")


def _not_decided(item: InboxItem) -> ConflictError:
    if item.status == "open":
        return ConflictError("This item is still open", hint="There is no decision to undo yet.")
    return ConflictError(
        "There is no decision to undo", hint="Only your own decisions can be undone."
    )


def _already_done(item: InboxItem, kinds: InboxKinds) -> ConflictError:
    action = kinds.of(item).action(item.action)
    done = (action.already or action.outcome) if action else _CLOSED.get(item.action, "done")
    return ConflictError(
        f"This item is already {done}",
        hint="Undo that decision first." if action else "There is nothing left to decide.",
        id=item.id,
        status=item.status,
        action=item.action,
        decided=item.decided_at,
        memory_id=item.memory_id,
    )


def _listed(actions: Sequence[str]) -> str:
    return f"{', '.join(actions[:-1])} or {actions[-1]}" if len(actions) > 1 else actions[0]
