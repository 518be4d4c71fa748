"""Finds what a source file defines, line by line: functions, types, constants, titles of tests.

Patterns for the usual languages, each anchored at a line's beginning and of one line; what they
don't know is not defined. They take linear time.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

MOST_DEFINITIONS: Final = 200
_MAX_LINE: Final = 1_000

_LAST_NAME: Final = re.compile(r"[\w$~?!]{1,120}+$")
# What stands before a parenthesis in a statement, and is no name.
_KEYWORDS: Final = re.compile(
    r"(?:if|for|while|switch|catch|return|function|with|else|do|new|throw|sizeof|defined|delete|"
    r"case|assert|await|yield|typeof|in|of|and|or|not|elif|except|raise|using|lock|foreach|until|"
    r"when|unless|fn|class|struct|enum|interface)"
)


@dataclass(frozen=True, slots=True)
class Definition:
    """What a line defines; ``line`` counts from 0."""

    name: str
    line: int


# Repeated groups aren't possessive: before Python 3.11.5 a failed repeat keeps what it consumed.
def _compiled(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(each) for each in patterns)


_S: Final = r"[ \t]{1,9}+"
_IN: Final = r"[ \t]{0,60}+"
_CONSTANT: Final = r"[ \t]{0,12}+([^=(;{}\"'#/]{3,150}+)=(?![=>])"
"""A constant's declaration up to its value; its name counts only in capitals."""

_TITLE: Final = (
    _IN + r"(?:it|test|describe|context|suite)(?:\.\w{1,20}+)?[ \t(]{1,3}+"
    r"(?:\"([^\"]{3,150}+)\"|'([^']{3,150}+)'|`([^`]{3,150}+)`)"
)
_PYTHON: Final = _compiled(
    _IN + rf"(?:async{_S})?(?:def|class){_S}(\w{{1,120}}+)",
    r"(_{0,2}+[A-Z]\w{2,120}+)[ \t]{0,9}+(?::[^=]{1,200}+)?=(?!=)",
    rf"type{_S}(\w{{1,120}}+)",
)
_SCRIPT: Final = _compiled(
    _IN + rf"(?:(?:export|default|declare|async){_S}){{0,4}}function\*?[ \t]{{0,9}}+"
    r"([\w$]{1,120}+)",
    _IN + rf"(?:(?:export|default|declare|abstract|const){_S}){{0,4}}"
    rf"(?:class|interface|enum|type|namespace|module){_S}([\w$]{{1,120}}+)",
    rf"(?:export{_S})?(?:const|let|var){_S}([\w$]{{1,120}}+)",
    # A method, or a function in an object: the line ends as its body begins.
    rf"[ \t]{{1,12}}+(?:(?:public|private|protected|static|async|override|get|set|readonly){_S})"
    r"{0,5}[*#]?([\w$]{1,120}+)(?:<[^>]{1,100}+>)?\([^\n]{0,400}+(?<=\{)$",
    rf"[ \t]{{0,12}}+([\w$]{{1,120}}+)[ \t]{{0,3}}+[=:][ \t]{{0,3}}+(?:async{_S})?"
    r"(?:function\b|\([^\n]{0,400}+(?<==> \{)$)",
    _TITLE,
)
_GO: Final = _compiled(
    rf"func{_S}(?:\([^)]{{0,150}}+\)[ \t]{{0,9}}+)?(\w{{1,120}}+)",
    rf"(?:type|const|var){_S}(\w{{1,120}}+)",
    rf"\t([A-Z]\w{{1,120}}+)[ \t]{{1,40}}+(?:\w{{1,60}}+{_S})?=[ \t]",
)
_RUST: Final = _compiled(
    _IN + rf"(?:pub(?:\([^)]{{1,60}}+\))?{_S})?(?:(?:async|unsafe|const|default){_S}){{0,3}}"
    rf"(?:extern{_S}\"[^\"]{{0,20}}+\"{_S})?fn{_S}(\w{{1,120}}+)",
    _IN + rf"(?:pub(?:\([^)]{{1,60}}+\))?{_S})?(?:unsafe{_S})?"
    rf"(?:struct|enum|trait|union|type|static|const|mod|macro_rules!){_S}(?!fn\b)(?:mut{_S})?"
    r"(\w{1,120}+)",
)
_KINDS: Final = "class|interface|enum|record|object|trait|struct|protocol|extension|actor"
_MODIFIERS: Final = (
    "public|private|protected|internal|static|final|abstract|synchronized|override|virtual|async|"
    "sealed|native|default|extern|unsafe|partial|open|suspend|inline|fileprivate|mutating"
)
_TYPED: Final = _compiled(
    _IN + rf"(?:(?!(?:{_KINDS})\b)[a-z@]\w{{1,20}}+{_S}){{0,6}}"
    rf"(?:enum{_S}class|{_KINDS}){_S}(\w{{1,120}}+)",
    _IN + rf"(?:(?:{_MODIFIERS}){_S}){{1,6}}([^(=;{{}}\"']{{1,200}}+)\(",
    _IN + rf"(?:(?!(?:fun|func|def)\b)[a-z@]\w{{0,20}}+(?:\([^)]{{0,30}}+\))?{_S}){{0,6}}"
    rf"(?:fun|func|def){_S}(?:<[^>]{{1,80}}+>{_S})?([^(=:{{\[<]{{1,120}}+)",
    _CONSTANT,
)
_C: Final = _compiled(
    r"(?![#/ \t}{*)])([^=;(){}\"']{1,200}+)\(",
    rf"[ \t]{{1,8}}+(?:(?:virtual|static|inline|explicit|constexpr|{_MODIFIERS}){_S}){{1,4}}"
    r"([^=;(){}\"']{1,200}+)\(",
    _IN + rf"(?:typedef{_S})?(?:class|struct|union|enum{_S}class|enum|namespace){_S}"
    r"(\w{1,120}+)(?=[^;()]{0,200}+$)",
    rf"#[ \t]{{0,9}}+define{_S}(\w{{1,120}}+)",
    _CONSTANT,
)
_RUBY: Final = _compiled(
    _IN + rf"(?:def|class|module){_S}([\w:.?!]{{1,200}}+)",
    r"[ \t]{0,12}+([A-Z]\w{2,120}+)[ \t]{0,9}+=(?!=)",
    _TITLE,
)
_PHP: Final = _compiled(
    _IN + rf"(?:(?:{_MODIFIERS}|readonly){_S}){{0,5}}"
    rf"(?:function|class|interface|trait|enum|const){_S}&?(\w{{1,120}}+)",
)
_SHELL: Final = _compiled(
    r"(?:function[ \t]{1,9}+)?([\w:-]{1,120}+)[ \t]{0,5}+\(\)",
    r"function[ \t]{1,9}+([\w:-]{1,120}+)",
    r"(?:export[ \t]{1,9}+|readonly[ \t]{1,9}+)?([A-Z][A-Z0-9_]{2,120}+)=",
)
_SQL: Final = _compiled(
    rf"(?i:[ \t]{{0,20}}+create{_S}(?:or{_S}replace{_S})?"
    rf"(?:(?:temp|temporary|unlogged|materialized|virtual|unique){_S}){{0,2}}"
    rf"(?:table|view|function|procedure|trigger|index){_S}(?:if{_S}not{_S}exists{_S})?)"
    r"[\"`\[]?(?:\w{1,60}+[\"`\]]?\.[\"`\[]?)?(\w{1,120}+)"
)

_LANGUAGES: Final[tuple[tuple[str, tuple[re.Pattern[str], ...]], ...]] = (
    (".py .pyi", _PYTHON),
    (".js .jsx .mjs .cjs .ts .tsx .mts .cts .vue .svelte", _SCRIPT),
    (".go", _GO),
    (".rs", _RUST),
    (".java .kt .kts .cs .scala .swift .groovy .dart", _TYPED),
    (".c .h .cc .cpp .cxx .hh .hpp .hxx .m .mm", _C),
    (".rb .rake", _RUBY),
    (".php", _PHP),
    (".sh .bash .zsh", _SHELL),
    (".sql", _SQL),
)
_PATTERNS: Final[Mapping[str, tuple[re.Pattern[str], ...]]] = {
    ending: patterns for endings, patterns in _LANGUAGES for ending in endings.split()
}
# Their pattern takes any assignment; the name is a constant only in capitals.
_CAPITALS: Final = re.compile(r"[A-Z][A-Z0-9_]{2,}+")


def is_source(path: str) -> bool:
    """Tell whether what a file defines is known, by its name's ending."""
    return PurePosixPath(path).suffix in _PATTERNS


def definitions(path: str, lines: Sequence[str]) -> list[Definition]:
    """Return what the lines of a file define, at most 200 of them."""
    patterns = _PATTERNS.get(PurePosixPath(path).suffix)
    if patterns is None:
        return []
    found: list[Definition] = []
    for number, line in enumerate(lines):
        found.extend(Definition(name, number) for name in _of_line(patterns, line))
        if len(found) >= MOST_DEFINITIONS:
            return found[:MOST_DEFINITIONS]
    return found


def lines_defining(path: str, lines: Sequence[str], name: str) -> list[int]:
    """Return the lines of a file that define a name."""
    patterns = _PATTERNS.get(PurePosixPath(path).suffix, ())
    return [
        number
        for number, line in enumerate(lines)
        if name in line and name in _of_line(patterns, line)
    ]


def _of_line(patterns: Sequence[re.Pattern[str]], line: str) -> Iterator[str]:
    if not line or len(line) > _MAX_LINE or line.isspace():
        return
    seen: set[str] = set()
    for pattern in patterns:
        match = pattern.match(line)
        if match is None:
            continue
        name = _name(match, is_constant=pattern.pattern == _CONSTANT)
        if name and name not in seen:
            seen.add(name)
            yield name


def _name(match: re.Match[str], *, is_constant: bool) -> str:
    written = next((group for group in match.groups() if group), "").strip()
    if " " in written and match.re.pattern == _TITLE:
        return written
    last = _LAST_NAME.search(written)
    name = last.group() if last else ""
    if (
        _KEYWORDS.fullmatch(name)
        or name.isdigit()
        or (is_constant and not _CAPITALS.fullmatch(name))
    ):
        return ""
    return name
