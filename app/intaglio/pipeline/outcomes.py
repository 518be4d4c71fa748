"""Describes the outcome of a change in the contract's words."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.memory.values import (
    AlreadyDeleted,
    Done,
    Missing,
    NoChange,
    NotDeleted,
    PinnedConflict,
    RetentionExpired,
    ScopeConflict,
    VersionConflict,
)

MutationOutcome: TypeAlias = (
    Done
    | NoChange
    | Missing
    | AlreadyDeleted
    | NotDeleted
    | VersionConflict
    | PinnedConflict
    | RetentionExpired
    | ScopeConflict
)
MutationVerb: TypeAlias = Literal["updated", "deleted", "recovered", "retired", "reinstated"]

_SAME: Final = {
    "content": "Another memory has the same content",
    "source": "Another memory has the same source",
    "key": "Another memory was written by the same request",
}
_PINNED: Final = ("pinned", "Pinned memories can't be marked as outdated")
_REFUSED: Final = {
    NotDeleted: ("not_deleted", "The memory isn't forgotten"),
    VersionConflict: ("version_conflict", "The memory has changed since it was read"),
    PinnedConflict: ("pinned_requires_force", "Pinned memories require force=true"),
    RetentionExpired: (
        "retention_expired",
        "The memory can no longer be restored: its retention period has expired",
    ),
}


@dataclass(frozen=True, slots=True)
class OutcomeText:
    """An outcome's status, error text (empty on success) and version."""

    status: str
    error: str
    version: int | None


def outcome_text(outcome: MutationOutcome, verb: MutationVerb) -> OutcomeText:
    """Describe what became of a change."""
    match outcome:
        case Done(current_version=version):
            return OutcomeText(verb, "", version)
        case NoChange(version=version):
            return OutcomeText("no_changes", "", version)
        case Missing():
            return OutcomeText("not_found", "not found", None)
        case AlreadyDeleted(version=version):
            status = "already_deleted" if verb in {"deleted", "recovered"} else "deleted"
            return OutcomeText(status, "The memory is already forgotten", version)
        case ScopeConflict(version=version, same=same):
            return OutcomeText("duplicate_content_hash", _SAME[same], version)
        case _:
            is_kept = verb == "retired" and isinstance(outcome, PinnedConflict)
            refused = _PINNED if is_kept else _REFUSED[type(outcome)]
            return OutcomeText(*refused, outcome.version)
