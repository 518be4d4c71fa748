"""The lines of a place, and how many of them are left."""

from hypothesis import given
from hypothesis import strategies as st

from intaglio.code.place_lines import MOST_OF_SYMBOL, block, hashes, share_left

LINES = st.lists(st.text(alphabet="ab (){}\t", max_size=6), min_size=1, max_size=20)


def taken(text: str, first: int = 0) -> int:
    """Return how many lines the block of a line has."""
    return len(block(text.split("\n"), first))


def test_a_block_ends_where_the_indentation_does() -> None:
    assert taken("def f(\n    x,\n) -> int:\n    return x\n\n\n\ndef g(): ...") == 4
    assert taken("function f() {\n  if (x) {\n  }\n}\ncall()") == 4
    assert taken("int f(int x)\n{\n    return x;\n}\nint g()") == 4
    assert taken("  def f\n    1\n  end\n  def g") == 3
    assert taken("MAX = 3\nMIN = 1") == 1


def test_a_block_has_an_end() -> None:
    assert taken("def f():\n" + "    x\n" * 500) == MOST_OF_SYMBOL


def test_lone_brackets_and_empty_lines_say_nothing() -> None:
    assert hashes(["{", "  }", "", "   ", "a"], 9) == hashes(["  a  "], 9)
    assert len(hashes([f"line {number}" for number in range(9)], 5)) == 5 * 4


def test_each_line_counts_as_often_as_it_was_there() -> None:
    remembered = hashes(["a", "a", "b", "c"], 9)
    assert share_left(remembered, ["a", "c", "x"]) == 0.5
    assert share_left(b"", []) == 1.0


@given(LINES, LINES)
def test_what_is_left_is_all_only_if_every_line_is(first: list[str], now: list[str]) -> None:
    remembered = hashes(first, 99)
    assert share_left(remembered, first) == 1.0
    assert share_left(remembered, [*now, *first]) == 1.0
    assert 0.0 <= share_left(remembered, now) <= 1.0


@given(LINES, st.integers(0, 19))
def test_a_block_begins_with_its_line_and_is_of_the_file(lines: list[str], first: int) -> None:
    first %= len(lines)
    found = block(lines, first)
    assert list(found) == lines[first : first + len(found)]
    assert len(found) >= 1
