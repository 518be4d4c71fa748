"""The port for embedding models, and its outcomes.

Ports for completion and reranking are added with their first implementation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    import numpy as np

    from intaglio.inference.token_table import TokenTable

Vector: TypeAlias = "np.ndarray[tuple[int], np.dtype[np.float32]]"
"""Float32 numbers with a total length of 1."""

Matrix: TypeAlias = "np.ndarray[tuple[int, int], np.dtype[np.float32]]"
"""Rows of float32 numbers."""

EmbedFailure: TypeAlias = Literal[
    "damaged", "unusable", "closed", "timeout", "unreachable", "refused"
]
EmbedderPhase: TypeAlias = Literal["idle", "ready", "failing", "damaged", "closed"]


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """Identifies comparable vectors; those of two identities are never compared.

    ``sha256`` is the model file's; empty for a model that another program runs.
    """

    provider: str
    model: str
    sha256: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class EmbedderState:
    """The state of an embedder as the status page shows it; ``detail`` is empty if all is well."""

    phase: EmbedderPhase
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Embedded:
    """One unit vector per text, in the order of the texts."""

    vectors: tuple[Vector, ...]


@dataclass(frozen=True, slots=True)
class NotEmbedded:
    """No vectors, and why.

    ``damaged``, ``unusable`` and ``closed`` last until the daemon restarts; the caller may retry
    the others.
    """

    reason: EmbedFailure
    detail: str

    @property
    def is_permanent(self) -> bool:
        """Whether retrying is pointless."""
        return self.reason in ("damaged", "unusable", "closed")


@dataclass(frozen=True, slots=True)
class TextInContext:
    """A memory's text, and the texts right before it in its conversation, oldest first."""

    text: str
    before: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class MemoryVector:
    """A memory's unit vector, made in its context, and its own word pieces.

    ``pieces`` are the distinct ids of at most 254 word pieces, ascending, as little-endian uint16;
    ``length`` is the number of pieces with repetitions, at most 256.
    """

    vector: Vector
    pieces: bytes
    length: int

    @property
    def levels(self) -> bytes:
        """The vector as signed bytes: its direction, not its length."""
        largest = float(abs(self.vector).max()) or 1.0
        return (self.vector * (127 / largest)).round().astype("int8").tobytes()


@dataclass(frozen=True, slots=True, eq=False)
class QuestionTokens:
    """A question's token states for late interaction.

    ``states`` has a unit row for each word piece, ``words`` the word of the question that each
    piece belongs to, in lower case.
    """

    states: Matrix
    words: tuple[str, ...]
    table: "TokenTable"


@dataclass(frozen=True, slots=True, eq=False)
class QuestionVector:
    """A question's unit vector, and its token states if the model has any."""

    vector: Vector
    tokens: QuestionTokens | None = None


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def identity(self) -> ModelIdentity:
        """The model's identity; known without loading or calling it."""
        ...

    @property
    def state(self) -> EmbedderState:
        """Return the model's state, based on what has happened so far."""
        ...

    async def embed(self, texts: Sequence[str], *, timeout_s: float) -> Embedded | NotEmbedded:
        """Embed all texts, or none if it fails or takes longer than ``timeout_s``.

        Raises RuntimeError inside a write transaction.
        """
        ...

    async def close(self) -> None:
        """Release everything; later calls return ``closed``."""
        ...


@runtime_checkable
class TokenEmbedder(Embedder, Protocol):
    """An embedder whose token states are used for late interaction."""

    async def embed_memories(
        self, texts: Sequence[TextInContext], *, timeout_s: float
    ) -> tuple[MemoryVector, ...] | NotEmbedded:
        """Embed all texts in their contexts, or none if it fails or takes longer."""
        ...

    async def embed_question(self, text: str, *, timeout_s: float) -> QuestionVector | NotEmbedded:
        """Embed a question, or fail if it takes longer than ``timeout_s``."""
        ...
