"""The text around a statement, as the context of its memory's vector; pure."""

import re
from typing import Final

_MAX_AGENT_CHARS: Final = 200
_MAX_CHARS: Final = 400
_SENTENCE_START: Final = re.compile(r"(?<=[.!?:。！？])\s+|\n+")  # noqa: RUF001 - Chinese punctuation


def context_around(agent: str, message: str, start: int, end: int) -> str:
    """Return what the agent said right before a message, then the message around a sentence.

    ``start`` and ``end`` are those of the sentence, which isn't repeated. At most 400 characters,
    of which at most 200 are the agent's; cut between sentences or words.
    """
    said = _tail(agent.strip(), _MAX_AGENT_CHARS)
    before, after = message[:start].strip(), message[end:].strip()
    left = _MAX_CHARS - len(said) - 2
    kept_before = _tail(before, max(left // 2, left - len(after)))
    kept_after = _head(after, left - len(kept_before))
    return "\n".join(part for part in (said, kept_before, kept_after) if part)


def _tail(text: str, limit: int) -> str:
    """Return the end of a text, from the start of a sentence or else of a word."""
    if len(text) <= limit:
        return text
    cut = text[-limit:]
    start = _SENTENCE_START.search(cut)
    if start is not None and cut[start.end() :].strip():
        return cut[start.end() :]
    _, _, words = cut.partition(" ")
    return words.strip() or cut


def _head(text: str, limit: int) -> str:
    """Return the beginning of a text, up to the end of a sentence or else of a word."""
    if len(text) <= limit:
        return text
    cut = text[:limit]
    ends = [found.start() for found in _SENTENCE_START.finditer(cut)]
    if ends and ends[-1]:
        return cut[: ends[-1]]
    words, _, _ = cut.rpartition(" ")
    return words.strip() or cut
