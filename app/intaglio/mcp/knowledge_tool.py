"""The tool that tells what is known about one entity: what always holds, facts, dependencies."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta, UnsetType

from intaglio.base.errors import InvalidInputError, NotFoundError
from intaglio.base.text import clip, estimate_tokens
from intaglio.fence.outgoing import Fence
from intaglio.graph.settings import GraphSettings
from intaglio.graph.traversal.expand import EntityQuestion, ExpandedKnowledge, expand
from intaglio.graph.traversal.walk import budget_of
from intaglio.mcp.values import McpCaller, McpServices, Tool, ToolArguments, ToolResult
from intaglio.memory.values import Memory

_DEFAULT_TOKENS: Final = 2_000
_LINE_CHARS: Final = 600
_DESCRIPTION_CHARS: Final = 300
_MORE: Final = "Raise max_tokens, or name an aspect in aspect_filter."
_UNNAMED: Final = "other"


class ExpandArguments(ToolArguments, kw_only=True):
    """Which entity, and how much of it."""

    entity_name: Annotated[str, Meta(min_length=1, max_length=400)]
    aspect_filter: Annotated[str, Meta(max_length=400)] | UnsetType = UNSET
    question: Annotated[str, Meta(max_length=10_000)] | UnsetType = UNSET
    max_tokens: Annotated[int, Meta(ge=50, le=10_000)] = _DEFAULT_TOKENS


class _Room:
    """The tokens that are left, and what found no room or was told."""

    def __init__(self, tokens: int) -> None:
        self.tokens = tokens
        self.left_out = 0
        self.told: list[Memory] = []

    def takes(self, line: Mapping[str, Any], memory: Memory | None = None) -> bool:
        """Whether a whole line fits; then it counts."""
        size = estimate_tokens(msgspec.json.encode(line).decode())
        if size > self.tokens:
            self.left_out += 1
            return False
        self.tokens -= size
        if memory is not None:
            self.told.append(memory)
        return True


async def expand_entity(
    services: McpServices, caller: McpCaller, asked: ExpandArguments
) -> ToolResult:
    """Return what the caller may know about an entity, in whole lines, what always holds first."""
    if not asked.entity_name.strip():
        raise InvalidInputError("entity_name is required", hint="Name a person, tool or project.")
    context = services.context
    began = context.ledger.seconds()
    wanted = EntityQuestion(
        entity=asked.entity_name,
        filters=await services.filters(caller),
        aspect=asked.aspect_filter or None,
        question=asked.question or None,
        max_tokens=asked.max_tokens,
    )
    budget = budget_of(context.settings().of(GraphSettings))
    found = await context.db.read(lambda tx: expand(tx, wanted, budget, context.ledger.seconds))
    if found is None:
        raise NotFoundError(
            "Nothing is known by this name", hint="memory_search finds memories by their words."
        )
    room = _Room(asked.max_tokens)
    reply = _reply(found, room, context.fence)
    await services.recalls.record_read(
        caller.ledger_session, room.told, "read about an entity", began, _LINE_CHARS
    )
    return reply


def _reply(found: ExpandedKnowledge, room: _Room, fence: Fence) -> dict[str, Any]:
    entity = found.entity
    described = fence.sanitize(clip(entity.description or "", _DESCRIPTION_CHARS))
    about = {
        "name": fence.sanitize(entity.name),
        "type": entity.type,
        **({"description": described} if described else {}),
    }
    room.takes(about)
    constraints: list[dict[str, Any]] = []
    for each in found.constraints:
        line = {**_line(each.memory, fence), "about": fence.sanitize(each.name)}
        if room.takes(line, each.memory):
            constraints.append(line)
    aspects: list[dict[str, Any]] = []
    for aspect in found.aspects:
        lines = ((_line(fact.memory, fence), fact.memory) for fact in aspect.facts)
        facts = [line for line, memory in lines if room.takes(line, memory)]
        if facts:
            aspects.append({"name": fence.sanitize(aspect.name or _UNNAMED), "facts": facts})
    dependencies = [
        line
        for each in found.dependencies
        if room.takes(line := {"target": fence.sanitize(each.entity.name), "type": each.dependency})
    ]
    left_out = room.left_out + found.left_out
    more = {"left_out": left_out, "hint": _MORE} if left_out else {}
    return {
        "entity": about,
        "always": constraints,
        "aspects": aspects,
        "depends_on": dependencies,
        **more,
    }


def _line(memory: Memory, fence: Fence) -> dict[str, Any]:
    cut = {"truncated": True} if len(memory.content) > _LINE_CHARS else {}
    return {
        "id": memory.id,
        "content": fence.sanitize(clip(memory.content, _LINE_CHARS)),
        "said_by": memory.said_by,
        **cut,
    }


KNOWLEDGE_TOOL: Final = Tool(
    "knowledge_expand",
    "Tell what is known about a person, project, tool or service by its name: what always holds, "
    "facts by aspect, and what it depends on.",
    ExpandArguments,
    expand_entity,
)
