"""Token states of the included model: questions, memories in context, and the static table."""

from collections.abc import AsyncGenerator

import numpy as np
import pytest

from fakes.waiting import PATIENCE_S
from intaglio.base.paths import built_folder
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


async def test_a_piece_beyond_the_table_breaks_nothing(embedder: OnnxEmbedder) -> None:
    asked = await question(embedder, "x")
    assert asked.tokens is not None
    assert asked.tokens.table.rows(np.array([65_535], np.uint16)).shape == (1, 384)


async def test_the_former_vectors_are_embedded_without_token_states(
    embedder: OnnxEmbedder,
) -> None:
    former = FormerOnnxEmbedder(embedder)
    assert not isinstance(former, TokenEmbedder)
    assert isinstance(embedder, TokenEmbedder)
    assert former.identity != embedder.identity
    made = await former.embed([TURN], timeout_s=PATIENCE_S)
    assert isinstance(made, Embedded)
    assert made.vectors[0].tobytes() == (await plain(embedder, TURN)).tobytes()
