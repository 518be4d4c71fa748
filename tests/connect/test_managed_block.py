"""The block that Intaglio keeps in a file of instructions."""

from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.connect.managed_block import (
    BOM,
    BlockSection,
    BrokenBlock,
    ManagedBlock,
    NoBlock,
    body_of,
    find_block,
    is_blank,
    put_block,
    section_text,
    sections_of,
    strip_block,
)

LINES = st.sampled_from(
    [
        "",
        "# Rules",
        "Use pnpm.",
        "<!-- INTAGLIO:START -->",
        "<!-- INTAGLIO:END -->",
        "<!-- INTAGLIO:FILE USER.md -->",
        r"  <!-- INTAGLIO\:END -->",
        "<!-- SIGNET:START -->",
        "\ufeffé\u2028x",
        "tab\tand space ",
    ]
)
TEXTS = st.lists(LINES, max_size=6).map("\n".join)
SECTIONS = st.dictionaries(
    st.sampled_from(["AGENTS.md", "SOUL.md", "agents/ann/SOUL.md"]), TEXTS, min_size=1
).map(lambda found: tuple(BlockSection(file, section_text(text)) for file, text in found.items()))
LINES_OUTSIDE = st.sampled_from(
    [b"", b"# Mine", b"\xff\xfe", b"<!-- x -->", b"<!-- SIGNET:START -->"]
)


@st.composite
def outsides(draw: st.DrawFn) -> bytes:
    """Return what may stand outside of the block."""
    end = draw(st.sampled_from([b"\n", b"\r\n", b"\r"]))
    lines = end.join(draw(st.lists(LINES_OUTSIDE, max_size=5)))
    return draw(st.sampled_from([b"", BOM])) + lines + draw(st.sampled_from([b"", end]))


OUTSIDE = outsides()
Sections: TypeAlias = tuple[BlockSection, ...]


@given(OUTSIDE, SECTIONS)
def test_taking_the_block_out_restores_every_byte(outside: bytes, sections: Sections) -> None:
    assert strip_block(put_block(outside, body_of(sections))) == outside


@given(OUTSIDE, SECTIONS, SECTIONS)
def test_replacing_a_block_is_the_same_as_writing_it_first(
    outside: bytes, one: Sections, other: Sections
) -> None:
    first = put_block(outside, body_of(one))
    assert put_block(first, body_of(other)) == put_block(outside, body_of(other))


@given(OUTSIDE, SECTIONS)
def test_what_was_written_is_read_back(outside: bytes, sections: Sections) -> None:
    found = find_block(put_block(outside, body_of(sections)))
    assert isinstance(found, ManagedBlock)
    assert not found.is_edited
    assert sections_of(found.body) == sections


@given(OUTSIDE, SECTIONS)
def test_text_before_and_after_the_block_is_kept(outside: bytes, sections: Sections) -> None:
    written = put_block(b"", "x\n")
    around = b"# Top\n" + written + outside.removeprefix(BOM)
    replaced = put_block(around, body_of(sections))
    assert replaced.startswith(b"# Top\n")
    assert strip_block(replaced) == b"# Top\n" + outside.removeprefix(BOM)


def test_only_a_file_that_was_created_is_deleted() -> None:
    created = find_block(put_block(None, "x\n"))
    existed = find_block(put_block(b"", "x\n"))
    assert isinstance(created, ManagedBlock)
    assert isinstance(existed, ManagedBlock)
    assert (created.is_new_file, existed.is_new_file) == (True, False)
    assert is_blank(strip_block(put_block(None, "x\n")))


def test_that_a_file_was_created_is_known_after_a_rewrite() -> None:
    found = find_block(put_block(put_block(None, "x\n"), "y\n"))
    assert isinstance(found, ManagedBlock)
    assert found.is_new_file


def test_an_edit_is_recognised_by_the_digest() -> None:
    written = put_block(b"mine\n", body_of([BlockSection("USER.md", "I am Ann.")]))
    found = find_block(written.replace(b"Ann", b"Bea"))
    assert isinstance(found, ManagedBlock)
    assert found.is_edited
    assert sections_of(found.body) == (BlockSection("USER.md", "I am Bea."),)


def test_text_before_the_first_file_has_no_file() -> None:
    assert sections_of("hello\n<!-- INTAGLIO:FILE USER.md -->\nx\n") == (
        BlockSection("", "hello"),
        BlockSection("USER.md", "x"),
    )


def test_copies_of_the_block_become_one() -> None:
    block = put_block(b"", "x\n")
    assert put_block(block + b"mine\n" + block, "y\n") == put_block(b"", "y\n") + b"mine\n"


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"<!-- INTAGLIO:START a -->\nx\n", 1),
        (b"x\n<!-- INTAGLIO:END -->\n", 2),
        (b"<!-- INTAGLIO:START a -->\n<!-- INTAGLIO:START a -->\n<!-- INTAGLIO:END -->\n", 1),
        (put_block(b"", "x\n") + put_block(b"", "y\n"), 4),
        (put_block(b"", "x\n") + b"<!-- INTAGLIO:END -->", 4),
    ],
)
def test_broken_comments_are_reported_and_left_alone(content: bytes, line: int) -> None:
    found = find_block(content)
    assert isinstance(found, BrokenBlock)
    assert found.line == line
    assert strip_block(content) == content
    with pytest.raises(ValueError, match="broken"):
        put_block(content, "z\n")


def test_a_block_of_signet_is_the_users_text() -> None:
    signet = b"<!-- SIGNET:START -->\nx\n<!-- SIGNET:END -->\n"
    assert isinstance(find_block(signet), NoBlock)
    assert put_block(signet, "y\n").endswith(signet)
