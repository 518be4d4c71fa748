"""Calls embedders so that an outcome always arrives in time, whatever they do."""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import TypeVar

from intaglio.inference.ports import (
    Embedded,
    Embedder,
    MemoryVector,
    NotEmbedded,
    QuestionVector,
    TextInContext,
    TokenEmbedder,
)

T = TypeVar("T")


async def guarded_embed(
    embedder: Embedder, texts: Sequence[str], *, timeout_s: float, grace_s: float = 0.0
) -> Embedded | NotEmbedded:
    """Embed the texts; an embedder that raises, or hangs too long, counts as failed."""
    return await _guarded(embedder.embed(texts, timeout_s=timeout_s), timeout_s, grace_s)


async def guarded_memories(
    embedder: TokenEmbedder,
    texts: Sequence[TextInContext],
    *,
    timeout_s: float,
    grace_s: float = 0.0,
) -> tuple[MemoryVector, ...] | NotEmbedded:
    """Embed memories in their contexts, guarded in the same way."""
    return await _guarded(embedder.embed_memories(texts, timeout_s=timeout_s), timeout_s, grace_s)


async def guarded_question(
    embedder: Embedder, text: str, *, timeout_s: float, grace_s: float = 0.0
) -> QuestionVector | NotEmbedded:
    """Embed a question, with token states if the embedder has any."""
    if isinstance(embedder, TokenEmbedder):
        asking = embedder.embed_question(text, timeout_s=timeout_s)
        return await _guarded(asking, timeout_s, grace_s)
    match await guarded_embed(embedder, [text], timeout_s=timeout_s, grace_s=grace_s):
        case Embedded((vector,)):
            return QuestionVector(vector)
        case Embedded():
            return NotEmbedded("refused", "the model didn't return exactly one vector")
        case NotEmbedded() as failure:
            return failure


async def _guarded(
    embedding: Awaitable[T | NotEmbedded], timeout_s: float, grace_s: float
) -> T | NotEmbedded:
    try:
        async with asyncio.timeout(timeout_s + grace_s):
            return await embedding
    except TimeoutError:
        return NotEmbedded("timeout", f"no answer within {timeout_s:g} s")
    # A provider is foreign code and a foreign server: whatever it raises is its failure.
    except Exception as error:  # noqa: BLE001 - see above
        return NotEmbedded("refused", str(error) or type(error).__name__)
