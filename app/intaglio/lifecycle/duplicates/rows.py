"""SQL that finds memories which may say the same: by their content's hash, and by their vectors."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from intaglio.graph.link_memory import NOT_FACTS
from intaglio.store.tx import ReadTx
from intaglio.store.vectors.values import Model

_NOT_FACTS: Final = ", ".join(f"'{name}'" for name in sorted(NOT_FACTS))
# What is no statement may be there twice, and what is replaced or disputed isn't compared.
_COMPARED: Final = (
    f"is_deleted = 0 AND valid_until IS NULL AND dispute = 0 AND type NOT IN ({_NOT_FACTS})"
)
_KEY: Final = "substr(content_hash, 1, 8)"
# Content is unique in its scope; what has the same may differ in who may read it.
_SAME: Final = (
    f"WITH keys AS (SELECT {_KEY} AS k FROM memories INDEXED BY memories_live_hash "  # noqa: S608 - constants
    "WHERE is_deleted = 0 GROUP BY k HAVING count(*) > 1) "
    "SELECT {} FROM keys CROSS JOIN memories m INDEXED BY memories_live_hash "
    f"ON substr(m.content_hash, 1, 8) = keys.k AND {_COMPARED} "
    "GROUP BY m.content_hash, m.agent_id, ifnull(m.project, '') HAVING count(*) > 1"
)


@dataclass(frozen=True, slots=True)
class ExactDuplicates:
    """How many groups have the same content, and how many memories are more than one of each."""

    clusters: int
    excess: int
    active: int


class CompareScope(NamedTuple):
    """Memories that are compared with each other: an agent's of a project, or of all projects."""

    agent_id: str
    project: str


class EmbeddedMemory(NamedTuple):
    """A memory that is compared: its row, id and vector."""

    seq: int
    id: str
    vector: bytes


def count_exact(tx: ReadTx) -> ExactDuplicates:
    """Count the memories with the same content; reads one index."""
    sizes = tx.column(int, _SAME.format("count(*)"))
    active = tx.count("SELECT count(*) FROM memories WHERE is_deleted = 0")
    return ExactDuplicates(len(sizes), sum(sizes) - len(sizes), active)


def exact(tx: ReadTx, limit: int) -> list[list[str]]:
    """Return groups of ids of memories with the same content."""
    found = tx.column(
        str, f"{_SAME.format('group_concat(m.id)')} ORDER BY min(m.seq) LIMIT ?", (limit,)
    )
    return [group.split(",") for group in found]


def scopes(tx: ReadTx) -> list[CompareScope]:
    """Return the scopes with several memories, in order."""
    return tx.map(
        CompareScope,
        "SELECT m.agent_id, ifnull(m.project, '') FROM memories m WHERE m.is_deleted = 0 "
        "GROUP BY 1, 2 HAVING count(*) > 1 ORDER BY 1, 2",
    )


def embedded(
    tx: ReadTx, scope: CompareScope, model: Model, after: int, limit: int
) -> list[EmbeddedMemory]:
    """Return the next memories of a scope after a row that have a vector of the model."""
    return tx.map(
        EmbeddedMemory,
        "SELECT m.seq, m.id, e.vector FROM memories m "  # noqa: S608 - a constant
        "JOIN embeddings e ON e.memory = m.seq AND e.model = ? AND length(e.vector) = ? "
        f"WHERE m.seq > ? AND agent_id = ? AND ifnull(project, '') = ? AND {_COMPARED} "
        "ORDER BY m.seq LIMIT ?",
        (model.id, model.dimensions, after, *scope, limit),
    )
