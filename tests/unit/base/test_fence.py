"""Injected text never comes back as something the user said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.fence.marks import strip_injected
from intaglio.fence.outgoing import Fence

FENCE = Fence()
MARKS = st.sampled_from(
    [
        "<intaglio-memory>",
        "</intaglio-memory>",
        "<INTAGLIO-memory x='1'",
        "< / signet-memory >",
        "<signet-memory project='p'>",
        "</signet-memory",
        "\n",
        ">",
        "<",
    ]
)
TAMPERED = st.lists(st.one_of(st.text(max_size=12), MARKS), max_size=12).map("".join)
PLAIN = st.text().filter(lambda text: "-memory" not in text.lower())


@given(inside=TAMPERED, after=PLAIN, value=TAMPERED)
def test_fenced_text_is_stripped_and_the_rest_is_kept(inside: str, after: str, value: str) -> None:
    assert strip_injected(FENCE.wrap(inside, {"project": value}) + after) == after


@given(before=PLAIN, inside=TAMPERED)
def test_text_before_a_fence_is_kept(before: str, inside: str) -> None:
    assert strip_injected(before + FENCE.wrap(inside, {})) == before


@given(before=TAMPERED, inside=st.text(max_size=5), after=TAMPERED)
def test_tampering_with_a_fence_never_exposes_its_content(
    before: str, inside: str, after: str
) -> None:
    secret = f"{inside}SECRET"
    assert "SECRET" not in strip_injected(before + FENCE.wrap(secret, {}) + after)


@given(text=TAMPERED)
def test_neutralised_text_contains_no_fence_mark(text: str) -> None:
    assert strip_injected(FENCE.sanitize(text)) == FENCE.sanitize(text)


@given(text=PLAIN)
def test_text_without_marks_is_not_stripped(text: str) -> None:
    assert strip_injected(text) == text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a <intaglio-memory>b", "a "),
        ("b</intaglio-memory> a", " a"),
        ("<intaglio-memory><intaglio-memory>b</intaglio-memory>c</intaglio-memory>a", "a"),
        ("<signet-memory project='x'>b</signet-memory>a", "a"),
        ("<Intaglio-Memory >b</ intaglio-memory\t>a", "a"),
    ],
)
def test_broken_and_foreign_fences_lose_their_content(text: str, kept: str) -> None:
    assert strip_injected(text) == kept


def test_a_fence_starts_and_ends_with_its_own_line() -> None:
    lines = FENCE.wrap("fact", {"project": 'a "b"\n<c>'}).splitlines()
    assert lines[0] == '<intaglio-memory project="a &quot;b&quot; &lt;c&gt;">'
    assert lines[-1] == "</intaglio-memory>"


def test_a_long_run_of_blanks_is_read_quickly() -> None:
    text = "<" + " " * 200_000
    assert strip_injected(text) == text
