"""Prefixes, tags and inferred types."""

import pytest

from intaglio.memory.parsing import Prefixed, cut_tags, infer_type, read_prefixes, read_tags


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", Prefixed("plain", critical=False, tags=())),
        ("critical: keep", Prefixed("keep", critical=True, tags=())),
        ("CRITICAL:keep", Prefixed("keep", critical=True, tags=())),
        ("[Auth, db]: text", Prefixed("text", critical=False, tags=("auth", "db"))),
        ("critical: [a,b]: both", Prefixed("both", critical=True, tags=("a", "b"))),
        ("[a]: critical: no", Prefixed("critical: no", critical=False, tags=("a",))),
        ("[not a tag] text", Prefixed("[not a tag] text", critical=False, tags=())),
        ("uncritical: x", Prefixed("uncritical: x", critical=False, tags=())),
        ("critical:", Prefixed("", critical=True, tags=())),
    ],
)
def test_prefixes_are_parsed_in_order(text: str, expected: Prefixed) -> None:
    assert read_prefixes(text) == expected


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (None, ()),
        ("", ()),
        ("A, b ,,a", ("a", "b")),
        (["X y", "x  y", ""], ("x y",)),
        (["a,b"], ("a b",)),
    ],
)
def test_tags_are_parsed_from_a_list_or_a_text(
    tags: str | list[str] | None, expected: tuple[str, ...]
) -> None:
    assert read_tags(tags) == expected


@pytest.mark.parametrize(
    ("tags", "count", "last"),
    [
        ([f"t{number}" for number in range(90_000)], 200, "t199"),
        # A cut text ends with a whole tag.
        (",".join(f"t{number:04}" for number in range(90_000)), 6_666, "t6665"),
        ("x" * 1_000_000, 1, ""),
        ("a,b", 2, "b"),
    ],
)
def test_only_a_limited_number_of_tags_is_cleaned(
    tags: str | list[str], count: int, last: str
) -> None:
    left = cut_tags(tags)
    parts = left.split(",") if isinstance(left, str) else left
    assert (len(parts), parts[-1]) == (count, last)
    assert len(read_tags(tags)) <= 50


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The user prefers dark mode", "preference"),
        ("We decided on PostgreSQL", "decision"),
        ("TIL that WAL is fast", "learning"),
        ("There is a bug in login", "issue"),
        ("Never push to main", "rule"),
        ("Unlike others, the sky is blue", "fact"),
        ("until tomorrow", "fact"),
        ("He always likes tea", "preference"),
    ],
)
def test_the_first_cue_decides_the_type(text: str, expected: str) -> None:
    assert infer_type(text) == expected
