"""What `memory_store` answers beside its result: what it replaced, and near older memories."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from intaglio.base.errors import ConflictError, NotFoundError
from intaglio.base.text import clip, storage_form
from intaglio.language.overlap import topic_overlap
from intaglio.mcp.reading_tools import find
from intaglio.mcp.values import McpCaller, McpServices
from intaglio.memory import rows
from intaglio.memory.values import Memory
from intaglio.recall.values import Hit, Question

_MOST: Final = 3
_SEARCHED: Final = 8
_LINE_CHARS: Final = 120
_NEAR_SHARE: Final = 0.4
_NEAR_COSINE: Final = 0.6
_EMBED_WITHIN_S: Final = 1.0
_ASKED: Final = "The user decides on these in their inbox."


async def replaced_memories(
    services: McpServices, caller: McpCaller, named: Sequence[str]
) -> list[str]:
    """Return the ids of the memories that an agent wants to replace.

    Raises NotFoundError and ConflictError, each saying which, for what is no memory it may see.
    """
    found: list[str] = []
    for number, each in enumerate(named, 1):
        try:
            memory = await find(services, caller, each)
        except NotFoundError as error:
            raise NotFoundError(
                f"No such memory: id {number} of replaces", hint=error.hint
            ) from error
        except ConflictError as error:
            raise ConflictError(f"Id {number} of replaces: {error.detail}") from error
        found.append(memory.id)
    return list(dict.fromkeys(found))


async def what_was_replaced(
    services: McpServices, newer_id: str, older: Sequence[str]
) -> dict[str, Any]:
    """Say which memories are replaced by a newer one, and which the user is asked about."""
    if not older:
        return {}
    known = await services.context.db.read(lambda tx: rows.by_ids(tx, older))
    done = [
        each
        for each in older
        if (memory := known.get(each)) is not None and memory.superseded_by == newer_id
    ]
    asked = [each for each in older if each not in done]
    return {
        **({"replaced": done} if done else {}),
        **({"asked": asked, "note": _ASKED} if asked else {}),
    }


async def nearest(
    services: McpServices, caller: McpCaller, content: str, besides: Sequence[str]
) -> list[dict[str, str]]:
    """Return the older memories of the scope that are close to a text: id, and a line each."""
    filters = await services.filters(caller)
    if filters.project is None:
        return []
    answer = await services.recall(
        Question(
            text=content,
            limit=_SEARCHED,
            filters=replace(filters, exact_project=True),
            embed_within_s=_EMBED_WITHIN_S,
            counts_as_use=False,
        )
    )
    close = [hit for hit in answer.hits if hit.memory.id not in besides and _is_close(hit, content)]
    sanitize = services.context.fence.sanitize
    return [{"id": hit.memory.id, "content": sanitize(_line(hit.memory))} for hit in close[:_MOST]]


def _is_close(hit: Hit, content: str) -> bool:
    if (hit.signals.cosine or 0.0) >= _NEAR_COSINE:
        return True
    return topic_overlap(hit.memory.content, content).share >= _NEAR_SHARE


def _line(memory: Memory) -> str:
    return clip(storage_form(memory.content), _LINE_CHARS)
