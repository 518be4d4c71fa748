"""The fence around injected memory: how it is put on, and how it is stripped on the way back."""

import re
from collections.abc import Mapping
from html import escape

_NAME = "intaglio-memory"

# Signet's fence is stripped too: a user who comes from it has transcripts full of them. The
# blanks are bounded so that a long run of them after a "<" costs nothing.
_MARK = re.compile(
    r"<[\s\x00]{0,8}(?P<close>/?)[\s\x00]{0,8}(?:intaglio|signet)-memory", re.IGNORECASE
)
_REST_OF_CLOSE = re.compile(r"[^<>\n]{0,200}>?")


def neutralise(text: str) -> str:
    """Make the fence's own marks inside ``text`` harmless; everything else stays as it is."""
    if "<" not in text:
        return text
    return _MARK.sub(lambda mark: "&lt;" + mark.group()[1:], text)


def fence(text: str, attributes: Mapping[str, str]) -> str:
    """Wrap ``text`` so that `strip_injected` finds it again whatever it holds."""
    described = "".join(
        f' {key}="{escape(neutralise(value), quote=True)}"' for key, value in attributes.items()
    )
    head = f"<{_NAME}{described}>".replace("\n", " ")
    return f"{head}\n{neutralise(text)}\n</{_NAME}>"


def strip_injected(text: str) -> str:
    """Remove what was injected, fences included.

    Errs on the side of removing: a fence that is not closed takes the rest of the text with it,
    one that was not opened takes what stands before it.
    """
    kept: list[str] = []
    depth = position = 0
    for mark in _MARK.finditer(text):
        if not mark["close"]:
            if depth == 0:
                kept.append(text[position : mark.start()])
            depth += 1
            continue
        if depth == 0:
            kept.clear()
        depth = max(0, depth - 1)
        rest = _REST_OF_CLOSE.match(text, mark.end())
        position = rest.end() if rest else mark.end()
    if depth == 0:
        kept.append(text[position:])
    return "".join(kept)
