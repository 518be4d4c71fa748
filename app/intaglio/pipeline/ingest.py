"""The remember use case: turns a request into a stored memory; no model is called."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from intaglio.base.clock import iso, parse_moment
from intaglio.base.errors import InvalidInputError, writes_frozen
from intaglio.base.text import content_hash, scrub
from intaglio.domain.memory_types import MemoryType, given_types
from intaglio.domain.reader import GLOBAL, VISIBILITIES, Visibility
from intaglio.memory import operations, parsing, rows
from intaglio.memory.replacement import say_again
from intaglio.memory.values import (
    DEFAULT_IMPORTANCE,
    Actor,
    Duplicate,
    Forgotten,
    Inserted,
    InsertOutcome,
    NewMemory,
    Scope,
    Source,
)
from intaglio.projects import settings_rows
from intaglio.redaction.redact import clean, redact
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

PreparedMemory: TypeAlias = tuple[NewMemory, int]
PrepareInThread: TypeAlias = Callable[[Callable[[], PreparedMemory]], Awaitable[PreparedMemory]]
"""Runs the preparation of a long memory in a thread."""

_DEFAULT_AUTHOR: Final = "daemon"
_LONG: Final = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Remember:
    """A request to remember something; None applies the default rules.

    With ``revive`` false, a previously forgotten source stays forgotten. Without a ``visibility``,
    that of its project holds (`in_project`).
    """

    content: str
    actor: Actor
    who: str = _DEFAULT_AUTHOR
    why: str | None = None
    type: str | None = None
    importance: float | None = None
    confidence: float = 1.0
    tags: str | list[str] | None = None
    pinned: bool | None = None
    agent_id: str = "default"
    project: str | None = None
    visibility: str | None = None
    source: Source = Source()  # noqa: RUF009 - a frozen value
    session_id: str | None = None
    idempotency_key: str | None = None
    runtime_path: str | None = None
    created_at: str | None = None
    revive: bool = True


@dataclass(frozen=True, slots=True)
class Saved:
    """The memory was saved; ``redacted`` counts the secrets that were removed."""

    id: str
    memory: NewMemory
    redacted: int


RememberOutcome: TypeAlias = Saved | Duplicate | Forgotten


def _type(name: str | None, content: str) -> MemoryType:
    if name is None:
        return parsing.infer_type(content)
    known = parsing.known_type(name)
    if known is None:
        raise InvalidInputError(
            f"type must be one of {given_types('or')}",
            hint="Omit it to have it inferred from the content.",
        )
    return known


def clean_tags(tags: str | list[str] | None) -> str | list[str] | None:
    """Redact secrets in tags; must run before they are lowercased, which hides them."""
    if tags is None:
        return None
    few = parsing.cut_tags(tags)
    return clean(scrub(few)) if isinstance(few, str) else [clean(scrub(tag)) for tag in few]


def _non_blank(text: str | None) -> str | None:
    # As an id, a blank would make all memories that have it count as the same one.
    return text if text and text.strip() else None


def _visibility(name: str) -> Visibility:
    if name not in VISIBILITIES:
        raise InvalidInputError(f"visibility must be {' or '.join(VISIBILITIES)}")
    return name


def _created_at(text: str | None, context: operations.ChangeContext) -> str:
    if text is None:
        return context.now
    moment = parse_moment(text)
    if moment is None:
        raise InvalidInputError(
            "createdAt must be an ISO-8601 time", hint="For example 2026-01-31T09:00:00Z."
        )
    return iso(moment)


def prepare(command: Remember, context: operations.ChangeContext) -> PreparedMemory:
    """Build the memory to store, without side effects, and count the redacted secrets.

    Raises InvalidInputError for invalid input, TooLargeError for content that is too long.
    """
    parsing.check_raw_length(command.content)
    redacted = redact(scrub(command.content))
    prefixed = parsing.read_prefixes(redacted.text)
    if not prefixed.content:
        raise InvalidInputError("content is required", hint="A memory needs some text.")
    parsing.check_length(prefixed.content)
    pinned = prefixed.critical if command.pinned is None else command.pinned
    importance = command.importance
    if importance is None:
        importance = 1.0 if prefixed.critical else DEFAULT_IMPORTANCE
    memory = NewMemory(
        content=prefixed.content,
        type=_type(command.type, prefixed.content),
        importance=importance,
        confidence=command.confidence,
        pinned=pinned,
        tags=parsing.read_tags([*prefixed.tags, *parsing.read_tags(clean_tags(command.tags))]),
        who=clean(scrub(command.who)).strip() or _DEFAULT_AUTHOR,
        why=clean(scrub(command.why or ""))
        or ("explicit-critical" if prefixed.critical else "explicit"),
        scope=Scope(command.agent_id, command.project, _visibility(command.visibility or GLOBAL)),
        source=replace(command.source, id=_non_blank(command.source.id)),
        session_id=command.session_id,
        idempotency_key=_non_blank(command.idempotency_key),
        runtime_path=command.runtime_path,
        created_at=_created_at(command.created_at, context),
    )
    return memory, len(redacted.found)


def in_project(tx: ReadTx, memory: NewMemory) -> NewMemory:
    """Return a memory with the visibility that the user chose for its project.

    What is known already with its own isn't stored a second time.
    """
    found = settings_rows.visibility(tx, memory.scope.project)
    if found == memory.scope.visibility:
        return memory
    digest = content_hash(tx.as_stored(memory.content))
    if rows.live_by_hash(tx, memory.scope, digest) is not None:
        return memory
    return replace(memory, scope=replace(memory.scope, visibility=found))


def write(
    tx: WriteTx, memory: NewMemory, command: Remember, context: operations.ChangeContext
) -> InsertOutcome:
    """Write a prepared memory in the caller's transaction."""
    if command.visibility is None:
        memory = in_project(tx, memory)
    outcome = operations.insert(
        tx, memory, operations.Audit(command.actor), context, revive=command.revive
    )
    if command.revive and isinstance(outcome, Duplicate) and outcome.memory.status == "replaced":
        say_again(tx, outcome.memory, command.actor, context, context.now)
        return Duplicate(rows.get(tx, outcome.memory.id) or outcome.memory)
    return outcome


def outcome_of(outcome: InsertOutcome, memory: NewMemory, redacted: int) -> RememberOutcome:
    """Return the outcome of a write."""
    match outcome:
        case Inserted(id=memory_id):
            return Saved(memory_id, memory, redacted)
        case Duplicate(memory=known):
            return Duplicate(known, redacted)
        case Forgotten():
            return outcome


@dataclass(frozen=True, slots=True)
class Ingest:
    """The remember use case and its dependencies.

    ``frozen`` returns whether writes are frozen; ``on_saved`` is called with the memory's agent.
    """

    db: Database
    stamp: operations.ChangeContext
    frozen: Callable[[], bool]
    in_thread: PrepareInThread
    on_saved: Callable[[str], None] = lambda _: None

    async def remember(self, command: Remember) -> RememberOutcome:
        """Redact, normalise and store one memory; it is on disk when this returns.

        Raises InvalidInputError, TooLargeError, or UnavailableError while writes are frozen or
        impossible.
        """
        if self.frozen():
            raise writes_frozen()
        if len(command.content) > _LONG:
            # Takes milliseconds: neither the event loop nor the writer waits for it.
            memory, redacted = await self.in_thread(lambda: self._prepare_long(command))
        else:
            memory, redacted = prepare(command, self.stamp)
        outcome = await self.db.write(lambda tx: write(tx, memory, command, self.stamp))
        self.on_saved(memory.scope.agent_id)
        return outcome_of(outcome, memory, redacted)

    def _prepare_long(self, command: Remember) -> PreparedMemory:
        memory, redacted = prepare(command, self.stamp)
        # Searched for secrets once more before it is stored; the writer knows it then.
        self.db.as_stored(memory.content)
        return memory, redacted
