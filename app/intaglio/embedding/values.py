"""Which model a vector comes from, and how far a store has vectors."""

from dataclasses import dataclass

from intaglio.store.vectors.values import Model


@dataclass(frozen=True, slots=True)
class VectorSetIdentity:
    """What makes vectors comparable: only those of one identity are.

    ``hash`` tells one build or version of the model from another; empty where none is known.
    """

    provider: str
    model: str
    hash: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class VectorSet:
    """All vectors of one model, and how many there are."""

    identity: VectorSetIdentity
    model: Model
    vectors: int


@dataclass(frozen=True, slots=True)
class EmbeddableText:
    """The content of a live memory, to be embedded, and whether its vector is there already."""

    id: str
    content: str
    digest: bytes
    known: bool


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many memories are live, and how many of them have a vector of the model."""

    live: int
    embedded: int
