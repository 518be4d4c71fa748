"""Splits JSON of any length into the elements of its outermost array, in bounded memory.

A parser would end at the first byte that it can't read; this only looks for brackets outside of
strings, so one broken element costs no other. Linear in the length.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from intaglio.base.json.shortening import Shortener, ends_within_escape, without_escapes

LARGE_BYTES: Final = 8_000_000
"""Longer elements are shortened: pasted images and whole files in them become short."""

_OPENING: Final = frozenset(b"[{")
_ARRAY: Final = ord("[")
_QUOTE: Final = b'"'
_BACKSLASH: Final = b"\\"
# Everything up to the next bracket outside of strings.
_TO_BRACKET: Final = re.compile(rb'[^\[\]{}"]*+(?>(?:"[^"]*+"[^\[\]{}"]*+)*)[\[\]{}]')


@dataclass(frozen=True, slots=True)
class JsonElement:
    """An object, or an array, and its number from 1 on; ``text`` is None if it is too large.

    ``is_complete`` is unset if the JSON ended within it.
    """

    number: int
    text: bytes | None
    is_complete: bool = True


@dataclass(slots=True)
class _Element:
    """The element that is being read."""

    text: bytearray = field(default_factory=bytearray)
    shortener: Shortener | None = None

    def add(self, part: bytes) -> None:
        if self.shortener is None:
            self.text += part
            if len(self.text) <= LARGE_BYTES:
                return
            self.shortener = Shortener()
            part = bytes(self.text)
            self.text.clear()
        self.shortener.add(part)

    def text_or_none(self) -> bytes | None:
        """Return the text; None if it is too large even when it is shortened."""
        text = bytes(self.text) if self.shortener is None else self.shortener.text()
        return text or None


@dataclass(slots=True)
class JsonElements:
    """Takes a JSON text's parts in order, and yields its elements.

    These are the objects and arrays of the outermost array; if there is none, the outermost objects
    one after the other.
    """

    _base: int | None = None
    _depth: int = 0
    _number: int = 0
    _element: _Element | None = None
    _in_string: bool = False
    _escaping: bytes = b""

    def read(self, parts: Iterable[bytes]) -> Iterator[JsonElement]:
        """Yield the elements of the whole text."""
        for part in parts:
            yield from self._add(part)
        if self._element is not None:
            yield self._ended(is_complete=False)

    def _add(self, part: bytes) -> Iterator[JsonElement]:
        part = self._escaping + part
        self._escaping = _BACKSLASH if ends_within_escape(part) else b""
        part = part.removesuffix(self._escaping)
        covered = without_escapes(part)
        position = self._string_end(covered) if self._in_string else 0
        # Where the part of the element begins that isn't taken yet.
        taken = 0
        while found := _TO_BRACKET.match(covered, position):
            position = found.end()
            bracket = covered[position - 1]
            if bracket in _OPENING:
                if self._begins_element(bracket):
                    self._element, taken = _Element(), position - 1
                self._depth += 1
                continue
            self._depth = max(0, self._depth - 1)
            if self._element is not None and self._depth == self._base:
                self._element.add(part[taken:position])
                yield self._ended()
        if self._element is not None:
            self._element.add(part[taken:])
        if not self._in_string:
            self._in_string = covered.count(_QUOTE, position) % 2 == 1

    def _string_end(self, covered: bytes) -> int:
        """Return where the string ends that an earlier part began, or the part's end."""
        end = covered.find(_QUOTE) + 1
        self._in_string = end == 0
        return end or len(covered)

    def _begins_element(self, bracket: int) -> bool:
        if self._base is None:
            # The first bracket of all says what the outermost value is.
            self._base = 1 if bracket == _ARRAY else 0
        return self._element is None and self._depth == self._base

    def _ended(self, *, is_complete: bool = True) -> JsonElement:
        ended, self._element = self._element or _Element(), None
        self._number += 1
        return JsonElement(self._number, ended.text_or_none(), is_complete)
