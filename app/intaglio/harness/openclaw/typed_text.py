"""What a person typed in a message of OpenClaw: without what OpenClaw and its channels add to it.

Sources: the prompts and transcripts of OpenClaw 2026.9.6, and how its own memory cleans them.
"""

import re
from collections.abc import Iterator
from typing import Final

_MARK: Final = "⟦openclaw:ctx⟧"
_REST_IS_CONTEXT: Final = f"Context: {_MARK}"
_ADDED_LINES: Final = ("Delivery: ", "[message_id: ")
_INTERNAL: Final = (
    "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>",
    "<<<END_OPENCLAW_INTERNAL_CONTEXT>>>",
)
# "[Fri 2026-11-27 06:56 UTC] ", or with its channel: "[Telegram Ada id:1 2026-11-27 06:56 UTC] ".
_ENVELOPE: Final = re.compile(r"\[([A-Z][^\]\n]{0,400})\][ \t]{0,4}")
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
# Prompts that no person wrote, in sessions where they aren't marked otherwise.
_GENERATED: Final = re.compile(
    r"\[cron:[^\]\n]{1,300}\]|System(?: \(untrusted\))?: \[|\[OpenClaw [a-z ]{1,40}\]"
    r"|\[Inter-session message\]"
)


def typed_text(text: str) -> str:
    """Return the user's own words of a message, empty if it has none."""
    words = _without_envelope(_without_internal(text).lstrip())
    if _GENERATED.match(words):
        return ""
    return _without_envelope("\n".join(_own_lines(words.split("\n"))).strip())


def _without_envelope(text: str) -> str:
    found = _ENVELOPE.match(text)
    return text[found.end() :] if found and _DATE.search(found[1]) else text


def _without_internal(text: str) -> str:
    begin, end = _INTERNAL
    before, found, after = text.partition(begin)
    while found:
        rest = after.partition(end)[2]
        kept, found, after = rest.partition(begin)
        before += kept
    return before


def _own_lines(lines: list[str]) -> Iterator[str]:
    """Yield the lines that aren't in one of the blocks which OpenClaw adds.

    Such a block has a marked heading; it is JSON in a code fence, or goes on to an empty line.
    """
    until: str | None = None
    is_first = False
    for line in lines:
        word = line.strip()
        if until is not None:
            if is_first and word == "```json":
                until = "```"
            elif word == until:
                until = None
            is_first = False
        elif word == _REST_IS_CONTEXT:
            return
        elif word.endswith(_MARK):
            until, is_first = "", True
        elif not word.startswith(_ADDED_LINES):
            yield line
