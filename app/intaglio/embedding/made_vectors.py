"""Embeds memories, in their contexts if the model uses any, and checks what it returns."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from intaglio.embedding.values import EmbeddableText, NewVector
from intaglio.inference.context import MAX_TURN_PIECES
from intaglio.inference.guarded_embedder import guarded_embed, guarded_memories
from intaglio.inference.ports import (
    Embedder,
    NotEmbedded,
    TextInContext,
    TokenEmbedder,
    Vector,
)
from intaglio.store.vectors import quantization
from intaglio.store.vectors.values import Model


class _Pieces(NamedTuple):
    ids: bytes | None = None
    length: int | None = None


@dataclass(frozen=True, slots=True)
class MadeVector:
    """A memory's unit vector, and its word pieces if the model has token states."""

    text: EmbeddableText
    vector: "array[float]"
    pieces: bytes | None
    length: int | None

    def quantised(self, model: Model) -> NewVector:
        """Return the vector as it is stored; only a turn of a conversation has a context."""
        is_turn = self.length is not None and self.length <= MAX_TURN_PIECES
        return NewVector(
            memory=self.text.seq,
            vector=quantization.quantise(self.vector, model.scale),
            pieces=self.pieces,
            length=self.length,
            previous=self.text.context.previous if is_turn else None,
            statement=self.text.context.statement if is_turn else None,
        )


@dataclass(frozen=True, slots=True)
class NotMade:
    """No vectors, and why; ``lasting`` until the daemon restarts."""

    reason: str
    lasting: bool = False
    is_timeout: bool = False


EmbedResult: TypeAlias = tuple[MadeVector, ...] | NotMade


def uses_context(embedder: Embedder) -> bool:
    """Whether the model embeds memories in their contexts."""
    return isinstance(embedder, TokenEmbedder)


async def embed_texts(
    embedder: Embedder, texts: Sequence[EmbeddableText], *, timeout_s: float, grace_s: float
) -> EmbedResult:
    """Embed all texts, or none; a bad vector, or a wrong number of them, is a failure."""
    if isinstance(embedder, TokenEmbedder):
        inputs = [TextInContext(text.content, text.context.before) for text in texts]
        found = await guarded_memories(embedder, inputs, timeout_s=timeout_s, grace_s=grace_s)
        if isinstance(found, NotEmbedded):
            return _not_made(found)
        vectors = [each.vector for each in found]
        pieces = [_Pieces(each.pieces, each.length) for each in found]
    else:
        contents = [text.content for text in texts]
        outcome = await guarded_embed(embedder, contents, timeout_s=timeout_s, grace_s=grace_s)
        if isinstance(outcome, NotEmbedded):
            return _not_made(outcome)
        vectors, pieces = list(outcome.vectors), [_Pieces()] * len(outcome.vectors)
    return _checked(texts, vectors, pieces, embedder.identity.dimensions)


def _not_made(outcome: NotEmbedded) -> NotMade:
    is_timeout = outcome.reason == "timeout"
    return NotMade(outcome.detail or outcome.reason, outcome.is_permanent, is_timeout)


def _checked(
    texts: Sequence[EmbeddableText],
    vectors: Sequence[Vector],
    pieces: Sequence[_Pieces],
    size: int,
) -> EmbedResult:
    if len(vectors) != len(texts):
        return NotMade(f"{len(vectors)} vectors for {len(texts)} texts")
    numbers: list[list[float]] = [vector.tolist() for vector in vectors]
    faults = [fault for vector in numbers if (fault := quantization.fault(vector, size))]
    if faults:
        return NotMade(faults[0])
    return tuple(
        MadeVector(text, quantization.unit(vector), each.ids, each.length)
        for text, vector, each in zip(texts, numbers, pieces, strict=True)
    )
