"""What search by meaning costs in the daemon's process: CPU, memory, disk, and how true it is."""

import argparse
import asyncio
import json
import tempfile
import time
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from bench.corpus import Corpus
from bench.figures import percentile
from intaglio.base.clock import system_clock
from intaglio.base.paths import built_folder
from intaglio.base.text import content_hash
from intaglio.daemon.packages import PACKAGES
from intaglio.embedding import rows
from intaglio.embedding.values import NewVector, VectorSetIdentity
from intaglio.inference.onnx import OnnxEmbedder
from intaglio.inference.ports import Embedded
from intaglio.memory.filters import Filter, vector_filter
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.store.values import DatabaseOptions
from intaglio.store.vectors import quantization
from intaglio.store.vectors.index import VectorIndex
from intaglio.store.vectors.values import Model, VectorQuery

Floats = npt.NDArray[np.float32]

QUERIES: Final = 100
_BATCH: Final = 500
_INSERT: Final = (
    "INSERT INTO memories(id, content, content_hash, type, importance, confidence, pinned, tags, "
    "who, project, agent_id, visibility, source_type, created_at, updated_at, updated_by) "
    "VALUES (?, ?, ?, ?, 0.8, 1, 0, ?, 'bench', ?, 'default', 'global', 's', ?, '', '')"
)
FILTERS: Final = {
    "no filter": Filter(),
    "one project of 20, and global": Filter(project="/p/3"),
    "one type of 5": Filter(type="rule"),
    "one tag of 100": Filter(tags=("t7",)),
    "one week of four": Filter(since="2026-01-08T00:00:00.000Z", until="2026-01-14T23:59:59.999Z"),
    "one tag, one project": Filter(tags=("t7",), project="/p/3"),
}


def recorded(file: Path, cache: Path) -> tuple[Floats, Floats]:
    """Return unit vectors of a data set's memories and questions, embedded once and kept."""
    embedder = OnnxEmbedder(built_folder("model"))
    kept = cache / f"{file.stem}-{embedder.identity.sha256[:16]}.npz"
    if not kept.exists():
        spaces = json.loads(file.read_text(encoding="utf-8"))["spaces"]
        texts = [each["content"] for space in spaces for each in space["memories"]]
        questions = [each["query"] for space in spaces for each in space["questions"]]
        cache.mkdir(parents=True, exist_ok=True)
        made, asked = asyncio.run(_both(embedder, texts, questions))
        np.savez(kept, texts=made, questions=asked)
    with np.load(kept) as data:
        return data["texts"], data["questions"]


async def _both(
    embedder: OnnxEmbedder, texts: list[str], questions: list[str]
) -> tuple[Floats, Floats]:
    return await embedded(embedder, texts), await embedded(embedder, questions)


async def embedded(embedder: OnnxEmbedder, texts: list[str]) -> Floats:
    made: list[Floats] = []
    for start in range(0, len(texts), 64):
        outcome = await embedder.embed(texts[start : start + 64], timeout_s=600)
        if not isinstance(outcome, Embedded):
            raise SystemExit(outcome.detail)
        made.extend(outcome.vectors)
    return np.array(made, np.float32)


def grown(real: Floats, count: int, seed: int = 7) -> Floats:
    """Make more vectors like the real ones: a real centre and the residual of another real pair."""
    random = np.random.default_rng(seed)
    if count <= len(real):
        return real[random.permutation(len(real))[:count]]
    centres = real[random.integers(0, len(real), count)]
    a, b = (real[random.integers(0, len(real), count)] for _ in range(2))
    made = centres + 0.6 * (a - b)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    unit: Floats = made.astype(np.float32)
    return unit


def cpu_ms(work: Callable[[], object], runs: int) -> tuple[float, float]:
    """Return the CPU milliseconds of this thread, p50 and p95."""
    taken: list[float] = []
    for _ in range(runs):
        started = time.thread_time()
        work()
        taken.append((time.thread_time() - started) * 1000)
    return percentile(taken, 0.5), percentile(taken, 0.95)


async def fill(db: Database, vectors: Floats, model: Model) -> None:
    """Write memories with their vectors."""
    corpus = Corpus()
    step = quantization.LEVELS / model.scale
    stored = np.clip(np.rint(vectors * step), -127, 127).astype(np.int8)
    types = ("fact", "rule", "decision", "issue", "learning")

    def batch(start: int) -> Callable[[WriteTx], None]:
        def work(tx: WriteTx) -> None:
            for number in range(start, min(start + _BATCH, len(vectors))):
                text = f"{number} {corpus.memory()}"
                project = None if number % 21 == 20 else f"/p/{number % 21}"
                digest, tag = content_hash(text), json.dumps([f"t{number % 100}"])
                day = f"2026-01-{number % 28 + 1:02d}T08:00:00.000Z"
                tx.execute(
                    _INSERT, (f"{number:036d}", text, digest, types[number % 5], tag, project, day)
                )
                rows.put(tx, model, NewVector(number + 1, stored[number].tobytes()))

        return work

    for start in range(0, len(vectors), _BATCH):
        await db.write(batch(start))


def probe(query: Floats, filters: Filter, limit: int, *, exact: bool = False) -> VectorQuery:
    """Ask for the nearest that pass a filter."""
    return VectorQuery(
        vector=array("f", query.tobytes()),
        limit=limit,
        filter=vector_filter(filters),
        exact=exact,
    )


def recall(tx: ReadTx, index: VectorIndex, queries: Floats, vectors: Floats, k: int) -> float:
    """Return the share of the true (float) nearest that the index finds."""
    hits = 0.0
    for query in queries:
        scores = vectors @ query
        worst = np.partition(scores, -k)[-k]
        found = index.search(tx, probe(query, Filter(), k)).cosines
        hits += sum(scores[seq - 1] >= worst - 1e-6 for seq in found)
    return hits / (k * len(queries))


def measure(tx: ReadTx, index: VectorIndex, queries: Floats, vectors: Floats) -> Iterator[str]:
    """Yield the lines of the table for one size."""
    turn = iter(range(10**9))

    def ask(filters: Filter, limit: int, *, exact: bool = False) -> Callable[[], object]:
        def work() -> object:
            query = queries[next(turn) % len(queries)]
            return index.search(tx, probe(query, filters, limit, exact=exact))

        return work

    for limit in (10, 100):
        for name, wanted in FILTERS.items():
            half, most = cpu_ms(ask(wanted, limit), QUERIES)
            yield f"search, {limit} of {name:<32}{half:>9.2f}{most:>9.2f}"
    half, most = cpu_ms(ask(Filter(), 10, exact=True), 10)
    yield f"search, exact in SQL {'':<28}{half:>9.2f}{most:>9.2f}"
    half, most = cpu_ms(lambda: index.build(tx), 3)
    yield f"mirror built {'':<36}{half:>9.1f}{most:>9.1f}"
    if len(vectors) > QUERIES:
        for k in (10, 100):
            share = recall(tx, index, queries[:QUERIES], vectors, k)
            yield f"recall@{k} against exact floats {'':<19}{share:>9.4f}"
    state = index.state
    yield f"mirror in memory, bytes a vector {'':<16}{state.bytes / len(vectors):>9.1f}"
    size = tx.count("SELECT sum(pgsize) FROM dbstat WHERE name LIKE 'embeddings%'")
    yield f"on disk, bytes a vector {'':<25}{size / len(vectors):>9.1f}"


async def one_size(real: Floats, queries: Floats, count: int) -> None:
    """Fill a database and print its table."""
    vectors = grown(real, count)
    with tempfile.TemporaryDirectory() as folder:
        options = DatabaseOptions(
            Path(folder) / "v.db", Path(folder) / "backups", PACKAGES.schema, readers=1
        )
        db = Database(options, system_clock, lambda _: None)
        index = VectorIndex(lambda most: most // 2)
        index.request_build()
        db.watch("memories", index.record_commit)
        await db.open()
        scale = quantization.scale_for([vector.tolist() for vector in vectors[:32]])
        identity = VectorSetIdentity("bench", "bench", "", vectors.shape[1])
        model = await db.write(lambda tx: rows.add_model(tx, identity, scale, ""))
        index.set_model(model)
        await db.read(index.build)
        await fill(db, vectors, model)
        waiting, started = index.state.waiting, time.process_time()
        while await db.read(index.update):
            pass
        taken = time.process_time() - started
        print(f"\n{count} memories, scale {scale:.3f}{'':<22}cpu p50  cpu p95")
        if waiting:
            print(f"taken over, rows a CPU second {'':<20}{waiting / taken:>9.0f}")
        for line in await db.read(lambda tx: list(measure(tx, index, queries, vectors))):
            print(line, flush=True)
        await db.close()


def main(arguments: list[str]) -> None:
    """Run the bench over recorded vectors."""
    parser = argparse.ArgumentParser(prog="bench vectors", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="memories and questions, JSON")
    parser.add_argument("--cache", type=Path, required=True, help="where vectors are kept")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    options = parser.parse_args(arguments)

    real, queries = recorded(options.data, options.cache)
    for count in options.sizes:
        asyncio.run(one_size(real, queries, count))
