"""What the rest of the system knows of a model: the port for vectors, and its outcomes.

Ports for completion and reranking come with what first implements them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np

Vector: TypeAlias = "np.ndarray[tuple[int], np.dtype[np.float32]]"
"""Float32 numbers of length 1 together."""

EmbedFailure: TypeAlias = Literal[
    "damaged", "unusable", "closed", "timeout", "unreachable", "refused"
]
EmbedderPhase: TypeAlias = Literal["idle", "ready", "failing", "damaged", "closed"]


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """Which numbers a vector belongs to; vectors of two identities are never compared.

    ``sha256`` is the model file's, and empty for a model that another program runs.
    """

    provider: str
    model: str
    sha256: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class EmbedderState:
    """What a status page shows of an embedder; ``detail`` is empty while all is well."""

    phase: EmbedderPhase
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Embedded:
    """One unit vector a text, in the order of the texts."""

    vectors: tuple[Vector, ...]


@dataclass(frozen=True, slots=True)
class NotEmbedded:
    """No vectors, and why.

    ``damaged``, ``unusable`` and ``closed`` stay so until the daemon starts anew; the others may
    be tried again, which is the caller's affair.
    """

    reason: EmbedFailure
    detail: str

    @property
    def lasting(self) -> bool:
        """Whether another try is of no use."""
        return self.reason in ("damaged", "unusable", "closed")


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def identity(self) -> ModelIdentity:
        """Name the model; known without loading or calling it."""
        ...

    @property
    def state(self) -> EmbedderState:
        """Tell how the model is, from what happened so far."""
        ...

    async def embed(self, texts: Sequence[str], *, timeout_s: float) -> Embedded | NotEmbedded:
        """Embed all texts, or none of them when it fails or takes longer than ``timeout_s``.

        Raises RuntimeError inside a write transaction.
        """
        ...

    async def close(self) -> None:
        """Let go of everything; later calls are answered with ``closed``."""
        ...
