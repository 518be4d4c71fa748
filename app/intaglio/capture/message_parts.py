"""Finds what of a message is outside of its tags and code fences, and the part that is read.

Every pattern takes time linear in the message.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
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
_MARGIN: Final = 4_000
# A line or sentence that is divided is left out, but no more than so much.
_NEAR: Final = 2_000
_BREAKS: Final = ("\n", ". ", "\u3002")


def read_part(message: str, clean: Callable[[str], str]) -> str:
    """Return what is read of a message, cleaned: all, or of a long one its beginning and its end.

    Whatever makes a message longer than 48,000 characters was pasted. Tags and fences that reach
    from one end of it to the other are left out with what they hold. ``clean`` takes out secrets;
    it sees more than is read, as a secret may be recognised by what surrounds it.
    """
    size = _READ_CHARS + _MARGIN
    if len(message) <= 2 * size:
        return clean(message)
    beginning, end = clean(message[:size]), clean(message[-size:])
    message = f"{beginning}{message[size:-size]}{end}"
    until = _break_before(message, max(0, len(beginning) - _MARGIN))
    since = _break_after(message, len(message) - max(0, len(end) - _MARGIN))
    parts: list[str] = []
    for start, stop in outside_fences(message, outside_tags(message)):
        if start < until:
            parts.append(message[start : min(stop, until)])
        if stop > since:
            parts.append(message[max(start, since) : stop])
    return "\n\n".join(parts)


def _break_before(message: str, at: int) -> int:
    """Return where the last line or sentence ends before a place, or the place."""
    near = max(0, at - _NEAR)
    ends = (
        message.rfind(mark, near, at) + len(mark) for mark in _BREAKS if mark in message[near:at]
    )
    return max(ends, default=at)


def _break_after(message: str, at: int) -> int:
    """Return where the first line or sentence ends behind a place, or the place."""
    ends = (
        found + len(mark) for mark in _BREAKS if (found := message.find(mark, at, at + _NEAR)) >= 0
    )
    return min(ends, default=at)


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
