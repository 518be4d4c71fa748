"""What became of a change, in the contract's words: as a reply, as a refusal, or one of many."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.base.errors import ConflictError, NotFoundError
from intaglio.memory.values import (
    AlreadyDeleted,
    Done,
    Missing,
    NoChange,
    NotDeleted,
    PinnedNeedsForce,
    RetentionExpired,
    ScopeConflict,
    VersionConflict,
)
from intaglio.wire.changes import ItemReply, MutationReply

MutationOutcome: TypeAlias = (
    Done
    | NoChange
    | Missing
    | AlreadyDeleted
    | NotDeleted
    | VersionConflict
    | PinnedNeedsForce
    | RetentionExpired
    | ScopeConflict
)
MutationVerb: TypeAlias = Literal["updated", "deleted", "recovered"]

_SAME: Final = {
    "content": "Another memory says the same",
    "source": "Another memory has the same source",
    "key": "Another memory was written by the same request",
}


_REFUSED: Final = {
    NotDeleted: ("not_deleted", "The memory is not forgotten"),
    VersionConflict: ("version_conflict", "The memory has changed"),
    PinnedNeedsForce: ("pinned_requires_force", "Pinned memories require force=true"),
    RetentionExpired: (
        "retention_expired",
        "The time within which it could be recovered is over",
    ),
}


@dataclass(frozen=True, slots=True)
class _Result:
    """An outcome in words; ``error`` is empty where nothing is wrong."""

    status: str
    error: str
    version: int | None


def _result_of(outcome: MutationOutcome, verb: MutationVerb) -> _Result:
    match outcome:
        case Done(current_version=version):
            return _Result(verb, "", version)
        case NoChange(version=version):
            return _Result("no_changes", "", version)
        case Missing():
            return _Result("not_found", "not found", None)
        case AlreadyDeleted(version=version):
            status = "deleted" if verb == "updated" else "already_deleted"
            return _Result(status, "The memory is forgotten", version)
        case ScopeConflict(version=version, same=same):
            return _Result("duplicate_content_hash", _SAME[same], version)
        case _:
            return _Result(*_REFUSED[type(outcome)], outcome.version)


def mutation_reply(memory_id: str, outcome: MutationOutcome, verb: MutationVerb) -> MutationReply:
    """Show what a change did, or raise the refusal.

    Raises NotFoundError and ConflictError; their bodies carry ``id``, ``status`` and
    ``currentVersion`` too.
    """
    told = _result_of(outcome, verb)
    if isinstance(outcome, Missing):
        raise NotFoundError(told.error, id=memory_id, status=told.status)
    if told.error or told.version is None:
        refused = ConflictError(
            told.error, id=memory_id, status=told.status, currentVersion=told.version
        )
        if isinstance(outcome, ScopeConflict) and outcome.other_id is not None:
            refused.extra["duplicateMemoryId"] = outcome.other_id
        raise refused
    reply = MutationReply(
        id=memory_id,
        status=told.status,
        success=True,
        current_version=told.version,
        new_version=told.version,
    )
    if verb == "updated":
        reply.content_changed = False
    if isinstance(outcome, Done):
        reply.new_version = outcome.new_version
        if outcome.content_changed:
            reply.content_changed, reply.embedded = True, outcome.embedded
    return reply


def item_reply(memory_id: str, outcome: MutationOutcome, verb: MutationVerb) -> ItemReply:
    """Show what became of one memory among many."""
    told = _result_of(outcome, verb)
    reply = ItemReply(
        id=memory_id, status=told.status, error=told.error or None, current_version=told.version
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
