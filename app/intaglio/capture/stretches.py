"""Finds what of a message is outside of its tags and code fences, and the part that is read.

Every pattern takes time linear in the message.
"""

import re
import string
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Final

_OPENING: Final = re.compile(r"<([A-Za-z][A-Za-z0-9_.:-]{0,60})(?:\s[^<>\n]{0,300})?>", re.ASCII)
_CLOSING: Final = re.compile(
    r"</([A-Za-z][A-Za-z0-9_.:-]{0,60})(?:\s+id=\"?([\w-]{1,40})\"?)?\s{0,20}>", re.ASCII
)
_ID: Final = re.compile(r"\sid=\"?([\w-]{1,40})\"?")
_PASTE: Final = "pasted_content"
_FENCE_LINE: Final = re.compile(r"^[ \t]*+(`{3,}+|~{3,}+)([^\n]*+)", re.MULTILINE)
# Of a longer message, so much of its beginning and of its end is read.
_READ_CHARS: Final = 20_000
_GRAPHIC: Final = string.ascii_letters + string.digits + string.punctuation


def read_part(message: str) -> str:
    """Return what is read of a message: all of it, or of a long one its beginning and its end.

    Whatever makes a message longer than 40,000 characters was pasted. Tags and fences that reach
    from one end of it to the other are left out with what they hold.
    """
    if len(message) <= 2 * _READ_CHARS:
        return message
    until = message.rfind("\n", 0, _READ_CHARS) + 1
    since = message.find("\n", len(message) - _READ_CHARS) + 1
    # A word that the cut divides is left out: it could be a secret of which no half is recognized.
    until = until or len(message[:_READ_CHARS].rstrip(_GRAPHIC)) or _READ_CHARS
    since = since or len(message) - (len(message[-_READ_CHARS:].lstrip(_GRAPHIC)) or _READ_CHARS)
    parts: list[str] = []
    for start, end in outside_fences(message, outside_tags(message)):
        if start < until:
            parts.append(message[start : min(end, until)])
        if end > since:
            parts.append(message[max(start, since) : end])
    return "\n\n".join(parts)


def outside_tags(message: str) -> list[tuple[int, int]]:
    """Return the stretches of a message that don't stand between an opening and a closing tag.

    A paste may stand in ``<pasted_content id="56d4">`` … ``</pasted_content id="56d4">``, and the
    user's words go on behind it. A paste that is never closed reaches to the end.
    """
    closings: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for match in _CLOSING.finditer(message):
        closings.setdefault((match[1], match[2] or ""), []).append(match.span())
    kept: list[tuple[int, int]] = []
    at = 0
    for opening in _OPENING.finditer(message):
        if opening.start() < at:
            continue
        end = _closed_at(message, opening, closings)
        if end is None:
            continue
        kept.append((at, opening.start()))
        at = end
    kept.append((at, len(message)))
    return [(start, end) for start, end in kept if start < end]


def _closed_at(
    message: str,
    opening: re.Match[str],
    closings: dict[tuple[str, str], list[tuple[int, int]]],
) -> int | None:
    name = opening[1]
    given = _ID.search(opening.group())
    # The id comes first: the pasted text may hold a closing tag, but doesn't know the id.
    for key in ((name, given[1] if given else ""), (name, "")):
        found = closings.get(key, [])
        index = bisect_left(found, (opening.end(), 0))
        if index < len(found):
            return found[index][1]
    return len(message) if name == _PASTE else None


def outside_fences(message: str, stretches: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield what of the stretches isn't between code fences; an open fence reaches to the end."""
    fence = ""
    for start, end in stretches:
        at = start
        for line in _FENCE_LINE.finditer(message, start, end):
            if not fence:
                if at < line.start():
                    yield at, line.start()
                fence = line[1]
            elif line[1].startswith(fence) and not line[2].strip():
                fence = ""
                at = line.end()
        if not fence and at < end:
            yield at, end
