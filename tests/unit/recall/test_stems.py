"""The dashboard marks the words of a result that the index found it by: both stem them alike."""

import json
from pathlib import Path

import apsw

from intaglio.store.tx import ReadTx

STEMS: dict[str, str] = json.loads(
    (Path(__file__).parents[3] / "ui/src/lib/memory/stems.json").read_text(encoding="utf-8")
)


def test_the_index_gives_each_word_the_stem_that_the_dashboard_expects() -> None:
    tx = ReadTx(apsw.Connection(":memory:"))
    assert {word: tx.index_terms(word) for word in STEMS} == {
        word: [stem] for word, stem in STEMS.items()
    }
