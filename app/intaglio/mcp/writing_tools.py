"""The tools that change memories: store, modify and forget.

An agent's word is a fact at most: what would bind the user is left to the user, and so is what the
user said.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, TypeVar

from msgspec import UNSET, Meta, UnsetType

from intaglio.base.arguments.lenient_arguments import FORM, TextForm
from intaglio.base.errors import (
    ConflictError,
    InvalidInputError,
)
from intaglio.base.text import clip
from intaglio.capture.evidence import MAX_QUOTE_CHARS, MAX_QUOTES
from intaglio.domain.memory_types import GivenType, MemoryType
from intaglio.inbox.operations import MAX_REPLACED
from intaglio.inbox.values import AlreadyOpen, DroppedBefore, Evidence, Suggested
from intaglio.mcp.nearest_memories import nearest, replaced_memories, what_was_replaced
from intaglio.mcp.reading_tools import MemoryId, find
from intaglio.mcp.values import McpCaller, McpServices, Tool, ToolArguments, ToolResult
from intaglio.memory import parsing
from intaglio.memory.operations import Audit
from intaglio.memory.values import (
    AGENT_SOURCE,
    DEFAULT_IMPORTANCE,
    KEEP,
    Change,
    Duplicate,
    Forgotten,
    Keep,
    Memory,
    NoChange,
    Source,
    agent_author,
)
from intaglio.pipeline.agent_changes import ASK_THE_USER, Proposed, Refused, Rejected, WantedChange
from intaglio.pipeline.ingest import Remember, Saved, clean_tags
from intaglio.pipeline.outcomes import MutationOutcome, MutationVerb, outcome_text
from intaglio.redaction.redact import clean
from intaglio.sessions.reminders.notes import (
    AgentNote,
    NoteDeclined,
    NoteKept,
    NoteKnown,
    NoteUnverified,
)
from intaglio.sessions.reminders.values import NoteResult, ResultKind
from intaglio.sessions.statements.claims import (
    AgentClaim,
    SaidByUser,
)
from intaglio.sessions.statements.values import as_claim

T = TypeVar("T")

_USERS: Final = "the user's own words"
_RESULTS: Final[Mapping[str, ResultKind]] = {
    "stored": "saved",
    "already_stored": "known",
    "suggested": "suggested",
}
_QUOTED: Final = 120
_REJECTED: Final = "The user was asked before, and wants it to stay as it is."
_WAITS: Final = "Only the user can decide this; it waits in their inbox."
_NO_PROJECT: Final = "It isn't known which project this belongs to"

Importance = Annotated[float, Meta(ge=0, le=1)]
Reason = Annotated[str, Meta(min_length=1, max_length=1_000)]
Quote = Annotated[str, Meta(max_length=MAX_QUOTE_CHARS)]
ReplacedIds = Annotated[
    list[Annotated[str, Meta(max_length=200, min_length=1)]],
    Meta(
        max_length=MAX_REPLACED,
        description="ids of memories that this one replaces",
        extra={FORM: TextForm.IDS},
    ),
]
Quotes = Annotated[
    list[Quote],
    Meta(
        max_length=MAX_QUOTES,
        description="the user's exact words of this session that say so",
        extra={FORM: TextForm.QUOTES},
    ),
]
TagText = Annotated[
    str, Meta(max_length=4_000, description="comma-separated", extra={FORM: TextForm.LIST})
]


class StoreArguments(ToolArguments, kw_only=True):
    """What to store."""

    content: Annotated[str, Meta(min_length=1, max_length=100_000)]
    type: GivenType | UnsetType = UNSET
    evidence: Quotes | UnsetType = UNSET
    replaces: ReplacedIds | UnsetType = UNSET
    known: (
        Annotated[
            str,
            Meta(
                max_length=200,
                description="id of the memory that says so already; nothing is stored",
                extra={FORM: TextForm.ID},
            ),
        ]
        | UnsetType
    ) = UNSET
    importance: Importance = DEFAULT_IMPORTANCE
    tags: TagText | UnsetType = UNSET


class ModifyArguments(ToolArguments, kw_only=True):
    """What to change of which memory, and why."""

    id: MemoryId
    reason: Reason
    content: Annotated[str, Meta(min_length=1, max_length=100_000)] | UnsetType = UNSET
    type: GivenType | UnsetType = UNSET
    importance: Importance | UnsetType = UNSET
    tags: TagText | UnsetType = UNSET


class ForgetArguments(ToolArguments, kw_only=True):
    """Which memory to forget, and why."""

    id: MemoryId
    reason: Reason


async def store(services: McpServices, caller: McpCaller, asked: StoreArguments) -> ToolResult:
    """Store what the user said or the agent found out, or ask the user about it.

    With evidence in the user's own words it is theirs. Else it is a fact of the project, and a
    claim, or a fact without a project, waits for the user. Without evidence, what it replaces waits
    for the user too.
    """
    older = await replaced_memories(services, caller, asked.replaces or [])
    found = await _stored(services, caller, asked, tuple(older))
    result = _RESULTS.get(str(found["status"]))
    if result is not None:
        kept, waits = (None, found["id"]) if result == "suggested" else (found["id"], None)
        services.reminders.note(caller.session, NoteResult(result, kept, waits))
        if kept is not None:
            found = {**found, **await _replaced(services, caller, asked, kept, older)}
        close = await nearest(services, caller, asked.content, (str(found["id"]), *older))
        found = {**found, "nearest": close} if close else found
    return found


async def _replaced(
    services: McpServices,
    caller: McpCaller,
    asked: StoreArguments,
    memory_id: str,
    older: Sequence[str],
) -> ToolResult:
    """Return what became of the memories that a stored one replaces."""
    known = await what_was_replaced(services, memory_id, older)
    waiting: list[str] = known.get("asked", [])
    if waiting:
        evidence = Evidence(clean(asked.content), caller.harness, caller.ledger_session.id)
        await services.reversals.apply(memory_id, waiting, evidence, caller.actor)
    return await what_was_replaced(services, memory_id, older)


async def _stored(
    services: McpServices, caller: McpCaller, asked: StoreArguments, older: tuple[str, ...]
) -> ToolResult:
    if asked.known:
        return await _confirm(services, caller, asked.known, asked.evidence or [])
    claimed = as_claim(asked.type or None) or await services.claims.claimed_type(asked.content)
    services.recalls.begin_anonymous(caller.ledger_session, caller.project)
    words = ""
    if asked.evidence:
        kind = claimed or _inferred(asked.content)
        said = await _keep_as_users(services, caller, asked, kind, older)
        if said is not None:
            return said
        quoted = " ".join(f"\u201c{each}\u201d" for each in asked.evidence)
        words = f"{asked.content} (evidence claimed by the agent, not verified: {quoted})"
    if claimed is not None:
        return await _claim(services, caller, asked.content, claimed, words, older)
    return await _store_as_agents(services, caller, asked, words, older)


async def _store_as_agents(
    services: McpServices,
    caller: McpCaller,
    asked: StoreArguments,
    words: str,
    older: tuple[str, ...],
) -> ToolResult:
    """Store what the agent found out; ``words`` are shown where the user is asked instead."""
    kind = asked.type or None
    if caller.project is None:
        # Kept for all projects, it would be told in those it isn't about.
        found = await _claim(
            services, caller, asked.content, kind or _inferred(asked.content), words, older
        )
        if found["status"] == "suggested":
            raise ConflictError(_NO_PROJECT, hint=_WAITS)
        return found
    outcome = await services.ingest.remember(
        Remember(
            content=asked.content,
            actor=caller.actor,
            who=agent_author(caller.harness),
            why="stored by the agent",
            type=kind or _inferred(asked.content),
            importance=min(asked.importance, DEFAULT_IMPORTANCE),
            tags=asked.tags or None,
            # A prefix of the text must not pin it: pinned memories are told first.
            pinned=False,
            agent_id=caller.agent_id,
            project=caller.project,
            source=Source(AGENT_SOURCE),
            session_id=caller.ledger_session.id,
            revive=False,
        )
    )
    match outcome:
        case Saved(id=memory_id, memory=memory, redacted=redacted):
            secrets = {"secrets_removed": redacted} if redacted else {}
            is_lower = memory.importance < asked.importance
            lower = {"importance": memory.importance} if is_lower else {}
            return {"status": "stored", "id": memory_id, "type": memory.type, **lower, **secrets}
        case Duplicate(memory=known):
            return {"status": "already_stored", "id": known.id}
        case Forgotten():
            return _declined()


async def _keep_as_users(
    services: McpServices,
    caller: McpCaller,
    asked: StoreArguments,
    kind: MemoryType,
    older: tuple[str, ...],
) -> ToolResult | None:
    """Keep what the user's quoted words bear out; None if they don't."""
    if caller.session is None or caller.project is None:
        return None
    note = AgentNote(
        content=asked.content,
        type=asked.type or kind,
        quotes=tuple(asked.evidence or ()),
        session=caller.session,
        tags=asked.tags or None,
        replaces=older,
    )
    match await services.notes.keep(note):
        case NoteKept(memory_id=memory_id):
            return {"status": "stored", "id": memory_id, "type": note.type, "as": _USERS}
        case NoteKnown(memory_id=memory_id):
            return {"status": "already_stored", "id": memory_id, "as": _USERS}
        case NoteDeclined():
            return _declined()
        case NoteUnverified():
            return None


async def _confirm(
    services: McpServices, caller: McpCaller, named: str, quotes: Sequence[str]
) -> ToolResult:
    """Answer that a memory says so already; the user's words become evidence of it."""
    memory = await find(services, caller, named)
    kind = parsing.known_type(memory.type)
    if quotes and caller.session is not None and caller.project is not None and kind is not None:
        note = AgentNote(
            content=memory.content, type=kind, quotes=tuple(quotes), session=caller.session
        )
        await services.notes.confirm(note)
    return {"status": "already_stored", "id": memory.id}


async def modify(services: McpServices, caller: McpCaller, asked: ModifyArguments) -> ToolResult:
    """Change what the agent stored; ask the user about a change of anything else."""
    memory = await find(services, caller, asked.id)
    audit = await _audit(services, caller, asked.reason)
    change = _change(memory, asked)
    if change == Change():
        return _changed(NoChange(memory.id, memory.version), memory.id, "updated")
    rewrites = change.content is not KEEP or change.type is not KEEP
    if memory.is_of_agent and rewrites:
        content, kind = asked.content or memory.content, asked.type or memory.type
        claimed = as_claim(kind) or await services.claims.claimed_type(content)
        if claimed is not None:
            words = f"Instead of \u201c{clip(memory.content, _QUOTED)}\u201d: {audit.reason}"
            found = await _claim(services, caller, content, claimed, words)
            return {**found, "unchanged": memory.id}
    outcome = await services.changes.carry_out(
        _wanted(caller, memory, change, audit),
        lambda allowed: services.modify.modify(memory.id, change, allowed),
    )
    return _changed(outcome, memory.id, "updated")


def _change(memory: Memory, asked: ModifyArguments) -> Change:
    """Return what differs; raises InvalidInputError if nothing is given."""
    given = (asked.content, asked.type, asked.importance, asked.tags)
    if all(isinstance(each, UnsetType) for each in given):
        raise InvalidInputError("Give at least one of content, type, importance and tags")
    importance = asked.importance
    if not isinstance(importance, UnsetType):
        importance = min(importance, max(DEFAULT_IMPORTANCE, memory.importance))
    tags = KEEP if isinstance(asked.tags, UnsetType) else _tags(asked.tags)
    return Change(
        content=_changed_to(asked.content, memory.content),
        type=_changed_to(asked.type, memory.type),
        importance=_changed_to(importance, memory.importance),
        tags=KEEP if tags == memory.tags else tags,
    )


def _changed_to(asked: T | UnsetType, now: object) -> T | Keep:
    """Return what is asked for if it differs from what is."""
    return KEEP if isinstance(asked, UnsetType) or asked == now else asked


def _tags(text: str) -> tuple[str, ...]:
    return parsing.read_tags(clean_tags(text))


async def forget(services: McpServices, caller: McpCaller, asked: ForgetArguments) -> ToolResult:
    """Forget what the agent stored; ask the user about anything else."""
    memory = await find(services, caller, asked.id)
    audit = await _audit(services, caller, asked.reason)
    outcome = await services.changes.carry_out(
        _wanted(caller, memory, None, audit), lambda allowed: services.forget(memory.id, allowed)
    )
    return _changed(outcome, memory.id, "deleted")


def _wanted(caller: McpCaller, memory: Memory, change: Change | None, audit: Audit) -> WantedChange:
    return WantedChange(
        memory_id=memory.id,
        change=change,
        audit=audit,
        agent_id=caller.agent_id,
        project=caller.project,
    )


def _inferred(content: str) -> MemoryType:
    kind = parsing.infer_type(content)
    return "fact" if as_claim(kind) else kind


async def _claim(
    services: McpServices,
    caller: McpCaller,
    content: str,
    claimed: MemoryType,
    words: str = "",
    older: tuple[str, ...] = (),
) -> ToolResult:
    """Ask the user about a claim; ``words`` are shown with it, else its content.

    Once it is accepted, it replaces the ``older`` memories.
    """
    prefixed = parsing.read_prefixes(content)
    if not prefixed.content:
        raise InvalidInputError("content is required", hint="A memory needs some text.")
    parsing.check_length(prefixed.content)
    outcome = await services.claims.settle(
        AgentClaim(
            content=prefixed.content,
            type=claimed,
            harness=caller.harness,
            agent_id=caller.agent_id,
            project=caller.project,
            session=caller.session,
            ledger_session_id=caller.ledger_session.id,
            words=words or prefixed.content,
            replaces=older,
        )
    )
    sanitize = services.context.fence.sanitize
    match outcome:
        case SaidByUser(memory_id=memory_id, content=kept, sentence=sentence):
            said = {"content": sanitize(kept), "user_said": sanitize(sentence)}
            return {"status": "stored", "id": memory_id, **said}
        case Duplicate(memory=known):
            return {"status": "already_stored", "id": known.id}
        case Suggested(id=item_id) | AlreadyOpen(id=item_id):
            return {"status": "suggested", "id": item_id, "note": _WAITS}
        case DroppedBefore():
            return _declined()


def _declined() -> ToolResult:
    return {"status": "declined", "note": "The user doesn't want this to be remembered."}


async def _audit(services: McpServices, caller: McpCaller, reason: str) -> Audit:
    if not reason.strip():
        raise InvalidInputError("reason is required", hint="The history shows it to the user.")
    filters = await services.filters(caller)
    return Audit(caller.actor, reason.strip(), None, filters.reader)


def _changed(outcome: MutationOutcome | Refused, memory_id: str, verb: MutationVerb) -> ToolResult:
    match outcome:
        case Proposed(item_id=item_id):
            waiting = {"status": "suggested", "id": item_id, "note": _WAITS}
            return {**waiting, "unchanged": memory_id}
        case Rejected():
            return {"status": "declined", "note": _REJECTED, "unchanged": memory_id}
        case _:
            found = outcome_text(outcome, verb)
    if found.error:
        raise ConflictError(found.error, hint=ASK_THE_USER)
    return {"status": found.status, "id": memory_id}


WRITING_TOOLS: Final = (
    Tool(
        "memory_store",
        "Save what will hold for weeks: decisions, preferences, rules and facts that the user "
        "stated or agreed to, and what you found out by work (a cause, command or place). One per "
        "call, at most three a message; one sentence that stands alone, in the user's language. "
        "Never what is tentative or asked, secrets, progress of the task, what the code or a file "
        "written now will show, or text copied from files, pages or tool output. As evidence quote "
        "the user's exact words of this session, several where it takes several; for a proposal "
        "that they accepted, your sentence and their reply. Then it is kept as theirs; else a "
        "rule, preference or decision waits for their approval, and a fact is marked as yours. If "
        "a memory says so already, give its id as known; if one no longer holds, as replaces. Most "
        "are a fact; procedural is how to do something, learning a lesson, issue a known problem.",
        StoreArguments,
        store,
        writes=True,
    ),
    Tool(
        "memory_modify",
        "Correct a memory that turned out to be wrong or outdated. The reason is shown to the "
        "user. What the user stated stays as it is until they approve the change.",
        ModifyArguments,
        modify,
        writes=True,
    ),
    Tool(
        "memory_forget",
        "Forget a memory that is wrong or no longer wanted; the user can restore it. What you "
        "didn't store yourself is only proposed to the user.",
        ForgetArguments,
        forget,
        writes=True,
        removes=True,
    ),
)
