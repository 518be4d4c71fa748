"""Late interaction: the score of memories from a static table and their vectors."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.inference.manifest import CONTEXT_FILE, ROWS_FILE, SCALES_FILE
from intaglio.inference.token_table import TokenTable
from intaglio.recall.ranking.late_interaction import (
    TextPieces,
    WeightedTokens,
    match_tokens,
    normalized_weights,
    unit_rows,
)

SIZE, PIECES = 8, 50


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> TokenTable:
    folder: Path = tmp_path_factory.mktemp("table")
    chance = np.random.default_rng(1)
    np.save(folder / ROWS_FILE, chance.integers(-127, 128, (PIECES, SIZE)).astype(np.int8))
    np.save(folder / SCALES_FILE, chance.random(PIECES).astype(np.float32) / 127)
    np.save(folder / CONTEXT_FILE, chance.random((SIZE, SIZE)).astype(np.float32))
    return TokenTable(folder)


def unit(values: np.ndarray) -> np.ndarray:
    return np.asarray(values / np.linalg.norm(values, axis=-1, keepdims=True), np.float32)


def packed(pieces: list[int]) -> bytes:
    return np.array(pieces, "<u2").tobytes()


@given(
    pieces=st.lists(st.lists(st.integers(0, PIECES - 1), max_size=6), min_size=1, max_size=5),
    words=st.integers(0, 4),
    seed=st.integers(0, 1_000),
)
def test_the_score_is_the_sum_of_best_matches_and_the_context(
    table: TokenTable, pieces: list[list[int]], words: int, seed: int
) -> None:
    chance = np.random.default_rng(seed)
    states = unit(chance.normal(size=(words, SIZE)))
    weights = normalized_weights(chance.random(words).tolist())
    vectors = unit(chance.normal(size=(len(pieces), SIZE)))
    tokens = WeightedTokens.of(states, weights.tolist(), table)
    found = match_tokens(tokens, TextPieces.of([packed(each) for each in pieces]), vectors)
    for own, vector, score in zip(pieces, vectors, found.scores, strict=True):
        rows = table.rows(np.array(own, np.uint16))
        predicted = table.context_matrix.T @ vector
        wanted = sum(
            weight * ((state @ rows.T).max() if own else 0.0) + weight * (state @ predicted)
            for weight, state in zip(weights, states, strict=True)
        )
        assert score == pytest.approx(float(wanted), abs=1e-4)


def test_a_memory_without_pieces_is_scored_by_its_context_alone(table: TokenTable) -> None:
    tokens = WeightedTokens.of(unit(np.ones((1, SIZE))), [1.0], table)
    vectors = unit(np.ones((2, SIZE)))
    found = match_tokens(tokens, TextPieces.of([b"", packed([3])]), vectors)
    empty, held = found.scores
    assert empty == pytest.approx(float(vectors[0] @ tokens.probe), abs=1e-5)
    assert found.best[1, 0] == pytest.approx(held - empty, abs=1e-5)


def test_a_question_of_punctuation_alone_has_no_weights() -> None:
    assert normalized_weights([0.0, 0.0]).tolist() == [0, 0]
    assert normalized_weights([]).size == 0


def test_stored_vectors_are_scaled_to_unit_length() -> None:
    rows = unit_rows([bytes([3, 0, 4, 0]), bytes(4)])
    assert rows[0].tolist() == pytest.approx([0.6, 0, 0.8, 0])
    assert rows[1].tolist() == [0, 0, 0, 0]
