"""Separates what a user typed from what they pasted into Claude Code's terminal.

The client writes a paste of three or more lines as ``<pasted_content id="56d4">``, the text, and
``</pasted_content id="56d4">``; the user's words may continue behind it. Only the end tag with the
same id ends a paste, so that a pasted text can't pass for typed by containing an end tag.
"""

import re
from typing import Final

_OPENING: Final = re.compile(r"<pasted_content\b(?:\s+id=[\"']?(?P<id>[\w-]{1,40})[\"']?)?[^<>]*>")
_PLAIN_END: Final = "</pasted_content>"
_END_WITH_ID: Final = "</pasted_content id="


def split_pastes(text: str) -> tuple[str, str]:
    """Return what was typed and what was pasted; a paste without an end extends to the text's."""
    typed: list[str] = []
    pasted: list[str] = []
    position = 0
    # Older clients write end tags without an id.
    ends_have_ids = _END_WITH_ID in text
    while opening := _OPENING.search(text, position):
        typed.append(text[position : opening.start()])
        find_end = _end_with_id if ends_have_ids else _plain_end
        content_end, position = find_end(text, opening)
        pasted.append(text[opening.end() : content_end].strip("\n"))
    typed.append(text[position:])
    return "".join(typed), "\n\n".join(pasted)


def mark_paste(pasted: str) -> str:
    """Mark a paste once more, without an id; "" stays so. It can't end before its end."""
    inner = pasted.replace(_PLAIN_END, "")
    return f"<pasted_content>\n{inner}\n{_PLAIN_END}" if inner.strip() else ""


def _end_with_id(text: str, opening: re.Match[str]) -> tuple[int, int]:
    """Return where the paste's content ends and where the text after it starts."""
    same = rf"<(?P<end>/?)pasted_content\s{{1,8}}id=[\"']?{re.escape(opening['id'] or '')}[\"']?>"
    depth = 1
    # Ids recur within a session: a paste of an earlier prompt contains the same tags.
    for tag in re.compile(same).finditer(text, opening.end()):
        depth += -1 if tag["end"] else 1
        if depth == 0:
            return tag.span()
    return len(text), len(text)


def _plain_end(text: str, opening: re.Match[str]) -> tuple[int, int]:
    end = text.find(_PLAIN_END, opening.end())
    return (end, end + len(_PLAIN_END)) if end >= 0 else (len(text), len(text))
