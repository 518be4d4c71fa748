"""Literal phrases of a question."""

import pytest

from intaglio.recall.ranking.phrases import Phrases


@pytest.mark.parametrize(
    ("question", "content", "share"),
    [
        ('who said "ship it on friday"?', "We SHIP it\non Friday, then.", 1),
        ('who said "ship it on friday"?', "Friday is when we ship it.", 0),
        ("what does `make release` do", "Run make release first.", 1),
        ("where is src/api/upload.ts used", "see src/api/upload.ts:12", 1),
        ("what sets max_retry_count", "max_retry_count = 3", 1),
        ("what does parseHeader do with --dry-run", "parseHeader ignores flags", 0.5),
        ("INTA-4312 status", "closed inta-4312", 1),
        ("a plain question, with commas", "a plain question", 0),
        ("", "anything", 0),
    ],
)
def test_quoted_text_and_identifiers_are_looked_for_as_written(
    question: str, content: str, share: float
) -> None:
    assert Phrases(question).share(content) == share


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "bomb",
    ['"', "\u201e", "`", "a.", "a`", "_", "-", "~", "~a", "~/", "aB", "A", "(", "\u0301"],
)
def test_repeated_input_takes_linear_time(bomb: str) -> None:
    assert Phrases(bomb * 200_000).share("x" * 100_000) == 0


def test_a_path_from_the_home_folder_is_one_phrase() -> None:
    assert Phrases("what is in ~/work/a~b.txt").share("see ~/work/a~b.txt") == 1
    assert Phrases("what is in ~/work/a~b.txt").share("see work/a and b.txt") == 0
