"""The identity of the model behind a vector, and how many memories have vectors."""

from dataclasses import dataclass, field

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
    """A live memory to embed; ``known`` if its vector already exists, which doesn't compare."""

    id: str
    seq: int
    content: str
    known: bool = field(compare=False)


@dataclass(frozen=True, slots=True)
class NewVector:
    """A quantised vector of a memory."""

    memory: int
    vector: bytes


@dataclass(frozen=True, slots=True)
class Coverage:
    """The number of live memories, and of those with a vector of the model."""

    live: int
    embedded: int
