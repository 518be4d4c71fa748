"""Turns inbox items and the outcomes of decisions into the replies of the API."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from intaglio.base.clock import iso, parse_moment
from intaglio.base.errors import ConflictError, IntaglioError, InvalidInputError, NotFoundError
from intaglio.base.inbox_kinds import ItemAction
from intaglio.base.settings.schema import CaptureSettings
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

_DONE: Final[dict[ItemAction | None, str]] = {
    "keep": "kept",
    "drop": "dropped",
    "keep_both": "decided: both are kept",
    "newer_wins": "decided: the newer memory wins",
    "merge": "decided: they are one entity",
    "keep_apart": "decided: they are different entities",
    "all_projects": "decided: it applies to all projects",
    "this_project": "decided: it applies to its project only",
    "said_again": "kept, because it was said again",
    "withdrawn": "taken back in its session",
    "expired": "expired",
    "memory_gone": "closed, because a memory of it is forgotten",
    "memory_changed": "closed, because its memory was changed",
    "apply": "applied",
    "reject": "decided: the memory stays as it is",
    "keep_changes": "decided: the changes are kept",
    "undo_changes": "decided: the changes are undone",
}

_EXPIRING: Final = frozenset({"suggestion", "proposed_change"})
_OLDER_WON: Final = "decided: the older memory wins"


def evidence_row(evidence: Evidence, session: int | None = None) -> wire.InboxEvidence:
    """Return what was said, for a reply; ``session`` is the number of its session."""
    return wire.InboxEvidence(
        sentence=evidence.sentence,
        by=evidence.by,
        harness=evidence.harness,
        session_id=evidence.session_id,
        session=None if session is None else str(session),
        message_id=evidence.message_id,
        start=evidence.start,
        end=evidence.end,
        said_at=evidence.said_at,
    )


def item_row(
    item: InboxItem,
    capture: CaptureSettings,
    about: Sequence[Memory] = (),
    entities: Sequence[wire.InboxEntity] = (),
) -> wire.InboxRow:
    """Return an item as the API shows it: with the memories that it is about, or its entities."""
    return wire.InboxRow(
        id=item.id,
        kind=item.kind,
        status=item.status,
        content=_content(item, about, entities),
        type=item.type,
        project=item.project,
        agent=item.agent_id,
        confidence=item.confidence,
        keep_at=capture.keep_at,
        evidence=[evidence_row(each) for each in item.evidence],
        origin=item.origin,
        source=item.source.type,
        created=item.created_at,
        expires=_expires(item, capture.suggestion_days),
        decided=item.decided_at,
        action=item.action,
        memory_id=item.memory_id if item.kind in {"suggestion", "wider_scope"} else None,
        memories=[] if item.kind == "wider_scope" else [_memory(each) for each in about],
        entities=list(entities),
        change=None if item.change is None else _change(item.change),
    )


def _content(item: InboxItem, about: Sequence[Memory], entities: Sequence[wire.InboxEntity]) -> str:
    match item.kind:
        case "suggestion":
            return item.content
        case "contradiction" | "proposed_change" | "wider_scope":
            return about[-1].content if about else ""
        case "possible_merge":
            return " / ".join(entity.name for entity in entities)
        case "agent_changes":
            by = item.evidence[0].harness if item.evidence else "An agent"
            memories = "memory" if len(about) == 1 else "memories"
            # Not how many are forgotten now: that is another number once the changes are undone.
            return f"{by} changed or forgot {len(about):,} {memories} in one session"


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
    if item.kind not in _EXPIRING or item.status == "done" or days == 0 or created is None:
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


def decision_of(item_id: str, outcome: DecisionOutcome | UndoOutcome) -> wire.ItemDecision:
    """Return the result for one item of several."""
    if isinstance(outcome, Decided):
        item = outcome.item
        return wire.ItemDecision(
            id=item_id, status=item.status, action=item.action, memory_id=item.memory_id
        )
    problem, status = _problem(item_id, outcome)
    done = outcome.item if isinstance(outcome, NotOpen) else None
    return wire.ItemDecision(
        id=item_id,
        status=status,
        action=done.action if done else None,
        memory_id=done.memory_id if done else None,
        error=problem.detail,
        hint=problem.hint,
    )


def problem_of(item_id: str, outcome: DecisionOutcome) -> IntaglioError:
    """Return the error for a decision that wasn't carried out."""
    problem, status = _problem(item_id, outcome)
    problem.extra.setdefault("id", item_id)
    problem.extra.setdefault("reason", status)
    return problem


def _problem(item_id: str, outcome: DecisionOutcome | UndoOutcome) -> tuple[IntaglioError, str]:
    match outcome:
        case NoSuchItem():
            return no_such_item(), "not_found"
        case NotOpen(item=item):
            return _already_done(item), "already_done"
        case NotDecided(item=item):
            return _not_decided(item), "not_done"
        case WrongAction(item=item, actions=actions):
            hint = f"Choose {_listed(actions)}."
            kind = item.kind.replace("_", " ")
            return InvalidInputError(f"This is a {kind}", hint=hint), "wrong_action"
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


def _already_done(item: InboxItem) -> ConflictError:
    done = _DONE.get(item.action, "done")
    if item.kind == "contradiction" and item.action == "drop":
        done = _OLDER_WON
    return ConflictError(
        f"This item is already {done}",
        hint="Undo that decision first.",
        id=item.id,
        status=item.status,
        action=item.action,
        decided=item.decided_at,
        memory_id=item.memory_id,
    )


def _listed(actions: Sequence[str]) -> str:
    return f"{', '.join(actions[:-1])} or {actions[-1]}" if len(actions) > 1 else actions[0]
