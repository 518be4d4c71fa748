"""The fence's own marks, and how injected text is removed from text that comes back."""

import re
from typing import Final

NAME: Final = "intaglio-memory"
REMINDER: Final = "intaglio-reminder"
# Signet's fence counts too: users who switch have transcripts full of them.
OWN_TAGS: Final = (NAME, REMINDER, "signet-memory")

# The number of blanks is bounded so that a long run of them after a "<" costs nothing.
_MARK = re.compile(
    rf"<[\s\x00]{{0,8}}(?P<close>/?)[\s\x00]{{0,8}}(?:{'|'.join(OWN_TAGS)})", re.IGNORECASE
)
_REST_OF_CLOSE = re.compile(r"[^<>\n]{0,200}>?")


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
