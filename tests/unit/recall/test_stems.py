"""The dashboard marks the words of a result that the index found it by: both stem them alike."""

import json
from pathlib import Path

import apsw
import pytest

from intaglio.store.tx import ReadTx

STEMS: dict[str, str] = json.loads(
    (Path(__file__).parents[3] / "ui/src/lib/memory/stems.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize(("word", "stem"), STEMS.items())
def test_the_index_gives_a_word_the_stem_that_the_dashboard_expects(word: str, stem: str) -> None:
    assert ReadTx(apsw.Connection(":memory:")).index_terms(word) == [stem]
