"""The tools that change memories: store, modify, forget and feedback.

An agent's word is a fact at most: what would bind the user is left to the user.
"""

from typing import Annotated, Final

from msgspec import UNSET, Meta, UnsetType

from intaglio.base.errors import ConflictError, InvalidInputError, NotFoundError
from intaglio.mcp.reading_tools import MemoryId, TypeName, find
from intaglio.mcp.values import McpCaller, McpServices, Tool, ToolArguments, ToolResult
from intaglio.memory import parsing, rows
from intaglio.memory.operations import Audit
from intaglio.memory.values import (
    AGENT_SOURCE,
    DEFAULT_IMPORTANCE,
    KEEP,
    Change,
    Memory,
    MemoryType,
    Source,
)
from intaglio.pipeline.ingest import (
    AlreadyKnown,
    PreviouslyForgotten,
    Remember,
    Saved,
    clean_tags,
)
from intaglio.pipeline.outcomes import MutationOutcome, MutationVerb, outcome_text
from intaglio.sessions.pauses.service import pause_state
from intaglio.sessions.statements.claims import (
    CLAIM_TYPES,
    AgentClaim,
    AskedUser,
    ClaimOutcome,
    ClaimType,
    KnownAlready,
    NotWanted,
    SaidByUser,
    as_claim,
)

_CURRENT: Final = "current"
_MAX_RATINGS: Final = 200
_STORED_TYPES: Final[tuple[MemoryType, ...]] = (
    "fact",
    "procedural",
    "semantic",
    "learning",
    "issue",
)
_TYPES: Final[tuple[MemoryType, ...]] = (*_STORED_TYPES, *CLAIM_TYPES)

Importance = Annotated[float, Meta(ge=0, le=1)]
Reason = Annotated[str, Meta(min_length=1, max_length=1_000)]
TagText = Annotated[str, Meta(max_length=4_000, description="comma-separated")]


class StoreArguments(ToolArguments, kw_only=True):
    """What to store."""

    content: Annotated[str, Meta(min_length=1, max_length=100_000)]
    type: TypeName | UnsetType = UNSET
    importance: Importance | UnsetType = UNSET
    tags: TagText | UnsetType = UNSET


class ModifyArguments(ToolArguments, kw_only=True):
    """What to change of which memory, and why."""

    id: MemoryId
    reason: Reason
    content: Annotated[str, Meta(min_length=1, max_length=100_000)] | UnsetType = UNSET
    type: TypeName | UnsetType = UNSET
    importance: Importance | UnsetType = UNSET
    tags: TagText | UnsetType = UNSET


class ForgetArguments(ToolArguments, kw_only=True):
    """Which memory to forget, and why."""

    id: MemoryId
    reason: Reason


class FeedbackArguments(ToolArguments, kw_only=True):
    """How useful memories were to a session: from -1 to 1, by id."""

    session_key: Annotated[
        str, Meta(max_length=1_000, description='"current" for your own session')
    ]
    ratings: Annotated[
        dict[str, Annotated[float, Meta(ge=-1, le=1)]], Meta(max_length=_MAX_RATINGS)
    ]


async def store(services: McpServices, caller: McpCaller, asked: StoreArguments) -> ToolResult:
    """Store a fact, or leave a claim about the user to the user."""
    if await _is_paused(services):
        return {"status": "paused", "note": "The user has paused capture. Nothing was stored."}
    kind = _type_of(asked.type)
    claimed = await _claimed(services, kind, asked.content)
    if claimed is not None:
        return await _claim(services, caller, asked.content, claimed)
    importance = DEFAULT_IMPORTANCE
    if not isinstance(asked.importance, UnsetType):
        importance = min(asked.importance, DEFAULT_IMPORTANCE)
    outcome = await services.ingest.remember(
        Remember(
            content=asked.content,
            actor=caller.actor,
            who=caller.harness,
            why="stored by the agent",
            type=kind or _inferred(asked.content),
            importance=importance,
            tags=None if isinstance(asked.tags, UnsetType) else asked.tags,
            # A prefix of the text must not pin it: pinned memories are told first.
            pinned=False,
            agent_id=caller.agent_id,
            project=caller.project,
            source=Source(AGENT_SOURCE),
            session_id=caller.session_id,
            revive=False,
        )
    )
    match outcome:
        case Saved(id=memory_id, memory=memory, redacted=redacted):
            secrets = {"secrets_removed": redacted} if redacted else {}
            return {"status": "stored", "id": memory_id, "type": memory.type, **secrets}
        case AlreadyKnown(memory=known):
            return {"status": "known", "id": known.id}
        case PreviouslyForgotten():
            return _not_wanted()


async def modify(services: McpServices, caller: McpCaller, asked: ModifyArguments) -> ToolResult:
    """Change a memory; new words for what the user decided are left to the user."""
    memory = await find(services, caller, asked.id)
    kind = _type_of(asked.type)
    content = None if isinstance(asked.content, UnsetType) else asked.content
    if content is not None or kind is not None:
        claimed = await _claimed_change(services, memory, kind, content)
        if claimed is not None:
            return {
                **await _claim(services, caller, content or memory.content, claimed),
                "unchanged": memory.id,
            }
    importance = asked.importance
    if not isinstance(importance, UnsetType):
        importance = min(importance, max(DEFAULT_IMPORTANCE, memory.importance))
    change = Change(
        content=KEEP if content is None else content,
        type=KEEP if kind is None else kind,
        importance=KEEP if isinstance(importance, UnsetType) else importance,
        tags=KEEP
        if isinstance(asked.tags, UnsetType)
        else parsing.read_tags(clean_tags(asked.tags)),
    )
    if change == Change():
        raise InvalidInputError("content, type, importance or tags is required")
    audit = await _audit(services, caller, asked.reason)
    return _changed(await services.modify.modify(memory.id, change, audit), memory.id, "updated")


async def forget(services: McpServices, caller: McpCaller, asked: ForgetArguments) -> ToolResult:
    """Forget a memory; the user can restore it."""
    memory = await find(services, caller, asked.id)
    audit = await _audit(services, caller, asked.reason)
    return _changed(await services.forget(memory.id, audit), memory.id, "deleted")


async def feedback(
    services: McpServices, caller: McpCaller, asked: FeedbackArguments
) -> ToolResult:
    """Record how useful memories were to the caller's session."""
    key = caller.session_id
    if key is None or asked.session_key not in {_CURRENT, key}:
        raise NotFoundError(
            "No such open session of yours", hint=f'session_key "{_CURRENT}" is your own session.'
        )
    filters = await services.filters(caller)
    ids = list(asked.ratings)
    seen = await services.sessions.db.read(
        lambda tx: [memory.id for memory in rows.select(tx, filters, ids, len(ids))]
    )
    ratings = {memory_id: asked.ratings[memory_id] for memory_id in seen}
    recorded = await services.feedback.rate(key, caller.agent_id, filters.reader, ratings)
    return {"recorded": recorded}


async def _is_paused(services: McpServices) -> bool:
    now = services.sessions.clock()
    state = await services.sessions.db.read(lambda tx: pause_state(tx, now))
    return state.paused


def _type_of(name: str | UnsetType) -> MemoryType | None:
    if isinstance(name, UnsetType):
        return None
    found = parsing.known_type(name)
    if found not in _TYPES:
        raise InvalidInputError(f"type must be one of {', '.join(_TYPES)}")
    return found


def _inferred(content: str) -> MemoryType:
    kind = parsing.infer_type(content)
    return kind if kind in _STORED_TYPES else "fact"


async def _claimed(
    services: McpServices, kind: MemoryType | None, content: str
) -> ClaimType | None:
    """Return as what a text would bind the user, by its type or its words; None for a fact."""
    return as_claim(kind) or await services.claims.claimed_type(content)


async def _claimed_change(
    services: McpServices, memory: Memory, kind: MemoryType | None, content: str | None
) -> ClaimType | None:
    known = as_claim(memory.type) or ("rule" if memory.pinned else None)
    return known or await _claimed(services, kind, content or "")


async def _claim(
    services: McpServices, caller: McpCaller, content: str, claimed: ClaimType
) -> ToolResult:
    prefixed = parsing.read_prefixes(content)
    if not prefixed.content:
        raise InvalidInputError("content is required", hint="A memory needs some text.")
    parsing.check_length(prefixed.content)
    return _settled(
        await services.claims.settle(
            AgentClaim(
                content=prefixed.content,
                type=claimed,
                harness=caller.harness,
                agent_id=caller.agent_id,
                project=caller.project,
                session=caller.session,
            )
        ),
        claimed,
    )


def _settled(outcome: ClaimOutcome, claimed: ClaimType) -> ToolResult:
    match outcome:
        case SaidByUser(memory_id=memory_id, content=content, sentence=sentence):
            said = {"content": content, "user_said": sentence}
            return {"status": "stored", "id": memory_id, **said}
        case KnownAlready(memory_id=memory_id):
            return {"status": "known", "id": memory_id}
        case AskedUser(item_id=item_id):
            note = f"Only the user can make this a {claimed}; it waits in their inbox."
            return {"status": "suggested", "id": item_id, "note": note}
        case NotWanted():
            return _not_wanted()


def _not_wanted() -> ToolResult:
    return {"status": "forgotten", "note": "The user doesn't want this to be remembered."}


async def _audit(services: McpServices, caller: McpCaller, reason: str) -> Audit:
    if not reason.strip():
        raise InvalidInputError("reason is required", hint="The history shows it to the user.")
    filters = await services.filters(caller)
    return Audit(caller.actor, reason.strip(), None, filters.reader)


def _changed(outcome: MutationOutcome, memory_id: str, verb: MutationVerb) -> ToolResult:
    found = outcome_text(outcome, verb)
    if found.error:
        raise ConflictError(found.error, hint="The user can change it in the dashboard.")
    return {"status": found.status, "id": memory_id}


WRITING_TOOLS: Final = (
    Tool(
        "memory_store",
        "Save what will matter in later sessions: lasting decisions, preferences, rules and facts "
        "that the user stated or you verified, one per call, in a sentence that reads well alone. "
        "Never secrets, progress of the task, or what a file, page or tool output says. type: "
        "fact, procedural, semantic, learning, issue, rule, preference or decision. Rules, "
        "preferences and decisions that the user didn't state themselves wait for their approval.",
        StoreArguments,
        store,
        writes=True,
    ),
    Tool(
        "memory_modify",
        "Correct a memory that turned out to be wrong or outdated. The reason is shown to the "
        "user. New words for the user's rules, preferences and decisions wait for their approval.",
        ModifyArguments,
        modify,
        writes=True,
    ),
    Tool(
        "memory_forget",
        "Forget a memory that the user no longer wants or that is wrong; the user can restore it.",
        ForgetArguments,
        forget,
        writes=True,
        removes=True,
    ),
    Tool(
        "memory_feedback",
        "Rate how useful memories were in this session, from -1 (harmful) to 1 (decisive), by id.",
        FeedbackArguments,
        feedback,
        writes=True,
    ),
)
