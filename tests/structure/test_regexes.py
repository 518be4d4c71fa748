"""Every regular expression of the package takes linear time, whatever text it is given."""

import ast
import sys

import pytest

from boot.process import digest, set_stamp, stamp
from structure.regexes.cost import slow
from structure.regexes.expressions import compiled_in_functions, expressions
from structure.source import ROOT

# The stamp that holds the digests of the expressions that were found to be linear.
KEPT = "linear-expressions"

# Made at run time of texts that aren't the program's own; each is named with why it is linear.
_MADE_AT_RUN_TIME = {
    # Built when the module is imported, so recorded with the others.
    ("app/intaglio/capture/phrases.py", "_union"),
    ("app/intaglio/code/definitions.py", "_compiled"),
    # Escaped phrases of a word list, without a repeat.
    ("app/intaglio/capture/reply_words.py", "pattern"),
    ("app/intaglio/redaction/commands.py", "_flag"),
    ("app/intaglio/redaction/formats/table.py", "_pattern"),
    ("app/intaglio/redaction/formats/table.py", "_token"),
    ("app/intaglio/sessions/statements/claim_words.py", "_pattern"),
    ("app/intaglio/sessions/statements/instruction_words.py", "_words"),
    # Escaped phrases of a list of the program's own.
    ("app/intaglio/capture/speech_acts.py", "_for_now"),
    # The names of the tags that harnesses declare, escaped, with at most three signs between.
    ("app/intaglio/fence/tags.py", "_compiled"),
    # One escaped literal, with bounded space before it.
    ("app/intaglio/harness/claude_code/pastes.py", "_end_with_id"),
    ("app/intaglio/recall/ranking/conversation.py", "_names"),
    # The program's own marks of its hooks, in a configuration file or in arguments.
    ("app/intaglio/connect/json_hooks.py", "is_ours"),
    ("app/intaglio/connect/programs/hook_program.py", "parse"),
}


def test_every_expression_of_the_package_takes_linear_time() -> None:
    # Once judged, an expression stays as fast as it is, until what judges it changes.
    judge = digest((ROOT / "tests/structure/regexes").glob("*.py"), sys.version)
    known = set(stamp(KEPT).split())
    asked = {
        digest((), judge, repr((each.pattern, each.flags, each.searched, each.whole))): each
        for each in expressions()
    }
    found = [
        f"{each.place}: {finding.reason} ({finding.shared!r}) in {each.pattern[:120]!r}"
        for key, each in asked.items()
        if key not in known
        for finding in slow(each.pattern, each.flags, searched=each.searched, whole=each.whole)
    ]
    assert not found, "\n".join(found)
    assert len(expressions()) > 300
    set_stamp(KEPT, " ".join(asked))


def test_expressions_are_made_at_import_or_of_literals() -> None:
    made = list(compiled_in_functions())
    dynamic = {
        (module, function)
        for module, function, pattern in made
        if not isinstance(pattern, ast.Constant)
    }
    assert dynamic == _MADE_AT_RUN_TIME
    literals = [pattern.value for *_, pattern in made if isinstance(pattern, ast.Constant)]
    assert [text for text in literals if isinstance(text, str) and slow(text, 0)] == []


@pytest.mark.parametrize(
    "pattern",
    [
        r"\s+$",
        r"[a-z]+:",
        r'"[^\n]*x',
        r"\[[^\]]*\]",
        r"(?:a+)+b",
        r"(?:a|a)*b",
        r"^(?:and |,|\W)*use",
        r"^\s*\s*x",
        r"a.*b.*c",
        r"(?=.*x)y",
        r"a(?:[^b]*b)?",
        r"\d{1,5000}x",
        r"~~.+~~",
        r"(?m:^)\s*[-*]\s*(name):",
        r"(?P<sign>a+)(?P=sign)b",
        r"x[^b]{0,100}y?[^b]{0,100}b",
    ],
)
def test_an_expression_that_takes_longer_is_found(pattern: str) -> None:
    assert slow(pattern, 0)


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?<!\s)\s++$",
        r"[a-z]{1,40}:",
        r'"[^"\n]*"',
        r"\[[^\[\]]*\]",
        r"\w+(?:-\w+)*",
        r"^\s*x",
        r"\bfoo\b",
        r"(?s:<!--.*?(?:-->|\Z))",
        r"(?<![a-z])[a-z]++[0-9]",
        r"^(?:and |\W)*use",
    ],
)
def test_an_expression_that_takes_linear_time_is_accepted(pattern: str) -> None:
    assert slow(pattern, 0) == ()


def test_only_a_search_may_begin_anywhere() -> None:
    assert slow(r"\s*:", 0)
    assert slow(r"\s*:", 0, searched=False) == ()
    assert slow(r"a*[ab]*", 0, searched=False) == ()
    assert slow(r"a*[ab]*", 0, searched=False, whole=True)
