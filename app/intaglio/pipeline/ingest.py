"""remember: from a request to a written memory; no model is called."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from intaglio.base.agents.reader import GLOBAL, VISIBILITIES, Visibility
from intaglio.base.clock import iso, parse_moment
from intaglio.base.errors import InvalidInputError, UnavailableError
from intaglio.base.text import scrub
from intaglio.memory import operations, parsing
from intaglio.memory.values import (
    DEFAULT_IMPORTANCE,
    MEMORY_TYPES,
    Actor,
    Duplicate,
    Forgotten,
    Inserted,
    InsertOutcome,
    Memory,
    MemoryType,
    NewMemory,
    Scope,
    Source,
)
from intaglio.redaction.redact import clean, redact
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx

_NOBODY: Final = "daemon"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remember:
    """What is asked to be remembered; None leaves the choice to the rules.

    ``revive`` false keeps a source forgotten that was forgotten before.
    """

    content: str
    actor: Actor
    who: str = _NOBODY
    why: str | None = None
    type: str | None = None
    importance: float | None = None
    confidence: float = 1.0
    tags: str | list[str] | None = None
    pinned: bool | None = None
    agent_id: str = "default"
    project: str | None = None
    visibility: str = GLOBAL
    source: Source = Source()  # noqa: RUF009 - a frozen value
    session_id: str | None = None
    idempotency_key: str | None = None
    runtime_path: str | None = None
    created_at: str | None = None
    revive: bool = True


@dataclass(frozen=True, slots=True)
class Saved:
    """The memory was written; ``redacted`` counts the secrets that were taken out."""

    id: str
    memory: NewMemory
    redacted: int


@dataclass(frozen=True, slots=True)
class AlreadyKnown:
    """A live memory says the same; nothing was written."""

    memory: Memory
    redacted: int


@dataclass(frozen=True, slots=True)
class PreviouslyForgotten:
    """Its source was forgotten before; nothing was written."""

    id: str


RememberOutcome: TypeAlias = Saved | AlreadyKnown | PreviouslyForgotten


def _type(asked: str | None, content: str) -> MemoryType:
    if asked is None:
        return parsing.infer_type(content)
    known = parsing.known_type(asked)
    if known is None:
        raise InvalidInputError(
            f"type must be one of {', '.join(MEMORY_TYPES)}", hint="Leave it out to have it chosen."
        )
    return known


def clean_tags(tags: str | list[str] | None) -> str | list[str] | None:
    """Take secrets out of tags as they were written: lower case would hide one from its pattern."""
    match tags:
        case None:
            return None
        case str():
            return clean(scrub(tags))
        case _:
            return [clean(scrub(tag)) for tag in tags]


def _named(asked: str | None) -> str | None:
    # A blank names nothing; taken for a name, each memory that has it would be the same one.
    return asked if asked and asked.strip() else None


def _visibility(asked: str) -> Visibility:
    if asked not in VISIBILITIES:
        raise InvalidInputError(f"visibility must be {' or '.join(VISIBILITIES)}")
    return asked


def _created_at(asked: str | None, context: operations.ChangeContext) -> str:
    if asked is None:
        return context.now
    moment = parse_moment(asked)
    if moment is None:
        raise InvalidInputError("createdAt must be an ISO-8601 time")
    return iso(moment)


def prepare(command: Remember, context: operations.ChangeContext) -> tuple[NewMemory, int]:
    """Decide everything about the memory, pure, and count the secrets that were taken out.

    Raises InvalidInputError for what cannot be remembered, TooLargeError for what is too long.
    """
    redacted = redact(scrub(command.content))
    prefixed = parsing.read_prefixes(redacted.text)
    if not prefixed.content:
        raise InvalidInputError("content is required")
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
        who=clean(scrub(command.who)).strip() or _NOBODY,
        why=clean(scrub(command.why or ""))
        or ("explicit-critical" if prefixed.critical else "explicit"),
        scope=Scope(command.agent_id, command.project, _visibility(command.visibility)),
        source=replace(command.source, id=_named(command.source.id)),
        session_id=command.session_id,
        idempotency_key=_named(command.idempotency_key),
        runtime_path=command.runtime_path,
        created_at=_created_at(command.created_at, context),
    )
    return memory, len(redacted.found)


def write(
    tx: WriteTx, memory: NewMemory, command: Remember, context: operations.ChangeContext
) -> InsertOutcome:
    """Write a prepared memory in the caller's transaction."""
    return operations.insert(
        tx, memory, operations.Audit(command.actor), context, revive=command.revive
    )


def outcome_of(outcome: InsertOutcome, memory: NewMemory, redacted: int) -> RememberOutcome:
    """Say what came of a write."""
    match outcome:
        case Inserted(id=memory_id):
            return Saved(memory_id, memory, redacted)
        case Duplicate(memory=known):
            return AlreadyKnown(known, redacted)
        case Forgotten(id=memory_id):
            return PreviouslyForgotten(memory_id)


@dataclass(frozen=True, slots=True)
class Ingest:
    """The remember use case with what it depends on.

    ``frozen`` tells whether writes are off; ``heard`` is told whose memory was kept.
    """

    db: Database
    stamp: operations.ChangeContext
    frozen: Callable[[], bool]
    heard: Callable[[str], None] = lambda _: None

    async def remember(self, command: Remember) -> RememberOutcome:
        """Redact, normalise and write one memory; it is on disk when this returns.

        Raises InvalidInputError, TooLargeError, or UnavailableError while writes are frozen or
        impossible.
        """
        if self.frozen():
            raise UnavailableError(
                "Mutations are frozen (kill switch active)",
                hint="Set memory.pipelineV2.mutationsFrozen to false.",
            )
        memory, redacted = prepare(command, self.stamp)
        outcome = await self.db.write(lambda tx: write(tx, memory, command, self.stamp))
        self.heard(memory.scope.agent_id)
        return outcome_of(outcome, memory, redacted)
