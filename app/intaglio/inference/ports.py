"""The port for embedding models, and its outcomes.

Ports for completion and reranking are added with their first implementation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np

Vector: TypeAlias = "np.ndarray[tuple[int], np.dtype[np.float32]]"
"""Float32 numbers with a total length of 1."""

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
    def lasting(self) -> bool:
        """Whether retrying is pointless."""
        return self.reason in ("damaged", "unusable", "closed")


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
