"""Replaces the characters that a strict JSON decoder refuses, all in linear time."""

import codecs
import re
from typing import Final

_NUL: Final = b"\x00"
_BACKSLASH: Final = rb"\\"
_MAY_BE_HALF: Final = re.compile(rb"\\u[dD][89a-fA-F]")
# Half of a surrogate pair, as JavaScript writes the half of an emoji that it has cut apart.
_HALF: Final = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    rb"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)
_REPLACEMENT: Final = rb"\\ufffd"


def readable(data: bytes) -> bytes:
    """Return JSON without a byte order mark, NUL bytes, invalid UTF-8 and halves of surrogates.

    Invalid UTF-8 and each half become U+FFFD. Most texts are returned as they are.
    """
    text = data.removeprefix(codecs.BOM_UTF8)
    if _NUL in text:
        text = text.replace(_NUL, b"")
    if not text.isascii():
        text = _valid_utf8(text)
    if _MAY_BE_HALF.search(text):
        # A NUL byte stands for an escaped backslash, after which "ud83d" is plain text.
        covered = _HALF.sub(_REPLACEMENT, text.replace(_BACKSLASH, _NUL))
        text = covered.replace(_NUL, _BACKSLASH)
    return text


def _valid_utf8(data: bytes) -> bytes:
    try:
        data.decode()
    except UnicodeDecodeError:
        return data.decode(errors="replace").encode()
    return data
