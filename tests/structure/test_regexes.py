"""Every regular expression of the package takes linear time, whatever text it is given."""

import ast
import re
import sys

import pytest

from boot.process import digest, set_stamp, stamp
from structure.regexes.cost import slow
from structure.regexes.expressions import compiled_in_functions, expressions
from structure.regexes.possessive import wrong_repeats
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


def test_no_possessive_repeat_is_one_that_old_interpreters_match_wrongly() -> None:
    literals = [
        (f"{module}: {function}", pattern.value, 0)
        for module, function, pattern in compiled_in_functions()
        if isinstance(pattern, ast.Constant) and isinstance(pattern.value, str | bytes)
    ]
    compiled = [(each.place, each.pattern, each.flags) for each in expressions()]
    found = [
        f"{place}: write (?>(?:…)*) for (?:…)*+ in {pattern[:120]!r}"
        for place, pattern, flags in compiled + literals
        if wrong_repeats(pattern, flags)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?:ab?c)*+",
        r"(?:ab+)*+",
        r"(?:a|b(?!c)|c{1,2}d){0,6}+",
        r"(?:a(?:bc|cb))?+",
        r"(?:(?!end)[a-z])*+",
        r"(?:ab(?>c|d)e)++",
        r"(?:(?:ab|cd){2})*+",
        r"(?:a(?:b|cd)*+e)*+",
        rb"(?:ab++c)*+",
    ],
)
def test_a_possessive_repeat_of_what_backtracks_is_found(pattern: str | bytes) -> None:
    assert wrong_repeats(pattern, 0) == 1


@pytest.mark.parametrize(
    ("pattern", "text", "end"),
    [
        (r"(?:\\.[^\\;]*+)*+", r"\na\tb;c", 6),
        (r"(?:\\r|\\n|[ >])*+", r" \n>\t", 4),
        (r"(?:[a-z]{3,8}+ ){1,3}+", "abc abcd ab", 9),
        (r"(?:a++=[^;]*+(?:; ?)?)*+", "a=b; a=c;ab", 9),
        (r"(?>(?:ab?c)*)", "aca", 2),
        (r"a{1,3}+", "aaaa", 3),
    ],
)
def test_other_possessive_repeats_are_matched_rightly(pattern: str, text: str, end: int) -> None:
    assert wrong_repeats(pattern, 0) == 0
    found = re.match(pattern, text)
    assert found is not None
    assert found.end() == end


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
