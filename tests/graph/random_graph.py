"""Random small graphs, and a slow, simple answer to which constraints a session must be told."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st

from intaglio.domain.reader import USER, Reader, may_read
from intaglio.memory.filters import Filter
from intaglio.store.tx import WriteTx

PROJECT: Final = "/work/lantern"
ALIAS: Final = "lantern"
OTHER: Final = "/work/site"
AGENTS: Final = ("default", "other")
SCOPES: Final = (None, PROJECT, ALIAS, OTHER)
AT: Final = "2026-01-31T08:00:00.000Z"
MIN_STRENGTH: Final = 0.3


@dataclass(frozen=True)
class Node:
    agent: str
    project: str | None
    type: str
    state: str
    merged: int | None
    override: float | None
    name: str


@dataclass(frozen=True)
class Note:
    agent: str
    project: str | None
    visibility: str
    is_deleted: bool


@dataclass(frozen=True)
class Fact:
    node: int
    note: int
    kind: str
    status: str
    importance: float


@dataclass(frozen=True)
class Edge:
    source: int
    target: int
    type: str
    strength: float
    origin: str
    notes: tuple[int, ...]


@dataclass(frozen=True)
class Graph:
    """Rows are numbered from 1 in the order of these lists."""

    nodes: tuple[Node, ...]
    notes: tuple[Note, ...]
    facts: tuple[Fact, ...]
    edges: tuple[Edge, ...]

    def write(self, tx: WriteTx) -> None:
        """Write all rows."""
        for seq, note in enumerate(self.notes, 1):
            tx.execute(
                "INSERT INTO memories(seq, id, content, content_hash, type, importance, "
                "confidence, pinned, who, project, agent_id, visibility, source_type, created_at, "
                "updated_at, updated_by, is_deleted) VALUES (?1, 'm' || ?1, 'Note ' || ?1, "
                "randomblob(16), 'decision', 0.5, 1.0, 0, 'user', ?2, ?3, ?4, 'manual', ?5, '', "
                "'', ?6)",
                (seq, note.project, note.agent, note.visibility, AT, int(note.is_deleted)),
            )
        for seq, node in enumerate(self.nodes, 1):
            tx.execute(
                "INSERT INTO entities(seq, id, agent_id, project, name, canonical_name, "
                "entity_type, origin, mentions, pinned, pinned_at, suppressed, weight_override, "
                "created_at, updated_at) "
                "VALUES (?1, 'e' || ?1, ?2, ?3, ?4, ?4, ?5, 'linker', 1, ?6, ?7, ?8, ?9, ?7, ?7)",
                (
                    *(seq, node.agent, node.project, node.name, node.type),
                    *(int(node.state == "pinned"), AT, int(node.state == "suppressed")),
                    node.override,
                ),
            )
            tx.execute(
                "INSERT INTO entity_aliases(seq, entity, alias, canonical, origin, created_at) "
                "VALUES (?1, ?1, ?2, ?2, 'text', ?3)",
                (seq, node.name, AT),
            )
        for seq, node in enumerate(self.nodes, 1):
            if node.merged is not None:
                tx.execute(
                    "UPDATE entities SET merged_into = ? WHERE seq = ?", (node.merged + 1, seq)
                )
        first = set[int]()
        for seq, fact in enumerate(self.facts, 1):
            tx.execute(
                "INSERT INTO entity_attributes(seq, id, entity, agent_id, memory, kind, status, "
                "importance, is_primary, origin, created_at) "
                "VALUES (?1, 't' || ?1, ?2, 'default', ?3, ?4, ?5, ?6, ?7, 'linker', ?8)",
                (
                    *(seq, fact.node + 1, fact.note + 1, fact.kind, fact.status),
                    *(fact.importance, int(fact.note not in first), AT),
                ),
            )
            first.add(fact.note)
        for seq, edge in enumerate(self.edges, 1):
            tx.execute(
                "INSERT INTO entity_dependencies(seq, id, source, target, agent_id, "
                "dependency_type, strength, origin, created_at, updated_at) "
                "VALUES (?1, 'd' || ?1, ?2, ?3, 'default', ?4, ?5, ?6, ?7, ?7)",
                (
                    *(seq, edge.source + 1, edge.target + 1, edge.type, edge.strength),
                    *(edge.origin, AT),
                ),
            )
            for stated in edge.notes:
                tx.execute("INSERT INTO dependency_sources VALUES (?, ?)", (stated + 1, seq))

    def root(self, node: int) -> int:
        """Return what a node counts as."""
        merged = self.nodes[node].merged
        return node if merged is None else merged

    def group(self, node: int) -> set[int]:
        """Return all nodes that count as the same."""
        return {each for each in range(len(self.nodes)) if self.root(each) == self.root(node)}

    def passes(self, note: int, filters: Filter) -> bool:
        """Whether a session may be told a note."""
        of = self.notes[note]
        keys = (filters.project, *filters.project_aliases)
        return (
            not of.is_deleted
            and may_read(filters.reader, of.agent, of.visibility)
            and (of.project is None or (filters.project is not None and of.project in keys))
        )

    def seen(self, node: int, reader: Reader) -> bool:
        """Whether a reader sees a node: by a note that says something about it."""
        return reader == USER or any(
            not self.notes[fact.note].is_deleted
            and may_read(reader, self.notes[fact.note].agent, self.notes[fact.note].visibility)
            for fact in self.facts
            if fact.node in self.group(node)
        )

    def focal(self, filters: Filter) -> set[int]:
        """Return the nodes that a session is about."""
        keys = () if filters.project is None else (filters.project, *filters.project_aliases)
        found = set[int]()
        for number, node in enumerate(self.nodes):
            is_project = node.type == "project" and (
                node.project in keys
                or (node.project is None and bool(keys) and node.name == "lantern")
            )
            is_pinned = (
                node.state == "pinned"
                and node.merged is None
                and (node.project is None or node.project in keys)
            )
            if is_project or is_pinned:
                found.add(self.root(number))
        return {
            each
            for each in found
            if self.nodes[each].state != "suppressed" and self.seen(each, filters.reader)
        }

    def constraints(self, filters: Filter) -> set[int]:
        """Return the row numbers of all constraints that a session must be told."""
        bearers = set[int]()
        for focal in self.focal(filters):
            bearers |= self.group(focal)
            for edge in self.edges:
                is_seen = edge.origin == "user" or any(
                    self.passes(note, filters) for note in edge.notes
                )
                if edge.source in self.group(focal) and edge.strength >= MIN_STRENGTH and is_seen:
                    bearers |= self.group(edge.target)
        return {
            seq
            for seq, fact in enumerate(self.facts, 1)
            if fact.node in bearers
            and fact.kind == "constraint"
            and fact.status == "active"
            and self.passes(fact.note, filters)
        }


_SHARES: Final = st.sampled_from((0.0, 0.29, 0.3, 0.5, 0.85, 1.0))


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Draw a graph of two agents and three projects, one of which has two names."""
    count = draw(st.integers(1, 9))
    roots = draw(st.sets(st.integers(0, count - 1), min_size=1))
    nodes = tuple(_node(draw, number, sorted(roots)) for number in range(count))
    notes = tuple(
        Note(
            draw(st.sampled_from(AGENTS)),
            draw(st.sampled_from(SCOPES)),
            draw(st.sampled_from(("global", "global", "private"))),
            draw(st.integers(0, 5)) == 0,
        )
        for _ in range(draw(st.integers(1, 14)))
    )
    facts = tuple(
        Fact(
            draw(st.integers(0, count - 1)),
            draw(st.integers(0, len(notes) - 1)),
            draw(st.sampled_from(("constraint", "constraint", "attribute"))),
            draw(st.sampled_from(("active", "active", "superseded", "deleted"))),
            draw(_SHARES),
        )
        for _ in range(draw(st.integers(0, 20)))
    )
    ends = draw(
        st.lists(
            st.tuples(
                st.integers(0, count - 1),
                st.integers(0, count - 1),
                st.sampled_from(("uses", "owned_by")),
            ),
            max_size=16,
            unique=True,
        )
    )
    edges = tuple(
        Edge(
            *end,
            draw(_SHARES),
            draw(st.sampled_from(("classifier", "classifier", "user"))),
            tuple(draw(st.sets(st.integers(0, len(notes) - 1), max_size=3))),
        )
        for end in ends
    )
    return Graph(nodes, notes, facts, edges)


def _node(draw: st.DrawFn, number: int, roots: Sequence[int]) -> Node:
    type_ = draw(st.sampled_from(("project", "service", "tool")))
    # Names differ, as in a table with a unique key; one may be that of the project.
    name = "lantern" if type_ == "project" and number == 0 else f"node {number}"
    return Node(
        agent=draw(st.sampled_from(AGENTS)),
        project=draw(st.sampled_from(SCOPES)),
        type=type_,
        state=draw(st.sampled_from(("", "", "pinned", "suppressed"))),
        merged=None if number in roots else draw(st.sampled_from(roots)),
        override=draw(st.sampled_from((None, 0.0, 1.0))),
        name=name,
    )
