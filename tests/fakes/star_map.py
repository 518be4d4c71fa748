"""A store with a map, without a model or a run: memories in clusters, their points and entities.

Each cluster has a subject with words, an entity and a place of its own; projects, types, agents and
days are spread over all of them. A tenth is private, and some are pinned, replaced, placed since
the run, or forgotten.
"""

import random
import struct
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from fakes.daemon import NO_MODEL, write_settings
from fakes.store import lay_down
from intaglio.base.clock import iso
from intaglio.base.text import content_hash
from intaglio.memory.retention import stored_hash
from intaglio.projection.values import EXTENT, Dimensions, MapScope
from intaglio.store.connection import open_writer
from intaglio.store.tx import Sql, WriteTx, run

EVERYTHING: Final = MapScope()
SUBJECTS: Final = {
    "Deployment": "blue green rollout pipeline release staging rollback",
    "Billing": "invoice currency refund subscription ledger tax",
    "Search": "index ranking tokens recall synonyms query",
    "Login": "session cookie password passkey redirect token",
    "Storage": "database migration vacuum backup snapshot journal",
    "Interface": "button dialog colour keyboard contrast layout",
    "Testing": "fixture coverage flaky assertion browser worker",
    "Telemetry": "metrics histogram trace alert dashboard sampling",
}
"""The entity and the words of each cluster."""

PROJECTS: Final = ("/work/shop", "/work/blog", None)
AGENTS: Final = ("default", "ann", "bob")
_TYPES: Final = ("fact", "decision", "preference", "rule", "procedural", "learning", "issue")
_SOURCES: Final = ("manual", "session", "agent", "file")
_DAYS: Final = 180
_BATCH: Final = 5_000
_NEIGHBOURS: Final = 5
# Nothing of a map is computed anew, so that its points stay where they are.
SETTINGS: Final = (
    NO_MODEL + "projection: {enabled: false}\nmemory: {pipelineV2: {graph: {enabled: false}}}\n"
)


@dataclass(frozen=True, slots=True)
class Star:
    """A memory of the map, by its row number, and where it stands."""

    seq: int
    subject: int
    x: float
    y: float
    z: float


def stars(first: int, count: int, seed: int = 7) -> Iterator[Star]:
    """Make stars around the places of their subjects; the same for the same seed."""
    source = random.Random(seed)  # noqa: S311 - the same map every time
    centres = [tuple(source.uniform(-0.8, 0.8) for _ in range(3)) for _ in SUBJECTS]
    for seq in range(first, first + count):
        subject = source.randrange(len(centres))
        x, y, z = (
            max(-1.0, min(1.0, source.gauss(middle, 0.07))) * EXTENT for middle in centres[subject]
        )
        yield Star(seq, subject, x, y, z)


def _is_laid_out(star: Star) -> bool:
    return star.seq % 20 != 0


def add_memories(tx: WriteTx, made: Sequence[Star], until: datetime, seed: int = 7) -> None:
    """Write a memory for each star, the newest one at ``until``."""
    source = random.Random(seed)  # noqa: S311 - see above
    words = [(name, text.split()) for name, text in SUBJECTS.items()]
    for place, star in enumerate(made):
        subject, own = words[star.subject]
        content = f"{subject}: {' '.join(source.choices(own, k=6))}, note {star.seq}"
        at = until - timedelta(days=_DAYS * (1 - (place + 1) / len(made)))
        gone, replaced = source.random() < 0.03, source.random() < 0.05
        row: dict[str, Sql] = {
            "seq": star.seq,
            "id": str(uuid.UUID(int=source.getrandbits(128), version=4)),
            "content": content,
            "content_hash": stored_hash(content_hash(content)),
            "type": source.choice(_TYPES),
            "importance": round(source.random(), 2),
            "confidence": 1.0,
            "pinned": int(source.random() < 0.01),
            "who": "user",
            "project": source.choice(PROJECTS),
            "agent_id": source.choice(AGENTS),
            "visibility": "private" if source.random() < 0.1 else "global",
            "source_type": source.choice(_SOURCES),
            "created_at": iso(at),
            "updated_at": iso(until) if gone or source.random() < 0.1 else "",
            "updated_by": "",
            "version": 1,
            "embedding_model": None if gone else "0",
            "is_deleted": int(gone),
            "deleted_at": iso(until) if gone else None,
            "valid_until": iso(until) if replaced and not gone else None,
        }
        names = ", ".join(row)
        tx.execute(
            f"INSERT INTO memories({names}) VALUES ({', '.join('?' * len(row))})",  # noqa: S608 - names of columns
            tuple(row.values()),
        )


def add_entities(tx: WriteTx, made: Sequence[Star], until: datetime) -> None:
    """Write the entity of each subject, and that its memories name it."""
    at = iso(until)
    for number, name in enumerate(SUBJECTS, 1):
        mentions = sum(star.subject == number - 1 for star in made)
        key = (number, f"00000000-0000-7000-8000-{number:012d}", name, name.lower(), mentions, at)
        tx.execute(
            "INSERT INTO entities(seq, id, agent_id, name, canonical_name, entity_type, origin, "
            "mentions, created_at, updated_at) "
            "VALUES (?1, ?2, 'default', ?3, ?4, 'concept', 'linker', ?5, ?6, ?6)",
            key,
        )
        tx.execute(
            "INSERT INTO entity_aliases(seq, entity, alias, canonical, origin, created_at) "
            "VALUES (?1, ?1, ?2, ?3, 'text', ?4)",
            (number, name, name.lower(), at),
        )
    for star in made:
        # Some memories belong to no entity.
        if star.seq % 5:
            tx.execute(
                "INSERT INTO memory_entity_mentions(memory, start, end, alias, confidence) "
                "VALUES (?, 0, ?, ?, 0.9)",
                (star.seq, len(list(SUBJECTS)[star.subject]), star.subject + 1),
            )


def add_layout(
    tx: WriteTx,
    made: Sequence[Star],
    at: str,
    scope: MapScope = EVERYTHING,
    dimensions: Dimensions = 2,
) -> int:
    """Write a layout of a scope with a point for each star; return its number.

    The neighbours of a point are the next ones of its subject. Every twentieth was placed
    since.
    """
    tx.execute(
        "INSERT INTO projections(scope, dimensions, generation, revision, method, model, points, "
        "computed_at, asked_at, seconds) VALUES (?, ?, 1, 0, 'umap', 0, ?, ?, ?, 1.5)",
        (scope.key, dimensions, sum(map(_is_laid_out, made)), at, at),
    )
    number = tx.last_row()
    following: list[list[int]] = [[] for _ in SUBJECTS]
    for star in reversed(made):
        near = following[star.subject][: -_NEIGHBOURS - 1 : -1]
        following[star.subject].append(star.seq)
        tx.execute(
            "INSERT INTO projection_points(projection, memory, vector, x, y, z, placed, "
            "neighbours) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(number, star.seq, star.seq, star.x, star.y),
                *(star.z if dimensions == 3 else None, int(not _is_laid_out(star))),
                struct.pack(f"<{len(near)}q", *near) if dimensions == 2 else None,
            ),
        )
    return number


def add_map(tx: WriteTx, count: int, *, solid: bool = True, until: datetime | None = None) -> None:
    """Fill an empty store with so many memories, their entities and their layouts."""
    until = until or datetime.now(UTC)
    made = list(stars(1, count))
    add_memories(tx, made, until)
    add_entities(tx, made, until)
    for dimensions in (2, 3) if solid else (2,):
        add_layout(tx, made, iso(until), dimensions=dimensions)


def star_home(home: Path, count: int, *, solid: bool = True) -> None:
    """Put a store with a map, and settings by which it stays as it is, where a daemon finds them.

    To be called before the daemon below ``home`` starts. 100,000 memories take about a minute.
    """
    file = home / "agents" / "memory" / "intaglio.db"
    lay_down(file)
    write_settings(home, SETTINGS)
    connection = open_writer(file)
    try:
        run(connection, "BEGIN IMMEDIATE")
        add_map(WriteTx(connection), count, solid=solid)
        run(connection, "COMMIT")
    finally:
        connection.close()
