"""The text rules that dedup stands on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.base.text import (
    clip,
    content_hash,
    estimate_tokens,
    normal_form,
    scrub,
    storage_form,
)


@given(st.text())
def test_normalising_is_idempotent(text: str) -> None:
    once = normal_form(scrub(text))
    assert normal_form(once) == once


@given(st.text(), st.sampled_from(["", " ", ".", " !", "?;", "\n", ": "]))
def test_trailing_marks_and_blanks_do_not_change_the_hash(text: str, tail: str) -> None:
    if normal_form(text):
        assert content_hash(text + tail) == content_hash(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Use tabs", "use  TABS."), ("hello. !", "hello"), ("a\nb", "a b")],
)
def test_texts_that_mean_the_same_have_one_hash(one: str, other: str) -> None:
    assert content_hash(one) == content_hash(other)


def test_text_of_marks_alone_still_has_a_hash_of_its_own() -> None:
    assert content_hash("!!!") != content_hash("???")


@given(st.text())
def test_cleaned_text_can_be_stored_and_encoded(text: str) -> None:
    clean = scrub(text + "\x00\ud800")
    assert "\x00" not in clean
    clean.encode()


def test_the_storage_form_collapses_blanks() -> None:
    assert storage_form("  a\t b\n\nc ") == "a b c"


@given(st.text(), st.integers(1, 50))
def test_clipped_text_keeps_the_limit(text: str, limit: int) -> None:
    assert len(clip(text, limit)) <= limit


def test_tokens_are_a_quarter_of_the_bytes_rounded_up() -> None:
    assert [estimate_tokens(text) for text in ("", "a", "abcd", "abcde", "ü" * 4)] == [
        0,
        1,
        1,
        2,
        2,
    ]
