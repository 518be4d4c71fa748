"""A home whose memories have their vectors already: made once, kept outside the repository."""

import asyncio
import shutil
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from bench.corpus import Corpus
from bench.home import fill, switch_embedding
from bench.stored_vectors import Floats, made
from fakes.daemon import running_daemon
from intaglio.base.clock import system_clock
from intaglio.base.paths import built_folder
from intaglio.daemon.packages import PACKAGES
from intaglio.embedding import rows
from intaglio.embedding.job_types import EMBED
from intaglio.embedding.values import NewVector, VectorSetIdentity
from intaglio.inference.onnx import OnnxEmbedder
from intaglio.store.database import Database
from intaglio.store.tx import Row, WriteTx
from intaglio.store.values import DatabaseOptions
from intaglio.store.vectors import quantization

_BATCH: Final = 500
_SCALED_BY: Final = 32


def database_of(home: Path) -> Path:
    """Return where a home's database lies."""
    return home / "agents" / "memory" / "intaglio.db"


def remember_kept(home: Path, count: int, cache: Path) -> bool:
    """Put the kept database of this size into the home; False when there is none yet."""
    kept = cache / f"store-{count}.db"
    if not kept.exists():
        return False
    database_of(home).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(kept, database_of(home))
    return True


def remember_all(home: Path, count: int) -> list[float]:
    """Remember so many memories over HTTP, unembedded; return each call's wall milliseconds."""
    switch_embedding(home, on=False)
    with running_daemon(home, fresh=True) as daemon:
        return fill(daemon, _bodies(count))


def _bodies(count: int) -> Iterator[Mapping[str, object]]:
    return Corpus().memories(count)


def add_vectors(home: Path, count: int, cache: Path) -> None:
    """Write the vectors, each as the daemon would have, and keep the database for the next time."""
    texts = [str(body["content"]) for body in _bodies(count)]
    asyncio.run(_write(database_of(home), texts, made(texts, cache)))
    shutil.copyfile(database_of(home), cache / f"store-{count}.db")


async def _write(file: Path, texts: Sequence[str], vectors: Floats) -> None:
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
    scale = quantization.scale_for([vector.tolist() for vector in vectors[:_SCALED_BY]])
    place = {text: number for number, text in enumerate(texts)}
    held = await db.read(lambda tx: tx.all("SELECT content, seq FROM memories"))

    def work(part: Sequence[Row], tx: WriteTx) -> None:
        model = rows.find_model(tx, identity) or rows.add_model(tx, identity, scale, "")
        for content, seq in part:
            number = place.get(str(content))
            if number is not None and isinstance(seq, int):
                vector: list[float] = vectors[number].tolist()
                rows.put(tx, model, NewVector(seq, quantization.quantise(vector, model.scale)))

    for start in range(0, len(held), _BATCH):
        await db.write(partial(work, held[start : start + _BATCH]))
    await db.write(lambda tx: tx.execute("DELETE FROM jobs WHERE type = ?", (EMBED.name,)))
    await db.close()


def fill_kept(home: Path, memories: int, cache: Path) -> None:
    """Fill a home with memories and their vectors, or from the kept database of this size."""
    cache.mkdir(parents=True, exist_ok=True)
    if not remember_kept(home, memories, cache):
        remember_all(home, memories)
        add_vectors(home, memories, cache)
