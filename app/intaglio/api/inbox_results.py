"""Turns inbox items and the outcomes of decisions into the replies of the API."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Final

from intaglio.base.clock import iso, parse_moment
from intaglio.base.errors import ConflictError, IntaglioError, InvalidInputError, NotFoundError
from intaglio.base.inbox_kinds import ItemAction
from intaglio.base.settings.schema import CaptureSettings
from intaglio.inbox.values import Evidence, InboxItem, NoSuchItem, NotOpen
from intaglio.lifecycle.inbox_decisions import (
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

FindMemory = Callable[[str], Memory | None]
"""Returns the memory with an id, forgotten or not."""

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
}

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
    find: FindMemory,
    entities: Sequence[wire.InboxEntity] = (),
) -> wire.InboxRow:
    """Return an item as the API shows it; ``entities`` are those of a possible merge."""
    both = [find(each) for each in (item.older_id, item.memory_id) if each and item.older_id]
    content = item.content
    if item.kind in {"contradiction", "wider_scope"}:
        newer = find(item.memory_id) if item.memory_id else None
        content = newer.content if newer else ""
    if item.kind == "possible_merge":
        content = " / ".join(entity.name for entity in entities)
    return wire.InboxRow(
        id=item.id,
        kind=item.kind,
        status=item.status,
        content=content,
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
        memory_id=None if item.kind == "contradiction" else item.memory_id,
        memories=[_memory(each) for each in both if each],
        entities=list(entities),
    )


def _expires(item: InboxItem, days: int) -> str | None:
    created = parse_moment(item.created_at)
    if item.kind != "suggestion" or item.status == "done" or days == 0 or created is None:
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
