"""What denies, and what only answers or names something."""

import pytest

from intaglio.language.negation import is_negated
from intaglio.language.overlap import topic_overlap


@pytest.mark.parametrize(
    "text",
    [
        "Don\u2019t push to main",
        "Deploy without downtime",
        "Wir nutzen keine Leerzeichen",
        "N'utilise pas npm",
        "Jamás uses tabs",
        "别用制表符",
        "タブは使わない",
        "Мы не пишем комментарии",
        "주석을 쓰지 않는다",
    ],
)
def test_a_statement_that_forbids_is_negated(text: str) -> None:
    assert is_negated(text)


@pytest.mark.parametrize(
    "text", ["No, use tabs", "Commit with --no-verify", "Nein, nimm Tabs", "Use the no-op driver"]
)
def test_an_answer_or_a_name_denies_nothing(text: str) -> None:
    assert not is_negated(text)


def test_an_overlap_tells_what_two_texts_share() -> None:
    both = topic_overlap("Use pytest for unit tests", "Unit tests run with nose")
    assert both.shared == {"unit", "test"}
    assert both.only_left == {"pytest"}
    assert both.only_right == {"run", "nose"}
    assert (both.share, both.share_of_left, both.share_of_all) == (2 / 3, 2 / 3, 2 / 5)
    assert both.differing == 3
    assert topic_overlap("", "tabs").share == 0
