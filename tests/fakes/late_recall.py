"""An embedder whose questions have token states too: recall ranks by late interaction."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fakes.embedder import TokenHashEmbedder, piece_ids, words
from intaglio.inference.manifest import CONTEXT_FILE, ROWS_FILE, SCALES_FILE
from intaglio.inference.ports import ModelIdentity, NotEmbedded, QuestionTokens, QuestionVector
from intaglio.inference.token_table import TokenTable

_SIZE, _PIECES = 16, 30_000


@dataclass
class LateEmbedder(TokenHashEmbedder):
    """A word's state is its piece's row of the table; a vector counts as all the context is."""

    table: TokenTable | None = None

    async def embed_question(self, text: str, *, timeout_s: float) -> QuestionVector | NotEmbedded:
        asked = await super().embed_question(text, timeout_s=timeout_s)
        if self.table is None or isinstance(asked, NotEmbedded):
            return asked
        rows = self.table.rows(np.array(piece_ids(text), np.uint16).reshape(-1))
        states = np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)
        return QuestionVector(asked.vector, QuestionTokens(states, tuple(words(text)), self.table))


def late_embedder(folder: Path) -> LateEmbedder:
    """Write a table of pseudo-random rows to the folder, and return an embedder that uses it."""
    chance = np.random.default_rng(1)
    np.save(folder / ROWS_FILE, chance.integers(-127, 128, (_PIECES, _SIZE)).astype(np.int8))
    np.save(folder / SCALES_FILE, np.full(_PIECES, 1 / 300, np.float32))
    np.save(folder / CONTEXT_FILE, 0.4 * np.eye(_SIZE, dtype=np.float32))
    return LateEmbedder(ModelIdentity("fake", "late", "1", _SIZE), table=TokenTable(folder))
