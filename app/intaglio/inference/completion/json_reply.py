"""Reads the JSON of a model's reply, whatever stands around it, in linear time."""

import json
import math
import re
from typing import Final, cast

from intaglio.base.text import scrub

# JSON that is nested deeper, or a reply with more values, is no reply to a prompt of ours.
_MAX_DEPTH: Final = 100
_MAX_VALUES: Final = 1_000

_TAG_NAME: Final = r"(?:think|thinking|thought|reasoning)"
_CLOSING_TAG: Final = re.compile(rf"</{_TAG_NAME}>", re.IGNORECASE)
# Outside of a value: what may begin one, well written or not, and the tags around thoughts. A brace
# of prose or code is seldom followed by a key.
_OPENING: Final = re.compile(
    rf"""\{{(?=\s*+(?:["'}}]|\w++\s*+:))|\[(?=\s*+["'\[\]{{\-0-9tfn])|</?{_TAG_NAME}>""",
    re.IGNORECASE,
)
# Inside of a value, but outside of its strings.
_STRUCTURE: Final = re.compile(r'["{}\[\]]')
_IN_STRING: Final = re.compile(r'["\\]')
_STRING_OR_CLOSING: Final = re.compile(r'["}\]]')
_PAIRS: Final = {"}": "{", "]": "["}


def parse_json(text: str) -> object:
    """Return the JSON value in a reply; None if there is none.

    Around it may stand prose, code fences and what the model thought aloud; in it, commas before a
    closing bracket. Of several values the last one counts that begins a line and is an object or
    holds some: a prompt's example that a model repeats comes before its reply, and what it quotes
    afterwards stands within a sentence. Else it is the last object, else the last array. Nothing is
    read out of a value that is broken or has no end: its parts would pass for whole replies.
    Numbers that JSON doesn't have are null, and characters that can't be stored are left out.
    """
    whole = text.strip().removeprefix("\ufeff")
    if (found := _loads(whole)) is not _INVALID:
        return found
    last_object: object = None
    last_array: object = None
    for start, end, begins_line in reversed(_values(whole)):
        value = _loads(whole[start:end])
        if value is _INVALID:
            value = _loads(_without_trailing_commas(whole[start:end]))
        if isinstance(value, dict):
            if begins_line:
                return cast("object", value)
            last_object = cast("object", value) if last_object is None else last_object
        elif isinstance(value, list):
            items = cast("list[object]", value)
            if begins_line and any(isinstance(each, dict) for each in items):
                return items
            last_array = items if last_array is None else last_array
    return last_array if last_object is None else last_object


class _Invalid:
    """What is returned for text that isn't JSON, as None is a value of JSON."""


_INVALID: Final = _Invalid()


def _loads(text: str) -> object:
    try:
        value: object = json.loads(
            text, strict=False, parse_float=_finite, parse_constant=lambda _: None
        )
        return _clean(value) if _may_be_unclean(text) else value
    except (ValueError, RecursionError):
        return _INVALID


def _may_be_unclean(text: str) -> bool:
    """Whether NUL or half a character, which can't be stored, stands in a text or its escapes."""
    if "\\u" in text or "\x00" in text:
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _finite(number: str) -> float | None:
    value = float(number)
    return value if math.isfinite(value) else None


def _clean(value: object) -> object:
    match value:
        case str():
            return scrub(value)
        case list():
            return [_clean(each) for each in cast("list[object]", value)]
        case dict():
            fields = cast("dict[str, object]", value)
            return {scrub(name): _clean(each) for name, each in fields.items()}
        case _:
            return value


def _without_trailing_commas(text: str) -> str:
    pieces: list[str] = []
    start = position = 0
    while mark := _STRING_OR_CLOSING.search(text, position):
        if mark[0] == '"':
            position = _end_of_string(text, mark.end()) or len(text)
        else:
            pieces += (text[start : mark.start()].rstrip().removesuffix(","), mark[0])
            start = position = mark.end()
    return "".join((*pieces, text[start:]))


def _values(text: str) -> list[tuple[int, int, bool]]:
    """Return where the outermost objects and arrays stand that follow the model's last thought.

    Each comes with whether it begins a line, or the text. Returns nothing for a text of too many.
    """
    found: list[tuple[int, int, bool]] = []
    position = 0
    anew = True
    while opening := _OPENING.search(text, position):
        token = opening[0]
        if token.startswith("</"):
            # Everything before was thought, though its beginning wasn't marked.
            found.clear()
            position, anew = opening.end(), True
        elif token.startswith("<"):
            closing = _CLOSING_TAG.search(text, opening.end())
            if closing is None:
                break
            position, anew = closing.end(), True
        else:
            end = _end_of_value(text, opening.start())
            if end is None or len(found) == _MAX_VALUES:
                return [] if end else found
            _, newline, before = text[position : opening.start()].rpartition("\n")
            begins_line = (anew or newline != "") and not before.strip()
            found.append((opening.start(), end, begins_line))
            position, anew = end, False
    return found


def _end_of_value(text: str, start: int) -> int | None:
    """Return where the value that begins with a bracket ends; None if it doesn't, or is too deep.

    A closing bracket that doesn't fit closes up to the one that does, if there is one.
    """
    opened: list[str] = []
    position = start
    while token := _STRUCTURE.search(text, position):
        position = token.end()
        mark = token[0]
        if mark == '"':
            end = _end_of_string(text, position)
            if end is None:
                return None
            position = end
        elif mark in "{[":
            if len(opened) == _MAX_DEPTH:
                return None
            opened.append(mark)
        elif _PAIRS[mark] in opened:
            while opened.pop() != _PAIRS[mark]:
                pass
            if not opened:
                return position
    return None


def _end_of_string(text: str, position: int) -> int | None:
    while mark := _IN_STRING.search(text, position):
        if mark[0] == '"':
            return mark.end()
        position = mark.end() + 1
    return None
