"""Hebrew and Arabic words are the same word with an attached article."""

import pytest

from intaglio.terms.articles import forms_with_article, without_article


@pytest.mark.parametrize(
    ("word", "bare"),
    [
        ("ההזמנות", "הזמנות"),
        ("והבדיקות", "בדיקות"),
        ("الطلبات", "طلبات"),
        ("والطلبات", "طلبات"),
        ("orders", "orders"),
        ("заказы", "заказы"),
        ("של", "של"),
    ],
)
def test_a_word_is_told_from_its_article(word: str, bare: str) -> None:
    assert without_article(word) == bare


def test_a_search_looks_for_every_form_of_such_a_word() -> None:
    assert {"בדיקות", "הבדיקות"} <= set(forms_with_article("בדיקות"))
    assert forms_with_article("tests") == ("tests",)
