"""The embedded model itself: right, steady, checked, lazily loaded, and unloaded."""

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import numpy as np
import pytest

from fakes.waiting import PATIENCE_S, until
from inference.embedder_contract import EmbedderContract, phase, vectors
from intaglio.base.paths import built_folder
from intaglio.inference.manifest import EMBEDDING_FILES
from intaglio.inference.onnx import OnnxEmbedder
from intaglio.inference.ports import Embedded, Embedder, NotEmbedded

# What sentence-transformers gives for this sentence with the unrounded model.
SENTENCE = "This is an example sentence"
PUBLISHED = [0.06765684, 0.06349589, 0.04871311, 0.0793049, 0.03744802]

START_PATH = """
import sys
import intaglio.inference.cache, intaglio.inference.onnx, intaglio.inference.ports
import intaglio.inference.remote.ollama, intaglio.inference.remote.openai_compatible
import intaglio.daemon.main, intaglio.daemon.composition
from intaglio.base.paths import built_folder
intaglio.inference.onnx.OnnxEmbedder(built_folder("model"))
print(*sorted({"numpy", "onnxruntime", "tokenizers"} & set(sys.modules)))
"""


@pytest.fixture
async def embedder() -> AsyncGenerator[OnnxEmbedder]:
    made = OnnxEmbedder(built_folder("model"))
    yield made
    await made.close()


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    return Path(shutil.copytree(built_folder("model"), tmp_path / "model"))


class TestTheContract(EmbedderContract):
    """The real model."""


async def test_the_vectors_are_those_of_the_published_model(embedder: Embedder) -> None:
    (vector,) = await vectors(embedder, [SENTENCE])
    assert np.abs(vector[:5] - np.array(PUBLISHED)).max() < 0.03


async def test_similar_texts_are_nearer_than_others(embedder: Embedder) -> None:
    question, like, unlike = await vectors(
        embedder,
        ["Which port does the database use?", "Postgres listens on 5433.", "We like green tea."],
    )
    assert float(question @ like) > float(question @ unlike) + 0.1


async def test_vectors_are_reproducible(embedder: Embedder) -> None:
    (vector,) = await vectors(embedder, [SENTENCE])
    assert vector.base is None


async def test_the_identity_is_that_of_the_vectors_whatever_else_the_file_computes(
    embedder: OnnxEmbedder,
) -> None:
    manifest = json.loads((built_folder("model") / "manifest.json").read_text())
    assert embedder.identity.sha256 == manifest["vectors"]
    assert embedder.identity.dimensions == 384
    assert embedder.file_sum == manifest["sha256"]["model.onnx"]


async def test_a_clause_vector_is_the_vector_and_the_means_of_four_layers(
    embedder: OnnxEmbedder,
) -> None:
    (vector,) = await vectors(embedder, [SENTENCE])
    outcome = await embedder.embed_clauses([SENTENCE], timeout_s=60)
    assert isinstance(outcome, Embedded)
    (clause,) = outcome.vectors
    assert clause.shape == (5 * 384,)
    assert clause[:384].tobytes() == vector.tobytes()


async def test_text_beyond_256_tokens_changes_nothing(embedder: Embedder) -> None:
    long = "word " * 254
    whole, longer = await vectors(embedder, [long, long + "something else entirely"])
    assert whole.tobytes() == longer.tobytes()


async def test_text_within_256_tokens_counts(embedder: Embedder) -> None:
    long = "word " * 200
    whole, longer = await vectors(embedder, [long, long + "something else entirely"])
    assert whole.tobytes() != longer.tobytes()


async def test_concurrent_calls_give_the_same_vectors(embedder: Embedder) -> None:
    texts = [f"note {number}: " + "and so on " * number for number in range(12)]
    alone = await vectors(embedder, texts)
    at_once = await asyncio.gather(*(vectors(embedder, [text]) for text in texts))
    assert [one.tobytes() for one in alone] == [one.tobytes() for (one,) in at_once]


@pytest.mark.parametrize("name", EMBEDDING_FILES)
async def test_one_altered_byte_is_refused(copied: Path, name: str) -> None:
    data = bytearray((copied / name).read_bytes())
    data[len(data) // 2] ^= 1
    (copied / name).write_bytes(data)
    embedder = OnnxEmbedder(copied)
    outcome = await embedder.embed(["x"], timeout_s=PATIENCE_S)
    assert isinstance(outcome, NotEmbedded)
    assert outcome.reason == "damaged"
    assert name in outcome.detail
    assert phase(embedder) == "damaged"
    assert "The included model can't be used" in embedder.state.detail
    await embedder.close()


@pytest.mark.parametrize("name", [*EMBEDDING_FILES, "manifest.json"])
async def test_a_missing_file_is_refused(copied: Path, name: str) -> None:
    (copied / name).unlink()
    embedder = OnnxEmbedder(copied)
    outcome = await embedder.embed(["x"], timeout_s=PATIENCE_S)
    assert isinstance(outcome, NotEmbedded)
    assert outcome.reason == "damaged"
    await embedder.close()


async def test_an_invalid_manifest_is_refused(copied: Path) -> None:
    (copied / "manifest.json").write_text('{"name": 1}')
    embedder = OnnxEmbedder(copied)
    assert phase(embedder) == "damaged"
    await embedder.close()


async def test_a_file_that_onnxruntime_does_not_take_is_unusable(copied: Path) -> None:
    import hashlib  # noqa: PLC0415 - only this test makes a sum

    (copied / "model.onnx").write_bytes(b"no graph")
    manifest = json.loads((copied / "manifest.json").read_text())
    manifest["sha256"]["model.onnx"] = hashlib.sha256(b"no graph").hexdigest()
    (copied / "manifest.json").write_text(json.dumps(manifest))
    embedder = OnnxEmbedder(copied)
    outcome = await embedder.embed(["x"], timeout_s=PATIENCE_S)
    assert isinstance(outcome, NotEmbedded)
    assert outcome.reason == "unusable"
    await embedder.close()


async def test_an_idle_model_leaves_memory_and_comes_back() -> None:
    embedder = OnnxEmbedder(built_folder("model"), idle_s=0.05)
    (first,) = await vectors(embedder, [SENTENCE])
    assert phase(embedder) == "ready"
    await until(lambda: phase(embedder) == "idle", "an idle model")
    (again,) = await vectors(embedder, [SENTENCE])
    assert first.tobytes() == again.tobytes()
    await embedder.close()


async def test_closing_ends_a_long_list_at_once(embedder: OnnxEmbedder) -> None:
    await embedder.load()
    long = [
        asyncio.create_task(embedder.embed(["word " * 99] * 2_000, timeout_s=60)) for _ in "abc"
    ]
    await asyncio.sleep(0.05)
    await embedder.close()
    for outcome in await asyncio.gather(*long):
        assert isinstance(outcome, NotEmbedded)
        assert outcome.reason == "closed"


async def test_a_preloaded_model_is_ready(embedder: OnnxEmbedder) -> None:
    assert await embedder.load() is None
    assert phase(embedder) == "ready"


def test_nothing_heavy_is_imported_before_the_first_use() -> None:
    done = subprocess.run(
        [sys.executable, "-c", START_PATH],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(built_folder("model").parents[2])},
    )
    assert done.stdout.strip() == ""
