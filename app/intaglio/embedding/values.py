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
class MemoryContext:
    """The texts before a memory, oldest first, and where they come from.

    ``previous`` is the memory right before it. Without one, ``statement`` may be the captured
    statement that the memory was made of.
    """

    before: tuple[str, ...] = ()
    previous: int | None = None
    statement: int | None = None


@dataclass(frozen=True, slots=True)
class EmbeddableText:
    """A live memory to embed, with its context if the model uses any.

    ``known``: whether its vector already exists; it is ignored when two texts are compared.
    """

    id: str
    seq: int
    content: str
    known: bool = field(compare=False)
    context: MemoryContext = MemoryContext()


@dataclass(frozen=True, slots=True)
class NewVector:
    """A quantised vector of a memory, and what it was made with.

    ``pieces`` and ``length`` are those of `inference.ports.MemoryVector`; None if the model has no
    token states.
    """

    memory: int
    vector: bytes
    pieces: bytes | None = None
    length: int | None = None
    previous: int | None = None
    statement: int | None = None


@dataclass(frozen=True, slots=True)
class Coverage:
    """The number of live memories, and of those with a vector of the model."""

    live: int
    embedded: int
