"""What a question says about a conversation."""

import pytest

from intaglio.recall.ranking.conversation import is_question, named_dates, named_speaker


@pytest.mark.parametrize(
    ("text", "months", "years"),
    [
        ("What did we decide in May 2023?", [5], [2023]),
        ("may I see the plan of march?", [], []),
        ("since Sept or october", [9, 10], []),
        ("Was haben wir im März 2024 beschlossen?", [3], [2024]),
        ("qué pasó en enero", [1], []),
        ("10月发生了什么", [10], []),
        ("port 12023 and 2 items", [], []),
        ("5 m\u00b2, \u00b2 of \u2460 and \u0662\u0660\u0662\u0663", [], []),
        ("", [], []),
    ],
)
def test_months_and_years_are_found(text: str, months: list[int], years: list[int]) -> None:
    found = named_dates(text)
    assert (sorted(found.months), sorted(found.years)) == (months, years)


@pytest.mark.parametrize(
    ("text", "fit"),
    [
        ("in May 2023", 1.0),
        ("in May", 1.0),
        ("in 2023", 0.4),
        ("in June 2023", 0.0),
        ("in May 2024", 0.0),
        ("whenever", 0.0),
    ],
)
def test_a_memory_matches_a_named_time(text: str, fit: float) -> None:
    assert named_dates(text).fit("2023-05-08T13:56:00.000Z") == fit


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("What did Caroline say?", "Caroline"),
        ("What did Caroline tell Melanie?", None),
        ("What did caroline say?", None),
        ("What about Carolines?", None),
        ("nobody", None),
        ("", None),
    ],
)
def test_a_speaker_counts_if_only_one_is_named(text: str, speaker: str | None) -> None:
    assert named_speaker(text, ["Caroline", "Melanie", ""]) == speaker


@pytest.mark.parametrize(
    ("content", "asks"), [("Why? ", True), ("\u4e3a\u4ec0\u4e48\uff1f", True), ("Why? No.", False)]
)
def test_a_text_that_ends_with_a_question_mark_is_a_question(content: str, *, asks: bool) -> None:
    assert is_question(content) is asks
