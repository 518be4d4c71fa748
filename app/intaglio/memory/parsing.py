"""Parses the text of a new memory: prefixes, tags, and the type that the wording suggests."""

import re
from dataclasses import dataclass
from typing import Final

from intaglio.base.errors import TooLargeError
from intaglio.domain.memory_types import MEMORY_TYPES, MemoryType

MAX_CONTENT_CHARS: Final = 100_000

_CRITICAL = re.compile(r"\s*critical:\s*", re.IGNORECASE)
_TAGS = re.compile(r"\s*\[([^\[\]\n]{1,500})\]:\s*")
_MAX_TAGS = 50
_MAX_TAG_CHARS = 100
# What is looked at before tags are cleaned: more than is kept, as some are blank or alike.
_MAX_TAGS_READ = 4 * _MAX_TAGS
_MAX_CHARS_READ = 40_000
# Removed secrets may make a content shorter; one of this length is too long in any case.
_MAX_CHARS_REDACTED = 3 * MAX_CONTENT_CHARS

# First match wins; whole words, so that "unlike" is not a preference (decision 22).
_CUES: Final[tuple[tuple[MemoryType, re.Pattern[str]], ...]] = (
    ("preference", re.compile(r"\b(prefers?|likes?|wants?)\b")),
    ("decision", re.compile(r"\b(decided|agreed|will use)\b")),
    ("learning", re.compile(r"\b(learned|discovered|til)\b")),
    ("issue", re.compile(r"\b(bug|issue|broken|problem)\b")),
    ("rule", re.compile(r"\b(never|always|must)\b")),
)


@dataclass(frozen=True, slots=True)
class Prefixed:
    """The values of a memory's prefixes, and its content without them."""

    content: str
    critical: bool
    tags: tuple[str, ...]


def read_prefixes(text: str) -> Prefixed:
    """Read ``critical:`` and then ``[a,b]:`` at the start of a memory."""
    critical = _CRITICAL.match(text)
    rest = text[critical.end() :] if critical else text
    listed = _TAGS.match(rest)
    if listed:
        rest = rest[listed.end() :]
    tags = read_tags(listed.group(1)) if listed else ()
    return Prefixed(rest.strip(), critical is not None, tags)


def check_length(content: str) -> None:
    """Raise TooLargeError if the content is longer than a memory may be."""
    if len(content) > MAX_CONTENT_CHARS:
        raise TooLargeError(
            f"A memory can have at most {MAX_CONTENT_CHARS} characters.",
            hint="Split it into several memories, or save only the important part.",
        )


def check_raw_length(content: str) -> None:
    """Raise TooLargeError for a content that is too long even to be cleaned."""
    if len(content) > _MAX_CHARS_REDACTED:
        check_length(content)


def cut_tags(tags: str | list[str]) -> str | list[str]:
    """Leave out what nobody would write, before each tag is cleaned.

    Cleaning 90,000 tags would hold up all other requests for a second. A text is cut at a comma, so
    that no half of a tag is left.
    """
    if not isinstance(tags, str):
        return tags[:_MAX_TAGS_READ]
    if len(tags) <= _MAX_CHARS_READ:
        return tags
    return tags[:_MAX_CHARS_READ].rpartition(",")[0]


def read_tags(tags: str | list[str] | None) -> tuple[str, ...]:
    """Parse tags from a comma-separated list or an array: trimmed, lower-case, distinct."""
    if tags is None:
        return ()
    few = cut_tags(tags)
    parts = few.split(",", _MAX_TAGS_READ)[:_MAX_TAGS_READ] if isinstance(few, str) else few
    clean = (" ".join(part.replace(",", " ").split()).lower()[:_MAX_TAG_CHARS] for part in parts)
    return tuple(dict.fromkeys(tag for tag in clean if tag))[:_MAX_TAGS]


def infer_type(text: str) -> MemoryType:
    """Return the type that the wording suggests, or ``fact``."""
    lowered = text.lower()
    for kind, cue in _CUES:
        if cue.search(lowered):
            return kind
    return "fact"


def known_type(text: str) -> MemoryType | None:
    """Return the memory type with this name, or None."""
    return text if text in MEMORY_TYPES else None
