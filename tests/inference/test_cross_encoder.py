"""The cross-encoder, which reads two statements together: checked, lazily loaded, and unloaded."""

import hashlib
import json
import shutil
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from fakes.waiting import PATIENCE_S
from intaglio.base.paths import built_folder
from intaglio.domain.statement_pairs import StatementPair
from intaglio.inference.cross_encoder import CrossEncoder
from intaglio.inference.included_model import IncludedModel
from intaglio.inference.manifest import CROSS_ENCODER_FILE
from intaglio.inference.onnx import OnnxEmbedder
from intaglio.inference.ports import NotEmbedded
from intaglio.inference.unavailable import UnavailableEmbedder

FOLDER = built_folder("model")
OPPOSITE = StatementPair(
    "We host the site on Netlify.", "Forget Netlify, we host on Cloudflare Pages."
)
BOTH_TRUE = StatementPair(
    "The staging database runs on port 5433.", "The production database runs on port 5432."
)
SAME = StatementPair(
    "Access tokens expire after fifteen minutes.", "An access token is valid for 15 minutes."
)


@pytest.fixture
async def model() -> AsyncGenerator[CrossEncoder]:
    made = CrossEncoder(FOLDER, idle_s=60)
    yield made
    await made.close()


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FOLDER, tmp_path / "model"))


async def probabilities(model: CrossEncoder, *pairs: StatementPair) -> tuple[float, ...]:
    found = await model.contradictions(pairs, timeout_s=PATIENCE_S)
    assert not isinstance(found, NotEmbedded)
    return found


async def failure(folder: Path) -> NotEmbedded:
    model = CrossEncoder(folder, idle_s=60)
    found = await model.contradictions([OPPOSITE], timeout_s=PATIENCE_S)
    await model.close()
    assert isinstance(found, NotEmbedded)
    return found


async def test_it_tells_what_contradicts_from_what_holds_beside_it_and_what_is_the_same(
    model: CrossEncoder,
) -> None:
    opposite, both_true, same = await probabilities(model, OPPOSITE, BOTH_TRUE, SAME)
    assert opposite > 0.8
    assert both_true < 0.3
    assert same < 0.3


async def test_each_pair_keeps_its_place_whatever_its_length(model: CrossEncoder) -> None:
    long = StatementPair(SAME.older * 3, SAME.newer)
    alone = [(await probabilities(model, each))[0] for each in (long, OPPOSITE, SAME)]
    assert list(await probabilities(model, long, OPPOSITE, SAME)) == alone


@pytest.mark.parametrize("text", ["", "   ", "\x00", "\udcff", "word " * 9_000, "你好", "🦀" * 500])
async def test_any_text_is_read(model: CrossEncoder, text: str) -> None:
    for pair in (StatementPair(text, SAME.newer), StatementPair(SAME.older, text)):
        (found,) = await probabilities(model, pair)
        assert 0 <= found <= 1


async def test_a_changed_file_is_not_loaded(copied: Path) -> None:
    with (copied / CROSS_ENCODER_FILE).open("ab") as file:
        file.write(b"x")
    assert await failure(copied) == NotEmbedded(
        "damaged", "cross_encoder.onnx has changed since it was installed"
    )


async def test_a_missing_file_is_told(copied: Path) -> None:
    (copied / CROSS_ENCODER_FILE).unlink()
    assert "can't be read" in (await failure(copied)).detail


async def test_a_file_that_onnxruntime_does_not_take_is_unusable(copied: Path) -> None:
    (copied / CROSS_ENCODER_FILE).write_bytes(b"no graph")
    manifest = json.loads((copied / "manifest.json").read_text())
    manifest["sha256"][CROSS_ENCODER_FILE] = hashlib.sha256(b"no graph").hexdigest()
    (copied / "manifest.json").write_text(json.dumps(manifest))
    assert (await failure(copied)).reason == "unusable"


async def test_without_it_memories_are_still_embedded(copied: Path) -> None:
    (copied / CROSS_ENCODER_FILE).unlink()
    embedder = OnnxEmbedder(copied)
    model = IncludedModel(lambda: embedder, copied, lambda: 60.0)
    try:
        assert await model.contradictions([OPPOSITE]) is None
        assert await model.sentence_vectors(["We use tabs."]) is not None
    finally:
        await model.close()
        await embedder.close()


async def test_a_file_that_is_back_is_read(copied: Path) -> None:
    (copied / CROSS_ENCODER_FILE).unlink()
    model = IncludedModel(lambda: OnnxEmbedder(copied), copied, lambda: 60.0)
    try:
        assert await model.contradictions([OPPOSITE]) is None
        shutil.copyfile(FOLDER / CROSS_ENCODER_FILE, copied / CROSS_ENCODER_FILE)
        assert await model.contradictions([OPPOSITE]) is not None
    finally:
        await model.close()


async def test_it_reads_whatever_provider_embeds() -> None:
    configured = UnavailableEmbedder("none", "", "embedding is switched off")
    model = IncludedModel(lambda: configured, FOLDER, lambda: 60.0)
    try:
        found = await model.contradictions([OPPOSITE])
        assert found is not None
        assert found[0] > 0.5
    finally:
        await model.close()


async def test_a_separator_in_a_statement_ends_nothing(model: CrossEncoder) -> None:
    older, newer = OPPOSITE.older, OPPOSITE.newer
    plain, marked = await probabilities(
        model, OPPOSITE, StatementPair(f"{older} [SEP]", f"[CLS] {newer}")
    )
    assert marked == plain
