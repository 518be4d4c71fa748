"""The modify use case: changes existing memories, redacted before the transaction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from intaglio.base.errors import InvalidInputError, writes_frozen
from intaglio.base.text import scrub
from intaglio.embedding.inline_embedding import InlineEmbedding, InlineVectors
from intaglio.embedding.job_types import unqueue_vector
from intaglio.memory import operations, parsing, rows
from intaglio.memory.values import KEEP, USER_AUTHOR, Change, Done, ModifyOutcome
from intaglio.redaction.redact import clean
from intaglio.store.batches import in_batches
from intaglio.store.database import Database
from intaglio.store.fts_maintenance import merge_for
from intaglio.store.tx import ReadTx, WriteTx

_USER_ACTOR: Final = "operator"


@dataclass(frozen=True, slots=True)
class MemoryPatch:
    """A change of one memory, and its audit."""

    id: str
    change: Change
    why: operations.Audit


def cleaned(patch: MemoryPatch) -> MemoryPatch:
    """Redact the change and its reason.

    Raises InvalidInputError for empty content, TooLargeError for content over its limit.
    """
    change, why = patch.change, patch.why
    if change.tags is not KEEP:
        change = replace(change, tags=tuple(clean(tag) for tag in change.tags))
    if change.who is not KEEP:
        change = replace(change, who=clean(scrub(change.who)))
    if change.content is not KEEP:
        parsing.check_raw_length(change.content)
        content = clean(scrub(change.content)).strip()
        if not content:
            raise InvalidInputError("content must not be empty", hint="A memory needs some text.")
        parsing.check_length(content)
        change = replace(change, content=content)
    if why.reason:
        # A reason is stored in the history and may contain a secret: "rotated the key …".
        why = replace(why, reason=clean(scrub(why.reason)))
    return MemoryPatch(patch.id, change, why)


def _confirming(tx: ReadTx, patch: MemoryPatch) -> Change:
    """Return the change; what an agent noted and the user edits or pins becomes the user's.

    Where it belongs and who reads it says nothing of what it says.
    """
    is_edit = replace(patch.change, project=KEEP, visibility=KEEP) != Change()
    if patch.why.actor.type == _USER_ACTOR and patch.change.who is KEEP and is_edit:
        memory = rows.get(tx, patch.id)
        if memory is not None and memory.is_unvouched:
            return replace(patch.change, who=USER_AUTHOR)
    return patch.change


@dataclass(frozen=True, slots=True)
class Modify:
    """The modify use case and its dependencies; without ``inline``, embedding is always queued."""

    db: Database
    stamp: operations.ChangeContext
    frozen: Callable[[], bool]
    inline: InlineEmbedding | None = None

    async def modify(
        self, memory_id: str, change: Change, audit: operations.Audit
    ) -> ModifyOutcome:
        """Change fields of a memory; see ``modify_all``."""
        (outcome,) = await self.modify_all([cleaned(MemoryPatch(memory_id, change, audit))])
        return outcome

    async def modify_all(self, patches: Sequence[MemoryPatch]) -> list[ModifyOutcome]:
        """Apply ``cleaned`` changes independently, in order.

        New content is embedded immediately, outside any transaction, if the model is fast enough;
        otherwise a job is queued. Raises UnavailableError while writes are frozen.
        """
        if self.frozen():
            raise writes_frozen()
        contents = [(p.id, p.change.content) for p in patches if p.change.content is not KEEP]
        vectors = await self.inline.embed(contents) if self.inline else None
        # The full-text index contains content and tags.
        await merge_for(self.db, [*contents, *(p for p in patches if p.change.tags is not KEEP)])
        return await in_batches(self.db, patches, lambda tx, each: self._one(tx, each, vectors))

    def _one(self, tx: WriteTx, patch: MemoryPatch, vectors: InlineVectors | None) -> ModifyOutcome:
        outcome = operations.modify(tx, patch.id, _confirming(tx, patch), patch.why, self.stamp)
        if not isinstance(outcome, Done) or not outcome.content_changed:
            return outcome
        if vectors is not None and vectors.write(tx, patch.id):
            unqueue_vector(tx, patch.id)
            return replace(outcome, embedded=True)
        return outcome
