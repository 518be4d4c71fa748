"""A store of any size, written straight into the database: real words, made-up vectors.

The vectors are the centre of one real vector's cluster plus the residual of another's, so that
near ones are about as near as real ones are.
"""

import asyncio
import shutil
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, cast

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from bench.corpus import Corpus
from bench.prefilled_home import database_of
from bench.stored_vectors import Floats, made
from intaglio.base.agent_id import DEFAULT_AGENT
from intaglio.base.clock import iso, system_clock
from intaglio.base.ids import uuid7_source
from intaglio.base.paths import built_folder
from intaglio.base.text import content_hash
from intaglio.daemon.packages import PACKAGES
from intaglio.domain.memory_types import MemoryType
from intaglio.embedding import rows as vector_rows
from intaglio.embedding.values import VectorSetIdentity
from intaglio.inference.onnx import OnnxEmbedder
from intaglio.memory import history_rows, rows
from intaglio.memory.values import HistoryEntry, NewMemory, Scope, Source
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx
from intaglio.store.values import DatabaseOptions
from intaglio.store.vectors import quantization
from intaglio.store.vectors.values import Model

_BATCH: Final = 5_000
_REAL: Final = 2_000
_CENTRES: Final = 600
_ROUNDS: Final = 4
_ONE_PROJECT: Final = "/p/a"
# As the rules for types decide.
_TYPES: Final[tuple[tuple[str, MemoryType], ...]] = (
    ("Decision", "decision"),
    ("The user prefers", "preference"),
    ("Never", "rule"),
    ("To release", "procedural"),
)


class Batch(NamedTuple):
    """Memories to write in one transaction, with the vector and the word pieces of each."""

    memories: Sequence[NewMemory]
    vectors: npt.NDArray[np.int8]
    pieces: Sequence[Sequence[int]]


class Clusters:
    """Vectors like real ones, as many as wanted, the same for the same seed."""

    def __init__(self, real: Floats) -> None:
        self._random = np.random.default_rng(7)
        centres = real[self._random.choice(len(real), _CENTRES, replace=False)]
        for _ in range(_ROUNDS):
            owner = np.argmax(real @ centres.T, axis=1)
            for number in range(_CENTRES):
                members = real[owner == number]
                if len(members):
                    centres[number] = members.mean(axis=0)
        owner = np.argmax(real @ centres.T, axis=1)
        self._centres, self._owner = centres, owner
        self._residuals = real - centres[owner]

    def vectors(self, count: int) -> Floats:
        """Return unit vectors (count x dimensions)."""
        pick = self._random.integers
        found = self._centres[self._owner[pick(len(self._owner), size=count)]]
        found = found + self._residuals[pick(len(self._residuals), size=count)]
        return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), np.float32)


def kept_bulk(cache: Path, count: int, *, one_project: bool) -> Path:
    """Return where the store of this size is kept, whether it exists or not."""
    return cache / f"bulk-{count}{'-one-project' if one_project else ''}.db"


def fill_in_bulk(home: Path, count: int, cache: Path, *, one_project: bool) -> None:
    """Put a store of this size into the home; it is made once and kept."""
    kept = kept_bulk(cache, count, one_project=one_project)
    if not kept.exists():
        cache.mkdir(parents=True, exist_ok=True)
        texts = [str(body["content"]) for body in Corpus().memories(_REAL)]
        clusters = Clusters(made(texts, cache))
        # A database keeps links beside its backups, so each has a folder of its own.
        with TemporaryDirectory(dir=cache) as folder:
            part = Path(folder) / "store.db"
            asyncio.run(_write(part, count, clusters, one_project=one_project))
            part.rename(kept)
    database_of(home).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(kept, database_of(home))


def bulk_memories(count: int, *, one_project: bool) -> Iterator[NewMemory]:
    """Make distinct memories, a second apart, the last one now."""
    last, known = system_clock().timestamp(), set[int]()
    written = 0
    for body in Corpus().memories(2 * count):
        memory = _memory(body, one_project=one_project, at=last - count + written)
        mark = hash((memory.content, memory.scope.project))
        if mark not in known:
            known.add(mark)
            written += 1
            yield memory
        if written == count:
            return


def _memory(body: Mapping[str, object], *, one_project: bool, at: float) -> NewMemory:
    content, tags = str(body["content"]), cast("list[str]", body["tags"])
    project = _ONE_PROJECT if one_project else body["project"]
    return NewMemory(
        content=content,
        type=_type(content),
        importance=0.8,
        confidence=1.0,
        pinned=False,
        tags=tuple(tags),
        who=str(body["who"]),
        why="explicit",
        scope=Scope(project=None if project is None else str(project)),
        source=Source(),
        session_id=None,
        idempotency_key=None,
        runtime_path=None,
        created_at=iso(datetime.fromtimestamp(at, UTC)),
    )


def _type(content: str) -> MemoryType:
    for start, kind in _TYPES:
        if content.startswith(start):
            return kind
    return "fact"


async def _write(file: Path, count: int, clusters: Clusters, *, one_project: bool) -> None:
    db = Database(
        DatabaseOptions(file, file.parent / "backups", PACKAGES.schema),
        system_clock,
        lambda _: None,
    )
    await db.open()
    embedder = OnnxEmbedder(built_folder("model"))
    known = embedder.identity
    await embedder.close()
    identity = VectorSetIdentity(known.provider, known.model, known.sha256, known.dimensions)
    scale = quantization.scale_for(clusters.vectors(32).tolist())
    model = await db.write(partial(_add_model, identity, scale))
    await db.write(_hurry)
    tokenizer = Tokenizer.from_file(str(built_folder("model") / "tokenizer.json"))
    tokenizer.no_padding()
    memories = bulk_memories(count, one_project=one_project)
    new_id = uuid7_source(system_clock)
    while part := list(islice(memories, _BATCH)):
        levels = np.rint(clusters.vectors(len(part)) * (quantization.LEVELS / model.scale))
        levels = np.clip(levels, -quantization.LEVELS, quantization.LEVELS).astype(np.int8)
        texts = [memory.content for memory in part]
        split = tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        batch = Batch(part, levels, [each.ids for each in split])

        def work(tx: WriteTx, batch: Batch = batch) -> None:
            for memory, vector, pieces in zip(*batch, strict=True):
                _insert(tx, memory, new_id(), new_id())
                _insert_vector(tx, model, vector.tobytes(), pieces)

        await db.write(work)
    await db.close()


def _add_model(identity: VectorSetIdentity, scale: float, tx: WriteTx) -> Model:
    return vector_rows.add_model(tx, identity, scale, "")


def _hurry(tx: WriteTx) -> None:
    """Have the connection keep the indexes' pages, and leave freed ones as they are."""
    tx.execute("PRAGMA cache_size = -524288")
    tx.execute("PRAGMA secure_delete = OFF")


def _insert(tx: WriteTx, memory: NewMemory, memory_id: str, event_id: str) -> None:
    rows.insert(tx, memory, memory_id, content_hash(memory.content))
    event = HistoryEntry(
        id=event_id,
        event="created",
        old_content=None,
        new_content=None,
        changed_by=memory.who,
        actor_type="operator",
        reason=None,
        metadata=None,
        created_at=memory.created_at,
        session_id=None,
        request_id=None,
    )
    history_rows.record(tx, memory_id, Scope(DEFAULT_AGENT), event)


def _insert_vector(tx: WriteTx, model: Model, vector: bytes, pieces: Sequence[int]) -> None:
    distinct = np.unique(np.asarray(pieces, "<u2"))
    tx.execute(
        "INSERT INTO embeddings(memory, model, vector, pieces, length) "
        "SELECT max(seq), ?, ?, ?, ? FROM memories",
        (model.id, vector, distinct.tobytes(), len(pieces)),
    )
    tx.execute(
        "UPDATE memories SET embedding_model = ? WHERE seq = (SELECT max(seq) FROM memories)",
        (str(model.id),),
    )
