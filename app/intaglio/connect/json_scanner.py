"""Parses JSON, strict or JSON5, and returns the position of each value."""

import itertools
import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

MAX_DEPTH = 200
_QUOTES = {False: ('"',), True: ('"', "'")}

Matcher: TypeAlias = Callable[[str, int], re.Match[str] | None]

_BLANKS: Final[Matcher] = re.compile(r"[ \t\n\r]*").match
_STRING: Final[Matcher] = re.compile(
    r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"'
).match
_SCALAR: Final[Matcher] = re.compile(
    r"true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
).match
_SPACE_5: Final[Matcher] = re.compile(r"[ \t\n\r\v\f\u00a0\ufeff\u2028\u2029]*").match
_COMMENT_5: Final[Matcher] = re.compile(
    r"//[^\n\r\u2028\u2029]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/"
).match
_STRING_5: Final[Matcher] = re.compile(
    r"\"(?:[^\"\\\n\r]|\\(?:\r\n|[\s\S]))*\"|'(?:[^'\\\n\r]|\\(?:\r\n|[\s\S]))*'"
).match
_SCALAR_5: Final[Matcher] = re.compile(
    r"(?>true|false|null|[+-]?(?:0[xX][0-9a-fA-F]+|Infinity|NaN"
    r"|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?))(?![\w$])"
).match
_NAME_5: Final[Matcher] = re.compile(r"(?:[^\W\d]|\$)[\w$]*").match
_ESCAPE_5 = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(\r\n|[\s\S]))")
_ESCAPED_5 = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0"}
_LINE_ENDS_5 = ("\n", "\r\n", "\r", "\u2028", "\u2029")

JsonKind: TypeAlias = Literal["object", "array", "scalar"]


@dataclass(frozen=True, slots=True)
class JsonValue:
    """A value at ``text[start:end]``; an object has members, an array has items."""

    kind: JsonKind
    start: int
    end: int
    members: "tuple[JsonMember, ...]" = ()
    items: "tuple[JsonValue, ...]" = ()

    def members_named(self, key: str) -> "tuple[JsonMember, ...]":
        """Return all members with that name; more than one if the key is repeated."""
        return tuple(member for member in self.members if member.key == key)

    def repeated(self) -> tuple[str, ...]:
        """Return the keys that occur more than once."""
        return tuple(key for key, n in Counter(m.key for m in self.members).items() if n > 1)

    def parts(self) -> "tuple[tuple[int, int], ...]":
        """Return the start and end of each member or item."""
        spans = [(member.start, member.value.end) for member in self.members]
        return tuple(spans or [(item.start, item.end) for item in self.items])


@dataclass(frozen=True, slots=True)
class JsonMember:
    """A key with its value; ``start`` is the key's opening quote."""

    key: str
    start: int
    value: JsonValue


@dataclass(frozen=True, slots=True)
class MalformedJson:
    """Why the text isn't valid JSON; ``line`` counts from 1."""

    line: int
    message: str


class _StopError(Exception):
    def __init__(self, position: int, message: str) -> None:
        super().__init__(message)
        self.position = position
        self.message = message


@dataclass(frozen=True, slots=True)
class JsonSyntax:
    """A dialect: strings, other scalars, and unquoted keys if any.

    ``skip`` returns where the blanks and comments at a position end. ``relaxed`` allows a comma
    after the last entry.
    """

    skip: Callable[[str, int], int]
    string: Matcher
    scalar: Matcher
    decode: Callable[[str], str]
    name: Matcher | None = None
    relaxed: bool = False


def _skip_blanks(text: str, position: int) -> int:
    match = _BLANKS(text, position)
    return match.end() if match else position


def _skip_comments(text: str, position: int) -> int:
    found: re.Match[str] | None
    for matcher in itertools.cycle((_SPACE_5, _COMMENT_5)):
        found = matcher(text, position)
        if found is None:
            break
        position = found.end()
    return position


def _strict_string(literal: str) -> str:
    return str(json.loads(literal))


def _json5_string(literal: str) -> str:
    return _ESCAPE_5.sub(_unescaped, literal[1:-1])


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    if code:
        return chr(int(code, 16))
    return "" if match[3] in _LINE_ENDS_5 else _ESCAPED_5.get(match[3], match[3])


JSON: Final = JsonSyntax(_skip_blanks, _STRING, _SCALAR, _strict_string)
"""RFC 8259."""

JSON5: Final = JsonSyntax(
    _skip_comments, _STRING_5, _SCALAR_5, _json5_string, _NAME_5, relaxed=True
)
"""JSON with comments, unquoted keys, other quotes, and commas after the last entry."""


def scan(text: str, syntax: JsonSyntax = JSON) -> JsonValue | MalformedJson:
    """Parse ``text`` as one value, allowing whitespace around it."""
    scanner = _Scanner(text, syntax)
    try:
        value = scanner.value(scanner.skip(0), 0)
        end = scanner.skip(value.end)
        if end != len(text):
            raise scanner.unexpected(end)
    except _StopError as stop:
        return MalformedJson(text.count("\n", 0, stop.position) + 1, stop.message)
    return value


def value_of(text: str, value: JsonValue, syntax: JsonSyntax = JSON) -> object:
    """Return what a scanned value means; a number is its text."""
    match value.kind:
        case "object":
            return {each.key: value_of(text, each.value, syntax) for each in value.members}
        case "array":
            return [value_of(text, each, syntax) for each in value.items]
        case "scalar":
            literal = text[value.start : value.end]
            if literal[0] in "\"'":
                return syntax.decode(literal)
            return {"true": True, "false": False, "null": None}.get(literal, literal)


@dataclass(frozen=True, slots=True)
class _Scanner:
    """Reads one text in one dialect; each method takes a position and returns where it ended."""

    text: str
    syntax: JsonSyntax

    def skip(self, position: int) -> int:
        return self.syntax.skip(self.text, position)

    def unexpected(self, position: int) -> _StopError:
        found = self.text[position : position + 1]
        if not found:
            return _StopError(position, "unexpected end of file")
        if self.text.startswith(("//", "/*"), position) or found == "#":
            return _StopError(position, "a comment, which JSON doesn't allow")
        return _StopError(position, f"unexpected {found!r}")

    def value(self, position: int, depth: int) -> JsonValue:
        if depth > MAX_DEPTH:
            raise _StopError(position, f"nested more than {MAX_DEPTH} levels deep")
        match self.text[position : position + 1]:
            case "{":
                return self._object(position, depth)
            case "[":
                return self._array(position, depth)
            case '"' | "'":
                return JsonValue("scalar", position, self._string(position)[1])
            case _:
                match = self.syntax.scalar(self.text, position)
                if not match:
                    raise self.unexpected(position)
                return JsonValue("scalar", position, match.end())

    def _string(self, position: int) -> tuple[str, int]:
        if not self.text.startswith(_QUOTES[self.syntax.relaxed], position):
            raise self.unexpected(position)
        match = self.syntax.string(self.text, position)
        if not match:
            raise _StopError(position, "a string that isn't closed or isn't valid JSON")
        return self.syntax.decode(match.group()), match.end()

    def _key(self, position: int) -> tuple[str, int]:
        match = self.syntax.name(self.text, position) if self.syntax.name else None
        return (match.group(), match.end()) if match else self._string(position)

    def _object(self, start: int, depth: int) -> JsonValue:
        members: list[JsonMember] = []
        position = self.skip(start + 1)
        while not self.text.startswith("}", position) or (members and not self.syntax.relaxed):
            key, end = self._key(position)
            colon = self.skip(end)
            if self.text[colon : colon + 1] != ":":
                raise self.unexpected(colon)
            value = self.value(self.skip(colon + 1), depth + 1)
            members.append(JsonMember(key, position, value))
            position = self.skip(value.end)
            if self.text.startswith("}", position):
                break
            position = self._comma(position, "}")
        return JsonValue("object", start, position + 1, members=tuple(members))

    def _array(self, start: int, depth: int) -> JsonValue:
        items: list[JsonValue] = []
        position = self.skip(start + 1)
        while not self.text.startswith("]", position) or (items and not self.syntax.relaxed):
            item = self.value(position, depth + 1)
            items.append(item)
            position = self.skip(item.end)
            if self.text.startswith("]", position):
                break
            position = self._comma(position, "]")
        return JsonValue("array", start, position + 1, items=tuple(items))

    def _comma(self, position: int, closing: str) -> int:
        if self.text[position : position + 1] != ",":
            raise self.unexpected(position)
        after = self.skip(position + 1)
        if not self.syntax.relaxed and self.text.startswith(closing, after):
            message = "a comma after the last entry, which JSON doesn't allow"
            raise _StopError(position, message)
        return after
