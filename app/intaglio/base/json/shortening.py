"""Makes a small JSON document of one of any length, part by part and in bounded memory.

What a person wrote stays; pasted images and whole files, which may be many megabytes of Base64 in
the same line, are left out or shortened.
"""

import re
from dataclasses import dataclass, field
from typing import Final

MAX_STRING_BYTES: Final = 1_000_000
MAX_DOCUMENT_BYTES: Final = 16_000_000
MAX_DEPTH: Final = 64
MAX_TOKENS: Final = 500_000

_LONG_BYTES: Final = 4_096
_QUOTE: Final = b'"'
_BACKSLASH: Final = b"\\"
_ESCAPE_BYTES: Final = 6
_COVER: Final = b"\x00\x00"
_BASE64: Final = re.compile(rb"(?:data:[\w/+.;=-]{1,100},)?[A-Za-z0-9+/=_-]+")
_CONTROLS: Final = bytes.maketrans(bytes(range(32)), b" " * 32)

_TOKEN: Final = re.compile(rb'["\[\]{}]|[^\s,:"\[\]{}]+')
_NUMBER: Final = re.compile(rb"-?(?:0|[1-9]\d{0,17})(?:\.\d{1,300})?(?:[eE][+-]?\d{1,2})?")
_LITERALS: Final = frozenset({b"true", b"false", b"null"})


@dataclass(slots=True)
class Shortener:
    """Takes a document's parts in order, and keeps what `text` returns.

    Long strings that are Base64 become empty, others end after `MAX_STRING_BYTES`; once the
    document is long, all end after 4,096 bytes.
    """

    _kept: bytearray = field(default_factory=bytearray)
    _string: bytearray = field(default_factory=bytearray)
    _in_string: bool = False
    _strings: int = 0
    _escaping: bytes = b""

    def add(self, part: bytes) -> None:
        """Take the next part."""
        if self._is_too_much():
            return
        part = self._escaping + part
        self._escaping = _BACKSLASH if ends_within_escape(part) else b""
        part = part.removesuffix(self._escaping)
        covered = without_escapes(part)
        position = 0
        while (quote := covered.find(_QUOTE, position)) >= 0:
            self._take(part[position:quote])
            self._end_string() if self._in_string else self._begin_string()
            position = quote + 1
        self._take(part[position:])

    def text(self) -> bytes:
        """Return the shortened document; empty if even that is too much."""
        return b"" if self._is_too_much() else bytes(self._kept)

    def _is_too_much(self) -> bool:
        return len(self._kept) > MAX_DOCUMENT_BYTES or self._strings > MAX_TOKENS

    def _take(self, piece: bytes) -> None:
        if not self._in_string:
            self._kept += piece
        elif (room := MAX_STRING_BYTES + 1 - len(self._string)) > 0:
            self._string += piece[:room]

    def _begin_string(self) -> None:
        self._kept += _QUOTE
        self._in_string = True
        self._strings += 1

    def _end_string(self) -> None:
        full = len(self._kept) > MAX_DOCUMENT_BYTES // 2
        limit = _LONG_BYTES if full else MAX_STRING_BYTES
        string = bytes(self._string)
        if len(string) > _LONG_BYTES and _BASE64.fullmatch(string):
            string = b""
        elif len(string) > limit:
            string = _without_cut_escape(string[:limit])
        self._kept += string + _QUOTE
        self._string.clear()
        self._in_string = False


def simplified(text: bytes) -> bytes:
    """Return JSON without control characters, values nested too deep, and odd numbers.

    Those values become null. Empty if it has more tokens than `MAX_TOKENS`. The text must be what
    `base.json.characters` calls readable.
    """
    text = text.translate(_CONTROLS)
    covered = without_escapes(text)
    kept: list[bytes] = []
    copied = position = depth = tokens = 0
    while token := _TOKEN.search(covered, position):
        position = token.end()
        tokens += 1
        if tokens > MAX_TOKENS:
            return b""
        match token.group():
            case b'"':
                position = (covered.find(_QUOTE, position) + 1) or len(text)
            case b"[" | b"{":
                depth += 1
                if depth == MAX_DEPTH + 1:
                    kept += (text[copied : token.start()], b"null")
            case b"]" | b"}":
                if depth == MAX_DEPTH + 1:
                    copied = position
                depth -= 1
            case scalar if depth <= MAX_DEPTH and not _is_plain(scalar):
                kept += (text[copied : token.start()], b"null")
                copied = position
            case _:
                pass
    if depth <= MAX_DEPTH:
        kept.append(text[copied:])
    return b"".join(kept)


def _is_plain(scalar: bytes) -> bool:
    return scalar in _LITERALS or bool(_NUMBER.fullmatch(scalar))


def without_escapes(text: bytes) -> bytes:
    """Cover escaped backslashes and quotes, keeping the length: each quote left is a string's."""
    return text.replace(_BACKSLASH * 2, _COVER).replace(_BACKSLASH + _QUOTE, _COVER)


def ends_within_escape(text: bytes) -> bool:
    """Whether a part of a JSON text ends after the backslash of an escape."""
    return (len(text) - len(text.rstrip(_BACKSLASH))) % 2 == 1


def _without_cut_escape(string: bytes) -> bytes:
    """Return a string that was cut anywhere without a part of an escape at its end."""
    covered = without_escapes(string)
    at = covered.rfind(_BACKSLASH, -_ESCAPE_BYTES)
    if at < 0:
        return string
    is_whole = len(string) - at >= (_ESCAPE_BYTES if string[at + 1 : at + 2] == b"u" else 2)
    return string if is_whole else string[:at]
