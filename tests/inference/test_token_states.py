"""Token states of the included model: questions, memories in context, and the static table."""

import re
import shutil
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import numpy as np
import pytest

from fakes.waiting import PATIENCE_S, until
from intaglio.base.paths import built_folder
from intaglio.inference.manifest import ROWS_FILE
from intaglio.inference.onnx import FormerOnnxEmbedder, OnnxEmbedder
from intaglio.inference.ports import (
    Embedded,
    MemoryVector,
    QuestionVector,
    TextInContext,
    TokenEmbedder,
)

TURN = "Make it thirty seconds."
BEFORE = ("The upload worker times out.", "Which timeout should it have?")


@pytest.fixture
async def embedder() -> AsyncGenerator[OnnxEmbedder]:
    made = OnnxEmbedder(built_folder("model"))
    yield made
    await made.close()


async def memory(embedder: OnnxEmbedder, text: str, *before: str) -> MemoryVector:
    made = await embedder.embed_memories([TextInContext(text, before)], timeout_s=PATIENCE_S)
    assert isinstance(made, tuple)
    return made[0]


async def question(embedder: OnnxEmbedder, text: str) -> QuestionVector:
    made = await embedder.embed_question(text, timeout_s=PATIENCE_S)
    assert isinstance(made, QuestionVector)
    return made


async def plain(embedder: OnnxEmbedder, text: str) -> np.ndarray:
    made = await embedder.embed([text], timeout_s=PATIENCE_S)
    assert isinstance(made, Embedded)
    return made.vectors[0]


async def test_without_context_a_memory_has_the_vector_of_its_text(embedder: OnnxEmbedder) -> None:
    assert (await memory(embedder, TURN)).vector.tobytes() == (
        await plain(embedder, TURN)
    ).tobytes()


async def test_context_brings_a_turn_nearer_to_what_it_is_about(embedder: OnnxEmbedder) -> None:
    asked = await question(embedder, "What timeout does the upload worker have?")
    alone, placed = await memory(embedder, TURN), await memory(embedder, TURN, *BEFORE)
    assert float(asked.vector @ placed.vector) > float(asked.vector @ alone.vector) + 0.1
    assert abs(float(np.linalg.norm(placed.vector)) - 1) < 1e-5


async def test_pieces_are_those_of_the_own_text_alone(embedder: OnnxEmbedder) -> None:
    alone, placed = await memory(embedder, TURN), await memory(embedder, TURN, *BEFORE)
    assert alone.pieces == placed.pieces
    ids = np.frombuffer(alone.pieces, "<u2")
    assert ids.tolist() == sorted(set(ids.tolist()))
    assert alone.length == 5


async def test_a_long_text_keeps_the_pieces_that_the_model_reads(embedder: OnnxEmbedder) -> None:
    made = await memory(embedder, " ".join(f"n{number}" for number in range(2_000)))
    assert len(made.pieces) // 2 <= 254
    assert made.length > 128


@pytest.mark.parametrize("text", ["", "\u200b"])
async def test_a_text_without_word_pieces_has_the_same_vector_in_any_context(
    embedder: OnnxEmbedder, text: str
) -> None:
    alone, placed = await memory(embedder, text), await memory(embedder, text, *BEFORE)
    assert (alone.pieces, alone.length) == (b"", 0)
    assert placed.vector.tobytes() == alone.vector.tobytes()
    assert np.isfinite(alone.vector).all()


async def test_a_text_that_is_too_long_for_a_turn_takes_no_context(embedder: OnnxEmbedder) -> None:
    long = "word " * 129
    alone, placed = await memory(embedder, long), await memory(embedder, long, *BEFORE)
    assert placed.vector.tobytes() == alone.vector.tobytes()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Größe des Cafés", ("größe", "größe", "größe", "des", "cafés")),
        ("東京 a", ("東", "京", "a")),
        ("don't", ("don", "'", "t")),
    ],
)
async def test_the_words_of_pieces_are_as_in_the_question(
    embedder: OnnxEmbedder, text: str, words: tuple[str, ...]
) -> None:
    asked = await question(embedder, text)
    assert asked.tokens is not None
    assert asked.tokens.words == words


async def test_a_long_question_has_as_many_words_as_states(embedder: OnnxEmbedder) -> None:
    asked = await question(embedder, "uploadWorker " * 400)
    assert asked.tokens is not None
    assert len(asked.tokens.words) == len(asked.tokens.states) == 254


async def test_a_question_has_the_vector_of_its_text(embedder: OnnxEmbedder) -> None:
    asked = await question(embedder, TURN)
    assert asked.vector.tobytes() == (await plain(embedder, TURN)).tobytes()


async def test_a_question_has_a_unit_state_and_a_word_for_each_piece(
    embedder: OnnxEmbedder,
) -> None:
    asked = await question(embedder, "Why does uploadWorker.ts retry?")
    assert asked.tokens is not None
    assert asked.tokens.words[0] == "why"
    assert asked.tokens.words.count("uploadworker") > 1
    assert asked.tokens.words[-1] == "?"
    assert asked.tokens.states.shape == (len(asked.tokens.words), 384)
    assert np.allclose(np.linalg.norm(asked.tokens.states, axis=1), 1, atol=1e-4)


async def test_an_empty_question_has_no_states(embedder: OnnxEmbedder) -> None:
    asked = await question(embedder, "  ")
    assert asked.tokens is not None
    assert asked.tokens.words == ()


async def test_the_table_predicts_the_states_of_a_text(embedder: OnnxEmbedder) -> None:
    text = "The release script tags the commit before it uploads the wheel."
    asked, stored = await question(embedder, text), await memory(embedder, text)
    assert asked.tokens is not None
    table = asked.tokens.table
    rows = table.rows(np.frombuffer(stored.pieces, "<u2"))
    predicted = rows + table.context_matrix.T @ stored.vector
    predicted /= np.linalg.norm(predicted, axis=1, keepdims=True)
    best = (asked.tokens.states @ predicted.T).max(axis=1)
    assert float(best.mean()) > 0.7


async def test_a_token_outside_the_table_is_handled(embedder: OnnxEmbedder) -> None:
    asked = await question(embedder, "x")
    assert asked.tokens is not None
    assert asked.tokens.table.rows(np.array([65_535], np.uint16)).shape == (1, 384)


async def test_rows_are_the_same_after_their_memory_was_returned(embedder: OnnxEmbedder) -> None:
    asked = await question(embedder, "x")
    assert asked.tokens is not None
    ids = np.arange(1_000, 30_000, 7, dtype=np.uint16)
    first = asked.tokens.table.rows(ids)
    asked.tokens.table.release_pages()
    assert asked.tokens.table.rows(ids).tobytes() == first.tobytes()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_an_unloaded_model_leaves_no_rows_in_memory(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(built_folder("model"), tmp_path / "model"))
    embedder = OnnxEmbedder(folder, idle_s=0.05)
    asked = await question(embedder, "x")
    assert asked.tokens is not None
    asked.tokens.table.rows(np.arange(1_000, 30_000, dtype=np.uint16))
    await until(lambda: embedder.state.phase == "idle", "an idle model")
    await until(lambda: resident_kb(folder / ROWS_FILE) == 0, "no rows in memory")
    await embedder.close()


def resident_kb(file: Path) -> int:
    """Return how much of a mapped file is in memory."""
    areas = Path("/proc/self/smaps").read_text(encoding="utf-8").split("VmFlags")
    sizes = [re.search(r"^Rss: +(\d+)", area, re.MULTILINE) for area in areas if str(file) in area]
    return sum(int(size[1]) for size in sizes if size)


async def test_the_former_vectors_are_embedded_without_token_states(
    embedder: OnnxEmbedder,
) -> None:
    former = FormerOnnxEmbedder(lambda: embedder)
    assert not isinstance(former, TokenEmbedder)
    assert isinstance(embedder, TokenEmbedder)
    assert former.identity != embedder.identity
    made = await former.embed([TURN], timeout_s=PATIENCE_S)
    assert isinstance(made, Embedded)
    assert made.vectors[0].tobytes() == (await plain(embedder, TURN)).tobytes()
