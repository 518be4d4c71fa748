"""The fence around injected memories: adds it, and removes it from text that comes back."""

import re
from collections.abc import Mapping
from html import escape

_NAME = "intaglio-memory"

# Signet's fence is removed too: users who switch have transcripts full of them. The number of
# blanks is bounded so that a long run of them after a "<" costs nothing.
_MARK = re.compile(
    r"<[\s\x00]{0,8}(?P<close>/?)[\s\x00]{0,8}(?:intaglio|signet)-memory", re.IGNORECASE
)
_REST_OF_CLOSE = re.compile(r"[^<>\n]{0,200}>?")


def neutralise(text: str) -> str:
    """Defuse fence markers inside ``text``; everything else stays unchanged."""
    if "<" not in text:
        return text
    return _MARK.sub(lambda mark: "&lt;" + mark.group()[1:], text)


def fence(text: str, attributes: Mapping[str, str]) -> str:
    """Wrap ``text`` in a fence that `strip_injected` finds again, whatever the text contains."""
    described = "".join(
        f' {key}="{escape(neutralise(value), quote=True)}"' for key, value in attributes.items()
    )
    head = f"<{_NAME}{described}>".replace("\n", " ")
    return f"{head}\n{neutralise(text)}\n</{_NAME}>"


def strip_injected(text: str) -> str:
    """Remove injected text, fences included.

    If in doubt, it removes more: an unclosed fence removes the rest of the text, an unopened one
    everything before it.
    """
    pieces: list[str] = []
    depth = position = 0
    for mark in _MARK.finditer(text):
        if not mark["close"]:
            if depth == 0:
                pieces.append(text[position : mark.start()])
            depth += 1
            continue
        if depth == 0:
            pieces.clear()
        depth = max(0, depth - 1)
        rest = _REST_OF_CLOSE.match(text, mark.end())
        position = rest.end() if rest else mark.end()
    if depth == 0:
        pieces.append(text[position:])
    return "".join(pieces)
