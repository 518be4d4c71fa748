"""Late interaction: scores memories by the question's token states, without stored token vectors.

A memory's token state is nearly a linear function of the token and of the memory's vector:
``state(j) ≈ T[piece j] + Wv · v`` (0050-late-interaction-table.md). The sum over the question's
tokens of the best match with any token of a memory (MaxSim; Khattab and Zaharia 2020, ColBERT)
falls apart into a soft match of words, over the static table ``T``, and a product with the stored
vector.
Imports numpy: only once a model is loaded.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from intaglio.inference.token_table import Floats, TokenTable

_IDS: Final = 2**16
# So many memories at once: what their pieces match with fits into the processor's cache.
_BLOCK: Final = 128


@dataclass(frozen=True, slots=True, eq=False)
class WeightedTokens:
    """A question's token states (n x dimensions, unit length), and their weights (n, sum 1).

    The product of ``probe`` with a memory's vector is the context's part of the score.
    """

    states: Floats
    weights: Floats
    table: TokenTable
    probe: Floats

    @staticmethod
    def of(states: Floats, weights: Sequence[float], table: TokenTable) -> "WeightedTokens":
        """Scale the weights, and compute the probe."""
        scaled = normalized_weights(weights)
        probe = np.asarray(table.context_matrix @ (scaled @ states), np.float32)
        return WeightedTokens(states, scaled, table, probe)


@dataclass(frozen=True, slots=True, eq=False)
class TokenMatches:
    """How well memories match by meaning: about 0 to 0.8, more for better.

    ``best`` (memories x tokens) is the best match of each token of the question with a memory's own
    word pieces; the rest of a score is the memory's context.
    """

    scores: list[float]
    best: Floats


@dataclass(frozen=True, slots=True, eq=False)
class TextPieces:
    """The distinct word pieces of texts, one text after the other, and how many each has."""

    ids: npt.NDArray[np.uint16]
    counts: npt.NDArray[np.intp]

    @staticmethod
    def of(texts: Sequence[bytes]) -> "TextPieces":
        """Join texts as they are stored: little-endian uint16."""
        return TextPieces.joined(texts, [len(each) for each in texts])

    @staticmethod
    def joined(parts: Sequence[bytes], lengths: Sequence[int]) -> "TextPieces":
        """Join parts that hold texts of ``lengths`` bytes."""
        ids = np.frombuffer(b"".join(parts), "<u2")
        return TextPieces(ids, np.asarray(lengths, np.intp) // ids.itemsize)


def normalized_weights(weights: Sequence[float]) -> Floats:
    """Scale weights to a sum of 1; all zero if they are."""
    values = np.asarray(weights, np.float32)
    total = float(values.sum())
    return values / np.float32(total) if total > 0 else values


def unit_rows(rows: Sequence[bytes], count: int | None = None) -> Floats:
    """Return stored vectors (signed bytes) as rows of unit length.

    ``count`` is their number, if ``rows`` holds several in one.
    """
    levels = np.frombuffer(b"".join(rows), np.int8).astype(np.float32)
    levels = levels.reshape(len(rows) if count is None else count, -1)
    lengths = np.sqrt(np.einsum("ij,ij->i", levels, levels))
    return np.asarray(levels / np.maximum(lengths, 1e-9)[:, None], np.float32)


def match_tokens(tokens: WeightedTokens, pieces: TextPieces, vectors: Floats) -> TokenMatches:
    """Score memories by their word pieces and unit vectors.

    score = Σ weight · max over the pieces of (state · T[piece]) + probe · vector
    """
    ids, counts = pieces.ids, pieces.counts
    best = np.zeros((counts.size, tokens.weights.size), np.float32)
    if ids.size and tokens.weights.size:
        distinct, places = _distinct(ids)
        products = tokens.table.products(distinct, tokens.states)
        held = np.flatnonzero(counts)
        ends = np.concatenate(([0], np.cumsum(counts[held])))
        for at in range(0, held.size, _BLOCK):
            part = held[at : at + _BLOCK]
            first, last = ends[at], ends[at + part.size]
            starts = ends[at : at + part.size] - first
            best[part] = np.maximum.reduceat(products[places[first:last]], starts, axis=0)
    scores = best @ tokens.weights + vectors @ tokens.probe
    return TokenMatches(scores.tolist(), best)


def _distinct(
    ids: npt.NDArray[np.uint16],
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return the distinct ids and each id's place among them, by a table instead of sorting."""
    seen = np.zeros(_IDS, np.bool_)
    seen[ids] = True
    distinct = np.flatnonzero(seen)
    places = np.empty(_IDS, np.intp)
    places[distinct] = np.arange(distinct.size)
    return distinct, places[ids]
