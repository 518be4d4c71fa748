"""``bench resolution``: whether the similarity of two names tells that they name one entity.

The labelled pairs of `name_pairs.json` are compared by the included model as the job does it. From
a threshold on they count as one entity; what the job never merges (names with other numbers) counts
as different. The last line counts the pairs between the thresholds, about which the inbox asks.
"""

import argparse
import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from intaglio.base.paths import find_paths
from intaglio.graph.background.resolution import numbers_in
from intaglio.graph.settings import GraphSettings
from intaglio.inference.name_similarity import NameSimilarity
from intaglio.inference.onnx import OnnxEmbedder

_PAIRS: Final = Path(__file__).with_name("name_pairs.json")
_THRESHOLDS: Final = (0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
_IDLE_S: Final = 600


class _Pair(NamedTuple):
    one: str
    other: str
    is_same: bool
    similarity: float


def main(arguments: list[str]) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="bench resolution", description=__doc__)
    parser.add_argument("--pairs", action="store_true", help="print each pair's similarity")
    options = parser.parse_args(arguments)
    pairs = asyncio.run(_compare())
    if options.pairs:
        for pair in sorted(pairs, key=lambda each: -each.similarity):
            print(
                f"{pair.similarity:5.2f} {'same' if pair.is_same else 'different':9} "
                f"{pair.one} / {pair.other}"
            )
    _report(pairs)


async def _compare() -> list[_Pair]:
    labelled = json.loads(_PAIRS.read_text(encoding="utf-8"))
    embedder = OnnxEmbedder(find_paths().model, idle_s=_IDLE_S)
    similarity = NameSimilarity(lambda: embedder)
    pairs: list[_Pair] = []
    try:
        for label in ("same", "different"):
            for _, one, other in labelled[label]:
                found = await similarity.compare([one], [[other]])
                if found is None:
                    raise SystemExit("The included model can't be used: run `python3 app setup`.")
                comparable = numbers_in(one) == numbers_in(other)
                pairs.append(_Pair(one, other, label == "same", found[0] if comparable else 0.0))
    finally:
        await embedder.close()
    return pairs


def _report(pairs: Sequence[_Pair]) -> None:
    same = sum(pair.is_same for pair in pairs)
    print(f"{len(pairs)} pairs of names, {same} of them of one entity; the included model")
    print("from    precision  recall    F1")
    for threshold in _THRESHOLDS:
        right, taken = _counts(pairs, threshold)
        precision, recall = right / max(1, taken), right / same
        f1 = 2 * precision * recall / max(1e-9, precision + recall)
        print(f"{threshold:4.2f}    {precision:9.2f}  {recall:6.2f}  {f1:4.2f}")
    defaults = GraphSettings()
    between = [
        pair
        for pair in pairs
        if defaults.ask_similarity <= pair.similarity < defaults.same_similarity
    ]
    asked = sum(pair.is_same for pair in between)
    print(
        f"Between {defaults.ask_similarity} and {defaults.same_similarity}: "
        f"{len(between)} pairs, {asked} of them of one entity"
    )


def _counts(pairs: Sequence[_Pair], threshold: float) -> tuple[int, int]:
    """Return how many pairs are merged rightly, and how many are merged."""
    merged = [pair for pair in pairs if pair.similarity >= threshold]
    return sum(pair.is_same for pair in merged), len(merged)
