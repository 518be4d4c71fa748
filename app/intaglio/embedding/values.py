"""The identity of the model behind a vector, and how many memories have vectors."""

from dataclasses import dataclass

from intaglio.store.vectors.values import Model


@dataclass(frozen=True, slots=True)
class VectorSetIdentity:
    """What makes vectors comparable: only those with the same identity are.

    ``hash`` identifies a build or version of the model; empty if none is known.
    """

    provider: str
    model: str
    hash: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class VectorSet:
    """All vectors of one model, and their number."""

    identity: VectorSetIdentity
    model: Model
    vectors: int


@dataclass(frozen=True, slots=True)
class EmbeddableText:
    """The content of a live memory to embed, and whether its vector already exists."""

    id: str
    content: str
    digest: bytes
    known: bool


@dataclass(frozen=True, slots=True)
class Coverage:
    """The number of live memories, and of those with a vector of the model."""

    live: int
    embedded: int
