"""Reads strict JSON and says where each value stands; it changes nothing."""

import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import Literal, TypeAlias

MAX_DEPTH = 200

_BLANKS = re.compile(r"[ \t\n\r]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_SCALAR = re.compile(r"true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")

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
        """Return all members of that name; more than one where a key is repeated."""
        return tuple(member for member in self.members if member.key == key)

    def repeated(self) -> tuple[str, ...]:
        """Return the keys that stand here more than once."""
        return tuple(key for key, n in Counter(m.key for m in self.members).items() if n > 1)

    def parts(self) -> "tuple[tuple[int, int], ...]":
        """Return where each member or item starts and ends."""
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
    """Why the text is no JSON; ``line`` counts from 1."""

    line: int
    message: str


class _StopError(Exception):
    def __init__(self, position: int, message: str) -> None:
        super().__init__(message)
        self.position = position
        self.message = message


def scan(text: str) -> JsonValue | MalformedJson:
    """Read ``text`` as one JSON value (RFC 8259), blanks around it allowed."""
    try:
        value = _value(text, _skip(text, 0), 0)
        end = _skip(text, value.end)
        if end != len(text):
            raise _unexpected(text, end)
    except _StopError as stop:
        return MalformedJson(text.count("\n", 0, stop.position) + 1, stop.message)
    return value


def _skip(text: str, position: int) -> int:
    match = _BLANKS.match(text, position)
    return match.end() if match else position


def _unexpected(text: str, position: int) -> _StopError:
    found = text[position : position + 1]
    if not found:
        return _StopError(position, "the text ends too early")
    if text.startswith(("//", "/*"), position) or found == "#":
        return _StopError(position, "a comment, which JSON doesn't allow")
    return _StopError(position, f"unexpected {found!r}")


def _value(text: str, position: int, depth: int) -> JsonValue:
    if depth > MAX_DEPTH:
        raise _StopError(position, f"nested deeper than {MAX_DEPTH}")
    match text[position : position + 1]:
        case "{":
            return _object(text, position, depth)
        case "[":
            return _array(text, position, depth)
        case '"':
            return JsonValue("scalar", position, _string(text, position)[1])
        case _:
            match = _SCALAR.match(text, position)
            if not match:
                raise _unexpected(text, position)
            return JsonValue("scalar", position, match.end())


def _string(text: str, position: int) -> tuple[str, int]:
    if text[position : position + 1] != '"':
        raise _unexpected(text, position)
    match = _STRING.match(text, position)
    if not match:
        raise _StopError(position, "a string that isn't closed or isn't valid JSON")
    return str(json.loads(match.group())), match.end()


def _object(text: str, start: int, depth: int) -> JsonValue:
    members: list[JsonMember] = []
    position = _skip(text, start + 1)
    while text[position : position + 1] != "}" or members:
        key, end = _string(text, position)
        colon = _skip(text, end)
        if text[colon : colon + 1] != ":":
            raise _unexpected(text, colon)
        value = _value(text, _skip(text, colon + 1), depth + 1)
        members.append(JsonMember(key, position, value))
        position = _skip(text, value.end)
        if text[position : position + 1] == "}":
            break
        position = _comma(text, position, "}")
    return JsonValue("object", start, position + 1, members=tuple(members))


def _array(text: str, start: int, depth: int) -> JsonValue:
    items: list[JsonValue] = []
    position = _skip(text, start + 1)
    while text[position : position + 1] != "]" or items:
        item = _value(text, position, depth + 1)
        items.append(item)
        position = _skip(text, item.end)
        if text[position : position + 1] == "]":
            break
        position = _comma(text, position, "]")
    return JsonValue("array", start, position + 1, items=tuple(items))


def _comma(text: str, position: int, closing: str) -> int:
    if text[position : position + 1] != ",":
        raise _unexpected(text, position)
    after = _skip(text, position + 1)
    if text[after : after + 1] == closing:
        raise _StopError(position, "a comma after the last entry, which JSON doesn't allow")
    return after
