"""The texts that are built against a regular expression."""

from bench.attack.text import attacks
from structure.regexes.expressions import Expression


def test_a_repeated_group_is_attacked_after_its_prefix() -> None:
    expression = Expression(r"key=(?:[0-9]+|a*)!", 0, "app/x.py", 1, searched=True, whole=False)
    found = set(attacks(expression))
    assert {("key=", "0"), ("key=", "a"), ("", "key=a"), ("", " ")} <= found
