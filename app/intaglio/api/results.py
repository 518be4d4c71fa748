"""Turns the outcome of a change into the contract's reply, error or batch item."""

from typing import Final

from intaglio.base.errors import ConflictError, NotFoundError
from intaglio.memory.values import Done, Missing, NoChange, ScopeConflict
from intaglio.pipeline.outcomes import MutationOutcome, MutationVerb, outcome_text
from intaglio.wire.changes import ItemReply, MutationReply

_HINTS: Final = {
    "deleted": "Restore it first.",
    "already_deleted": "Restore it, or erase it permanently with force=true.",
    "not_deleted": "Only forgotten memories can be restored.",
    "version_conflict": "Read it again and retry with its current version.",
    "pinned_requires_force": "Unpin it first, or send force=true to erase it permanently.",
    "pinned": "Unpin it first.",
    "retention_expired": "Save it again as a new memory.",
    "duplicate_content_hash": "Edit or forget the other memory (duplicateMemoryId) instead.",
}


def mutation_reply(memory_id: str, outcome: MutationOutcome, verb: MutationVerb) -> MutationReply:
    """Return the reply for a change.

    Raises NotFoundError and ConflictError; their bodies include ``id``, ``status`` and
    ``currentVersion`` too.
    """
    result = outcome_text(outcome, verb)
    if isinstance(outcome, Missing):
        raise NotFoundError(result.error, id=memory_id, status=result.status)
    if result.error or result.version is None:
        refused = ConflictError(
            result.error,
            hint=_HINTS.get(result.status, ""),
            id=memory_id,
            status=result.status,
            currentVersion=result.version,
        )
        if isinstance(outcome, ScopeConflict) and outcome.other_id is not None:
            refused.extra["duplicateMemoryId"] = outcome.other_id
        raise refused
    reply = MutationReply(
        id=memory_id,
        status=result.status,
        success=True,
        current_version=result.version,
        new_version=result.version,
    )
    if verb == "updated":
        reply.content_changed = False
    if isinstance(outcome, Done):
        reply.new_version = outcome.new_version
        if outcome.content_changed:
            reply.content_changed, reply.embedded = True, outcome.embedded
    return reply


def item_reply(memory_id: str, outcome: MutationOutcome, verb: MutationVerb) -> ItemReply:
    """Return the reply for one memory of a batch."""
    result = outcome_text(outcome, verb)
    reply = ItemReply(
        id=memory_id,
        status=result.status,
        error=result.error or None,
        current_version=result.version,
    )
    match outcome:
        case Done(new_version=new, content_changed=changed, embedded=embedded):
            reply.new_version = new
            reply.content_changed = changed if verb == "updated" else None
            reply.embedded = embedded if changed else None
        case NoChange(version=version):
            reply.new_version, reply.content_changed = version, False
        case ScopeConflict(other_id=other):
            reply.duplicate_memory_id = other
        case _:
            pass
    return reply
