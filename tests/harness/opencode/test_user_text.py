"""What the user wrote is told apart from what the client adds."""

import pytest

from intaglio.harness.opencode.user_text import unquoted


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ('"a b"', "a b"),
        (r'"say \"hi\" to them"', 'say "hi" to them'),
        ("a b", "a b"),
        ('"a" and "b"', '"a" and "b"'),
        ('"a b', '"a b'),
        ('"', '"'),
        ("", ""),
        ('"ends with a backslash\\"', '"ends with a backslash\\"'),
        (' "a b"\n', "a b"),
    ],
)
def test_the_quotes_of_the_command_line_are_taken_off(text: str, own: str) -> None:
    assert unquoted(text) == own
