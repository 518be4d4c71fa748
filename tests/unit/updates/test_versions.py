"""Versions as pip, Debian and feeds write them are compared alike."""

import pytest

from intaglio.updates.versions import is_newer, upstream_version

ORDERED = (
    *("0.1.0.dev3", "0.1.0a1", "0.1.0-beta.2", "0.1.0~rc1", "v0.1.0", "0.1.1"),
    *("0.10", "1:1.0-1"),
)


@pytest.mark.parametrize("at", range(1, len(ORDERED)))
def test_a_later_version_is_newer_however_it_is_written(at: int) -> None:
    assert is_newer(ORDERED[at], ORDERED[at - 1])
    assert not is_newer(ORDERED[at - 1], ORDERED[at])


@pytest.mark.parametrize(("one", "other"), [("1.0", "1.0.0"), ("0.1.0b1", "0.1.0-beta.1")])
def test_two_spellings_of_a_version_are_equal(one: str, other: str) -> None:
    assert not is_newer(one, other)
    assert not is_newer(other, one)


def test_what_is_no_version_is_never_newer() -> None:
    assert not is_newer("Unreleased", "0.1.0")
    assert not is_newer("0.1.0", "")
    for text in ("9.0 <b>", "9.0\x1b[31m", "9.0\n", f"9.0{'0' * 100}"):
        assert not is_newer(text, "0.1.0")


@pytest.mark.parametrize(
    ("debian", "upstream"),
    [("0.2.0-1~bookworm1", "0.2.0"), ("1:0.2.0-1", "0.2.0"), ("0.2.0~rc1-1", "0.2.0~rc1")],
)
def test_a_debian_version_is_shown_without_its_revision(debian: str, upstream: str) -> None:
    assert upstream_version(debian) == upstream
